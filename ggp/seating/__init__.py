"""Seats for a referee: our own players in processes, and others at an address."""

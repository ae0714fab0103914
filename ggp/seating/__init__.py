"""Seats for a referee: our own players in processes, and players at an address."""

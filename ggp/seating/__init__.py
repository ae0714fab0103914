"""Seats at a referee's table: players of our own in a process, others behind an address."""

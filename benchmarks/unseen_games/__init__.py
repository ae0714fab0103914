"""Rulesheets that no player was built for: positions of known outcome, and matches."""

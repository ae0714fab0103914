"""Rulesheets that no player was built for: positions with known outcomes, and matches."""

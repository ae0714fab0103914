"""Matches: as our player sees them, and as a manager runs them. Nothing here sends messages."""

"""Searches for games of hidden information, in which a role knows only what it sees."""

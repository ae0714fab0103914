"""Searches for games of hidden information, in which roles know only what they see."""

"""Boards in the facts of a state: recognisers of every form, and what a place holds."""

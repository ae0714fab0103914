"""The terminal: what is drawn there, and what a person who plays is asked there."""

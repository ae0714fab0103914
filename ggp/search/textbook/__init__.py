"""The searches of the lectures and textbooks in Python, one state at a time."""

"""The searches of lectures and textbooks, in Python, one state at a time."""

"""A player in a Python file that nobody vouches for, in a process that the kernel confines."""

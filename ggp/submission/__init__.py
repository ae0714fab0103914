"""A player in an untrusted Python file, run in a process that the kernel confines."""

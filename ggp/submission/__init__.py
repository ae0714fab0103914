"""A player in an untrusted Python file, in a process that the kernel confines."""

"""A player in an untrusted Python file, run in a process that the Linux kernel confines."""

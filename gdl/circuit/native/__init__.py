"""Machine code: how kernels are compiled, and where it is kept."""

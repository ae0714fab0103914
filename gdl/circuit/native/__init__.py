"""Machine code: how kernels are compiled, where it is kept, and which code can be run here."""

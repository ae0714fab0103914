"""Machine code: how kernels are compiled and where it is kept, and which code can be run here."""

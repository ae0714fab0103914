"""Machine code: how kernels are compiled and cached, and which code this processor can run."""

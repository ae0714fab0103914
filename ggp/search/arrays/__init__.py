"""The searches in numpy arrays: on compiled games only, states by the hundred, by kernels."""

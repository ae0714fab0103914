"""Value networks, which evaluate states."""

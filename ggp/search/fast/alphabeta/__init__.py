"""Alpha-beta on the compiled game: one state at a time, everything in arrays."""

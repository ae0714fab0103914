"""Alpha-beta on compiled games, one state at a time, with all data in arrays."""

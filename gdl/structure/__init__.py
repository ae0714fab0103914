"""Analysis of a game's circuit: which facts matter, stop changing, or form independent parts."""

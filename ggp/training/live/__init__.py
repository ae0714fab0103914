"""Live: a network is learned while a match is played, by a process beside the one that searches."""

"""Monte Carlo tree search over flat arrays, its states made and played out on lanes.

`LaneSearch` is a search as `ggp.players.searching` wants it; the other modules are its kernels.
"""

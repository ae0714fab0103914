"""Monte Carlo tree search over flat arrays, its states made and played out on lanes.

`LaneSearch` keeps the protocol `ggp.search.Search`; the other modules are its kernels.
"""

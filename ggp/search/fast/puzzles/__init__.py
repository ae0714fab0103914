"""The search of a player that is alone, on lanes: a plan, and the proof that it is the best one.

`SingleAgentSearch` keeps the protocol `ggp.search.Search`. `bfs` and `astar` of `textbook`
are two of its parts by themselves.
"""

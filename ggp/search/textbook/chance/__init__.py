"""Searches with chance: dice, and opponents that do not always find the best move.

`expectimax` treats the others' moves as chance, described by a model. `expectiminimax` has MAX, MIN
and CHANCE nodes. Both search to a limited depth, where they use an evaluation.
"""

"""Searches with chance: dice, or opponents that do not always find the best move.

`expectimax` treats the moves of the others as chance, with probabilities that a model gives.
`expectiminimax` has MAX, MIN and CHANCE nodes. Both search to a limited depth, where they use an
evaluation.
"""

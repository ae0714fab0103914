"""Searches that count with chance: of dice, and of opponents who do not always find the best move.

`expectimax` takes what the others do for chance, by a model of them; `expectiminimax` has MAX, MIN
and CHANCE nodes. Both look a limited number of plies ahead and value what lies there by an
evaluation.
"""

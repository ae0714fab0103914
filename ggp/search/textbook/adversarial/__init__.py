"""Searches that expect the others to play against us, to a limited depth: minimax and alpha-beta.

    >>> import gdl
    >>> from ggp import games
    >>> from ggp.clock import Deadline
    >>> from ggp.search.textbook.adversarial import alphabeta, minimax
    >>> from ggp.search.evaluation.evaluation import EvenEvaluation
    >>> machine = gdl.load(gdl.read_kif(games.text("ticTacToe")))
    >>> state, role = machine.initial_state(), machine.roles[0]
    >>> even, never = EvenEvaluation(machine), Deadline.never()
    >>> plain = minimax.search(machine, state, role, depth=3, evaluate=even, deadline=never)
    >>> pruned = alphabeta.search(machine, state, role, depth=3, evaluate=even, deadline=never)
    >>> (plain.value, pruned.value, plain.nodes > pruned.nodes)
    (50.0, 50.0, True)

How a state is read, in every search of this room:

- a ply is a joint move. We choose the move that is worth most; a move is worth the worst that any
  joint answer of the others makes of it. Where roles take turns this is minimax as in the lectures,
  because those who wait have one move;
- where several roles decide at once it is pessimistic: the others answer as if they knew our move;
- the `random` role is one of the others. Expectation is the business of
`ggp.search.textbook.chance`.
"""

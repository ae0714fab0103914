"""Depth-limited searches that expect the other roles to play against us: minimax and alpha-beta.

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

All searches here treat states in the same way:

- A ply is a joint move. We choose the move with the best value. The value of a move is the worst
  value after any joint answer of the others. If roles take turns this is minimax as in the
  lectures, because waiting roles have only one move.

- If several roles decide at once the value is pessimistic, because the others answer as if they
  knew our move.

- The `random` role counts as one of the others, so it is expected to choose the worst for us.
  `ggp.search.textbook.chance` has searches that take the mean instead.
"""

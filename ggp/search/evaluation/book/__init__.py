"""Books: knowledge about a game that was gathered before the match and stored in a file.

An *endgame table* has the exact values of states, solved backwards from the end. For a small game
the table has all states, so the game is solved. An *opening book* has the moves that a long search
preferred in states near the start. The lecture "Game Playing" says: if the state is in the
database, use it to find the next move or to evaluate the board; otherwise search.

    >>> import gdl
    >>> from ggp import games
    >>> from ggp.clock import Deadline
    >>> from ggp.training.books import building
    >>> machine = gdl.load(gdl.read_kif(games.text("nim")))
    >>> book = building.build(machine, "nim", Deadline.never(), building.BuildSettings())
    >>> book.is_complete, book.endgame.num_states, book.endgame.look_up(machine.initial_state())[0]
    (True, 768, (0.0, 100.0))

The value of a state follows from the values of its successors:

- If one role decides, it makes the move that is best for itself. If several moves are equally good
  for it, each other role gets the worst of their outcomes. So no role relies on a favour. This is
  minimax for two roles, and max^n for more.
- If several roles decide at once, each gets what it can guarantee whatever the others do. This is a
  lower bound, because a mixed strategy may do better.
- If the `random` role decides, the value is the mean.
"""

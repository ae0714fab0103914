"""Books: what is known of a game before a match begins, kept in a file.

An *endgame table* has the exact value of states, solved backwards from the end; of a small game it
has all states, and the game is solved. An *opening book* has the moves that a long search preferred
in states near the start. Lecture "Game Playing": if the state is in the database, use it to find
the next move or to evaluate the board; otherwise search.

    >>> import gdl
    >>> from ggp import games
    >>> from ggp.clock import Deadline
    >>> from ggp.training.books import building
    >>> machine = gdl.load(gdl.read_kif(games.text("nim")))
    >>> book = building.build(machine, "nim", Deadline.never(), building.BuildSettings())
    >>> book.is_complete, book.endgame.num_states, book.endgame.look_up(machine.initial_state())[0]
    (True, 768, (0.0, 100.0))

What a state is worth, if all that follows is known:

- one role decides: it takes what is best for itself. Where several moves are, each of the others
  gets the worst that these leave it (so that nobody counts on a favour). That is minimax for two
  roles, and max^n for more;
- several decide at once: each gets what it can be sure of, whatever the others do meanwhile. It is
  a lower bound: a mixed strategy may do better;
- the `random` role decides: the mean.
"""

"""Games in a Jupyter notebook: positions as pictures, matches with a slider, and tables.

    from ggp import notebook

    position = notebook.game("connectFour").start().play("(drop 4)")
    position.search(seconds=1)
    match = notebook.match("connectFour", "mcts", "random")
    match.report()

Jupyter is not required: in a terminal all of these appear as text.
"""

from ggp.notebook.loaded_game import NotebookError
from ggp.notebook.notebook_match import Match, Series, match, play_many, read
from ggp.notebook.position import Game, Position, bundled

game = Game

__all__ = [
    "Game",
    "Match",
    "NotebookError",
    "Position",
    "Series",
    "bundled",
    "game",
    "match",
    "play_many",
    "read",
]

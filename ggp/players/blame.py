"""A player's mistake in one line of a log: the line that raised, what is no move.

What an author needs is the place in the player's own code, not the one in our engine that called
it, nor the one in a library that it called.
"""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Final

import gdl
from ggp.players.base import Player

MAX_SHOWN: Final = 200


def blame(error: BaseException, module: str) -> str:
    """An error in one line, such as `sampler.py:17: ValueError: oops`.

    The place is the innermost one in the package of the player's module, if there is one.
    """
    name = type(error).__name__
    text = " ".join(str(_said(error)).split())
    what = f"{name}: {text}" if text else name
    if isinstance(error, SyntaxError) and error.filename:
        return f"{_shown(error.filename)}:{error.lineno}: {name}: {error.msg}"
    package = module.partition(".")[0]
    places = [
        (frame.f_code.co_filename, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if str(frame.f_globals.get("__name__")).partition(".")[0] == package
    ]
    if not places:
        return what
    file, line = places[-1]
    return f"{_shown(file)}:{line}: {what}"


def not_made(error: BaseException, kind: type[Player]) -> str:
    """An error of a player that is made, in one line, with the cure where its class has one."""
    hint = "; write set_up() in place of __init__" if kind.__init__ is not Player.__init__ else ""
    return f"cannot be made: {blame(error, kind.__module__)}{hint}"


def _said(error: BaseException) -> object:
    """The text of an error; a KeyError shows its key as code, and a term is told as in KIF."""
    if type(error) is KeyError and error.args and isinstance(error.args[0], gdl.Term):
        return error.args[0]
    return error


def _shown(file: str) -> str:
    path = Path(file)
    folder = Path.cwd()
    return str(path.relative_to(folder) if path.is_relative_to(folder) else path)


def wrong_choice(chosen: object) -> str:
    """A description of a choice that is no legal move, without a call of a foreign class.

    >>> wrong_choice("(mark 1 1)")
    "returned a str, '(mark 1 1)'; return an element of self.legal_moves(state)"
    """
    if isinstance(chosen, gdl.Constant | gdl.Compound):
        return f"chose {str(chosen)[:MAX_SHOWN]}, which is not legal"
    kind = type(chosen)
    what = f"an object of the class {kind.__name__[:MAX_SHOWN]}"
    if chosen is None:
        what = "None"
    elif isinstance(chosen, str) and kind is str:
        what = f"a str, {chosen[:MAX_SHOWN]!r}"
    return f"returned {what}; return an element of self.legal_moves(state)"

"""One-line descriptions of a player's mistakes: exceptions, and choices that are not moves.

Authors of players need to know the line in their own code. So the descriptions name neither the
line of the engine that called the player, nor the line of a library that the player called.
"""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Final

import gdl
from ggp.players.base import Player

MAX_SHOWN: Final = 200


def blame(error: BaseException, module: str) -> str:
    """Describe an error in one line, such as `sampler.py:17: ValueError: oops`.

    The file and line are those of the innermost call in the package of the player's module. They
    are left out if there is no such call in the traceback. `module` is the name of the player's
    module.
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
    """Describe in one line why a player of the class `kind` could not be created.

    If the class defines `__init__`, advise its author to write `set_up` instead.
    """
    hint = "; write set_up() in place of __init__" if kind.__init__ is not Player.__init__ else ""
    return f"cannot be made: {blame(error, kind.__module__)}{hint}"


def _said(error: BaseException) -> object:
    """Return the error, or, if it is a KeyError for a term, the term, which prints as KIF.

    A KeyError itself prints the `repr` of its key.
    """
    if type(error) is KeyError and error.args and isinstance(error.args[0], gdl.Term):
        return error.args[0]
    return error


def _shown(file: str) -> str:
    path = Path(file)
    folder = Path.cwd()
    return str(path.relative_to(folder) if path.is_relative_to(folder) else path)


def wrong_choice(chosen: object) -> str:
    """Describe a choice that is not a legal move, without calling methods of a player's own class.

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

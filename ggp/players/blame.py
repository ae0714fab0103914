"""Which line of a player is at fault when it raises, for one line in a log.

What an author needs is the place in the player's own code, not the one in our engine that called
it, nor the one in a library that it called.
"""

from __future__ import annotations

import traceback
from pathlib import Path


def blame(error: BaseException, module: str) -> str:
    """An error in one line, such as `sampler.py:17: ValueError: oops`.

    The place is the innermost one in the package of the player's module, if there is one.
    """
    name = type(error).__name__
    text = " ".join(str(error).split())
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


def _shown(file: str) -> str:
    path = Path(file)
    folder = Path.cwd()
    return str(path.relative_to(folder) if path.is_relative_to(folder) else path)

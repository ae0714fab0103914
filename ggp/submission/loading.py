"""The player class in a submission's file."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

from ggp.errors import GgpError
from ggp.players.base import Player
from ggp.players.blame import blame

MODULE: Final = "submission"
"""Name of the module that a file becomes, whatever the file is called."""


class LoadingError(GgpError):
    """A file holds no player that could be used; the message says why."""


def load_class(file: Path, name: str = "") -> type[Player]:
    """The player class in a file.

    Args:
        file: Python source.
        name: Of the class; empty for the only one.

    Raises:
        LoadingError: The file cannot be run, or does not have the one class that is meant.
    """
    module = _run(file)
    found: dict[str, type[Player]] = {
        key: value for key, value in vars(module).items() if _is_own_player(value)
    }
    named = list(dict.fromkeys(found.values()))  # one class may have several names
    if name:
        if name not in found:
            known = f"; it has {', '.join(sorted(found))}" if found else ""
            raise LoadingError(f"there is no player class {name}{known}")
        return _complete(found[name])
    # A class that others in the file derive from, and that cannot play, is no choice.
    usable = [one for one in named if one.choose is not Player.choose]
    if not usable and named:
        return _complete(named[0])
    if not usable:
        raise LoadingError("expected a subclass of ggp.players.Player; there is none")
    if len(usable) > 1:
        several = ", ".join(one.__name__ for one in usable)
        raise LoadingError(
            f"expected one subclass of ggp.players.Player; there are {several}: "
            f"name one as {file.name}:{usable[0].__name__}"
        )
    return usable[0]


def _run(file: Path) -> ModuleType:
    spec = spec_from_file_location(MODULE, file)
    if spec is None or spec.loader is None:
        raise LoadingError(f"expected a Python file, got {file.name}")
    module = module_from_spec(spec)
    sys.modules[MODULE] = module
    try:
        spec.loader.exec_module(module)
    except MemoryError:
        raise
    # It is foreign code, which may raise anything, and may want to end the program.
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        raise LoadingError(blame(error, MODULE)) from error
    return module


def _is_own_player(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Player) and value.__module__ == MODULE


def _complete(found: type[Player]) -> type[Player]:
    if found.choose is Player.choose:
        raise LoadingError(f"{found.__name__} has no method choose(state, deadline)")
    return found

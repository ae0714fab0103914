"""Player classes in Python files: find the file that a name refers to, and load the class.

>>> named_file("bots/mine.py:Mine"), named_file("mine.py"), named_file("mine:Mine")
((PosixPath('bots/mine.py'), 'Mine'), (PosixPath('mine.py'), ''), None)
"""

from __future__ import annotations

import os
import sys
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

from ggp.errors import GgpError, reason_of
from ggp.players.base import Player
from ggp.players.blame import blame

FOLDERS_FILE: Final = "player.py"
"""Name of the file to load if only a folder is named."""


class LoadingError(GgpError):
    """The file has no usable player. The message says why."""


class SeveralPlayersError(LoadingError):
    """The file has several players, and no class name selects one of them."""


def named_file(name: str) -> tuple[Path, str] | None:
    """Parse `FILE.py` or `FOLDER/`, optionally followed by `:CLASS`, into a file and a class name.

    If no class is given, its name is empty. Return None if `name` does not name a file, but is the
    name of a player or `MODULE:CLASS`.
    """
    place, _, class_name = name.partition(":")
    path = Path(place)
    if path.suffix == ".py":
        return path, class_name
    return (path / FOLDERS_FILE, class_name) if "/" in place else None


def class_in(file: Path, class_name: str = "") -> type[Player]:
    """Return the player class in a file. Load the file only once. It can import files next to it.

    If `class_name` is empty, the file must have exactly one class with a method `choose`.

    Raises:
        LoadingError: The file has no usable player class, or several if no class is named.
    """
    file = Path(os.path.realpath(file))  # unlike Path.resolve, does not fail for a link to itself
    name = f"player_{sha256(str(file).encode()).hexdigest()[:16]}"
    if name in sys.modules:
        return _chosen(sys.modules[name], class_name)
    if not file.is_file():
        raise LoadingError(f"there is no file {file}")
    if (folder := str(file.parent)) not in sys.path:
        sys.path.append(folder)
    return load_class(file, class_name, name)


def load_class(file: Path, class_name: str, name: str) -> type[Player]:
    """Load a file as the module `name` and return the player class in it.

    Raises:
        LoadingError: The file has no usable player class, or several if no class is named.
    """
    return _chosen(_run(file, name), class_name)


def _chosen(module: ModuleType, class_name: str) -> type[Player]:
    found: dict[str, type[Player]] = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Player)
        if value.__module__ == module.__name__
    }
    named = list(dict.fromkeys(found.values()))  # one class may have several names
    if class_name:
        if class_name not in found:
            known = f"; it has {', '.join(sorted(found))}" if found else ""
            raise LoadingError(f"there is no player class {class_name}{known}")
        return _complete(found[class_name])
    # Leave out base classes of other players, which have no method `choose`.
    usable = [one for one in named if one.choose is not Player.choose]
    if not usable and named:
        return _complete(named[0])
    if not usable:
        raise LoadingError("expected a subclass of ggp.players.Player; there is none")
    if len(usable) > 1:
        several = ", ".join(one.__name__ for one in usable)
        raise SeveralPlayersError(
            f"expected one subclass of ggp.players.Player; there are {several}: "
            f"name one as {Path(str(module.__file__)).name}:{usable[0].__name__}"
        )
    return usable[0]


def _run(file: Path, name: str) -> ModuleType:
    spec = spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise LoadingError(f"expected a Python file, got {file.name}")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        file.open("rb").close()
        spec.loader.exec_module(module)
    except MemoryError:
        raise
    # This is foreign code, which may raise anything or try to end the program.
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        del sys.modules[name]
        if isinstance(error, OSError) and error.filename == str(file):
            raise LoadingError(f"{file}: {reason_of(error)}") from error
        raise LoadingError(blame(error, name)) from error
    return module


def _complete(found: type[Player]) -> type[Player]:
    if found.choose is Player.choose:
        raise LoadingError(f"{found.__name__} has no method choose(state, deadline)")
    return found

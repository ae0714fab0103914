"""Find players by name: built-in players, installed players, and classes in files and modules.

A spec is a name, optionally with options after a colon:

    >>> parse_spec("mcts:c=0.7,final=value")
    PlayerSpec(name='mcts', options={'c': '0.7', 'final': 'value'})

The name is one of `names()`, a file such as `mine.py` or `mine.py:Class`, or
`package.module:Class`.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import gdl
from ggp.errors import UnknownNameError
from ggp.players.adversarial import (
    AlphaBetaPlayer,
    ExpectimaxPlayer,
    ExpectiminimaxPlayer,
    MinimaxPlayer,
)
from ggp.players.base import Player
from ggp.players.blame import blame, not_made
from ggp.players.files import LoadingError, class_in, named_file
from ggp.players.hidden import HiddenPlayer
from ggp.players.mcts import MctsPlayer
from ggp.players.options import Option, PlayerSpecError, check_options
from ggp.players.textbook import (
    AStarPlayer,
    BestFirstPlayer,
    BreadthFirstPlayer,
    DepthFirstPlayer,
    GreedyPlayer,
    IterativeDeepeningPlayer,
    LegalPlayer,
    MonteCarloPlayer,
    RandomPlayer,
)

ENTRY_POINT_GROUP = "ggp.players"

BUILT_IN: Mapping[str, type[Player]] = {
    "alphabeta": AlphaBetaPlayer,
    "astar": AStarPlayer,
    "bestfirst": BestFirstPlayer,
    "bfs": BreadthFirstPlayer,
    "dfs": DepthFirstPlayer,
    "expectimax": ExpectimaxPlayer,
    "expectiminimax": ExpectiminimaxPlayer,
    "greedy": GreedyPlayer,
    "hidden": HiddenPlayer,
    "ids": IterativeDeepeningPlayer,
    "legal": LegalPlayer,
    "mcts": MctsPlayer,
    "minimax": MinimaxPlayer,
    "montecarlo": MonteCarloPlayer,
    "random": RandomPlayer,
}

_SPEC = re.compile(
    r"(?P<name>(?:[^\s:=,]+|[^:]+\.py|[^:]*/[^:]*)(?::[A-Za-z_]\w*)?)(?::(?P<options>[^=,:]+=.*))?",
    re.DOTALL,
)
_FORMS = "NAME, NAME:KEY=VALUE,..., FILE.py:CLASS or MODULE:CLASS"


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """The name of a player, and its options as text."""

    name: str
    options: dict[str, str] = field(default_factory=dict)


def names() -> tuple[str, ...]:
    """Return the sorted names of the built-in and installed players."""
    return tuple(sorted({*BUILT_IN, *_installed()}))


def parse_spec(text: str) -> PlayerSpec:
    """Parse `NAME`, `FILE.py`, `FILE.py:CLASS` or `MODULE:CLASS`, optionally with `:KEY=VALUE,...`.

    Raises:
        PlayerSpecError: The text has none of these forms.
    """
    match = _SPEC.fullmatch(text)
    if match is None:
        raise PlayerSpecError(f"player {text!r}: expected {_FORMS}")
    options: dict[str, str] = {}
    for item in (match["options"] or "").split(",") if match["options"] else ():
        key, equals, value = item.partition("=")
        if not equals or not key.strip() or key.strip() in options:
            raise PlayerSpecError(
                f"player {text!r}: expected KEY=VALUE, each key once, got {item!r}"
            )
        options[key.strip()] = value.strip()
    return PlayerSpec(match["name"], options)


def player_class(name: str) -> type[Player]:
    """Return the class of a player, given its name without options.

    Raises:
        PlayerSpecError: The name is unknown, or refers to something that is not a player.
    """
    if name in BUILT_IN:
        return BUILT_IN[name]
    if (named := named_file(name)) is not None:
        try:
            return _checked(class_in(*named), name)
        except LoadingError as wrong:
            raise PlayerSpecError(f"player {name!r}: {wrong}") from wrong
    if ":" in name:
        return _import(name)
    installed = _installed().get(name)
    if installed is None:
        error = UnknownNameError("player", name, names())
        raise PlayerSpecError(f"{error} (or FILE.py:CLASS for a player of your own)")
    return _import(installed.value)


def check(spec: str) -> None:
    """Raise PlayerSpecError unless `spec` names a player and correct options of that player."""
    parsed = parse_spec(spec)
    try:
        check_options(parsed.options, player_class(parsed.name).OPTIONS)
    except PlayerSpecError as error:
        raise PlayerSpecError(f"player {spec!r}: {error}") from error


def files_of(spec: str) -> dict[str, str]:
    """Return the file names in the options of a spec, by the name of the option.

    Raises:
        PlayerSpecError: `spec` does not name a player.
    """
    parsed = parse_spec(spec)
    kinds = {option.name: option.kind for option in player_class(parsed.name).OPTIONS}
    given = parsed.options.items()
    return {name: text for name, text in given if name in kinds and kinds[name].names_file(text)}


def create(
    spec: str, game: gdl.Game, role: gdl.Role, options: Mapping[str, str], seed: int | None = None
) -> Player:
    """Create a player for one match. Options in the spec override those in `options`.

    Raises:
        PlayerSpecError: The player or an option is unknown, a value is wrong, or the constructor
            raises an exception.
    """
    parsed = parse_spec(spec)
    kind = player_class(parsed.name)
    given = {**options, **parsed.options}
    try:
        check_options(given, kind.OPTIONS)
        return kind(game, role, given, seed)
    except PlayerSpecError as error:
        raise PlayerSpecError(f"player {spec!r}: {error}") from error
    except MemoryError:
        raise
    except Exception as error:  # a player may be foreign code, which may raise anything
        raise PlayerSpecError(f"player {spec!r} {not_made(error, kind)}") from error


def _installed() -> Mapping[str, EntryPoint]:
    return _installed_on(tuple(sys.path))


@cache
def _installed_on(path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    """Return the entry points of installed players, by name. `path` is only the key of the cache.

    The result is cached because this takes 10 ms, and a manager would need it for each request.
    """
    return {entry.name: entry for entry in entry_points(group=ENTRY_POINT_GROUP)}


def _import(reference: str) -> type[Player]:
    module_name, _, class_name = reference.partition(":")
    # The console script does not search the current folder, where users keep their own players.
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        module = importlib.import_module(module_name)
    except MemoryError:
        raise
    # Importing runs foreign code; a module may even end the program.
    except (Exception, SystemExit) as error:
        wrong = _meant_option(reference) or _import_failed(module_name, error)
        raise PlayerSpecError(f"player {reference!r}: {wrong}") from error
    found = getattr(module, class_name, None)
    if not isinstance(found, type) or not issubclass(found, Player):
        known = [key for key, value in vars(module).items() if _is_player_class(value)]
        hint = f"; it has {', '.join(sorted(known))}" if known else ""
        expected = (
            f"expected a subclass of ggp.players.Player named {class_name!r} in {module_name}{hint}"
        )
        raise PlayerSpecError(f"player {reference!r}: {_meant_option(reference) or expected}")
    return _checked(found, reference)


def _import_failed(module_name: str, error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name == module_name.partition(".")[0]:
        where = f"it is neither in {Path.cwd()} nor installed"
        return f"cannot import {module_name}: {error}; {where}"
    return f"cannot import {module_name}: {blame(error, module_name)}"


def _meant_option(reference: str) -> str:
    """Return an error message if `reference` seems to be an option without a value, like `mcts:c`.

    Such a text has the form MODULE:CLASS. Return "" if it does not begin with a known player.
    """
    name, _, key = reference.partition(":")
    if name not in names():
        return ""
    options = [option.name for option in player_class(name).OPTIONS]
    if key in options:
        return f"option {key} has no value; expected {name}:{key}=VALUE"
    return f"expected {name}:KEY=VALUE; {UnknownNameError('option', key, options)}"


def _checked(found: type[Player], reference: str) -> type[Player]:
    if found.choose is Player.choose:
        raise PlayerSpecError(f"player {reference!r}: it has no method choose(state, deadline)")
    options: object = found.OPTIONS  # the author may have written anything
    is_sequence = isinstance(options, (tuple, list))
    if not is_sequence or not all(isinstance(option, Option) for option in found.OPTIONS):
        raise PlayerSpecError(
            f"player {reference!r}: OPTIONS: expected a tuple of Option, such as (GAMES,), "
            f"got {options!r:.100}"
        )
    return found


def _is_player_class(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Player) and value is not Player

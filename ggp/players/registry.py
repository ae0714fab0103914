"""The players by name: those built in, those installed by others, and a class in any module.

A spec is a name, and options after a colon:

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
    """Which player, and its options as they were written."""

    name: str
    options: dict[str, str] = field(default_factory=dict)


def names() -> tuple[str, ...]:
    """The players that have a name: built in or installed, sorted."""
    return tuple(sorted({*BUILT_IN, *_installed()}))


def parse_spec(text: str) -> PlayerSpec:
    """Read `NAME`, `FILE.py`, `FILE.py:CLASS` or `MODULE:CLASS`, each with `:KEY=VALUE,...` or not.

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
    """The class of a player: built in, installed, in a file, or `MODULE:CLASS`.

    Raises:
        PlayerSpecError: No such player, or what the name leads to is no player.
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
    """Raise PlayerSpecError unless a spec names a player, and options and values that it has."""
    parsed = parse_spec(spec)
    try:
        check_options(parsed.options, player_class(parsed.name).OPTIONS)
    except PlayerSpecError as error:
        raise PlayerSpecError(f"player {spec!r}: {error}") from error


def files_of(spec: str) -> dict[str, str]:
    """The files that a spec names, by option; PlayerSpecError if it names no player."""
    parsed = parse_spec(spec)
    kinds = {option.name: option.kind for option in player_class(parsed.name).OPTIONS}
    given = parsed.options.items()
    return {name: text for name, text in given if name in kinds and kinds[name].names_file(text)}


def create(
    spec: str, game: gdl.Game, role: gdl.Role, options: Mapping[str, str], seed: int | None = None
) -> Player:
    """A player for one match. Options of the spec come before those in `options`.

    Raises:
        PlayerSpecError: There is no such player, it has no such option or value, or it raises
            something when it is made.
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
    except Exception as error:  # a player is foreign code and may raise anything
        raise PlayerSpecError(f"player {spec!r} {not_made(error, kind)}") from error


def _installed() -> Mapping[str, EntryPoint]:
    return _installed_on(tuple(sys.path))


@cache
def _installed_on(path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    """Those that Python finds there; to look takes 10 ms, and a manager asks with each request."""
    return {entry.name: entry for entry in entry_points(group=ENTRY_POINT_GROUP)}


def _import(reference: str) -> type[Player]:
    module_name, _, class_name = reference.partition(":")
    # The console script does not search the current folder, where a player of one's own lies.
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
    """The message for `mcts:c`, which has the form of MODULE:CLASS; empty if it may well be one."""
    name, _, key = reference.partition(":")
    if name not in names():
        return ""
    options = [option.name for option in player_class(name).OPTIONS]
    if key in options:
        return f"option {key} has no value; expected {name}:{key}=VALUE"
    return f"{UnknownNameError('option', key, options)}; expected {name}:KEY=VALUE"


def _checked(found: type[Player], reference: str) -> type[Player]:
    if found.choose is Player.choose:
        raise PlayerSpecError(f"player {reference!r}: it has no method choose(state, deadline)")
    options: object = found.OPTIONS  # may be anything that its author wrote
    is_sequence = isinstance(options, (tuple, list))
    if not is_sequence or not all(isinstance(option, Option) for option in found.OPTIONS):
        raise PlayerSpecError(
            f"player {reference!r}: OPTIONS: expected a tuple of Option, such as (GAMES,), "
            f"got {options!r:.100}"
        )
    return found


def _is_player_class(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Player) and value is not Player

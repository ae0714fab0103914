"""Games of OpenSpiel made from rules, for a caller or for all who ask `pyspiel.load_game`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

import pyspiel

import gdl
from ggp import games
from ggp.environments.encoding import make_encoding
from ggp.environments.observations import View, make_observation
from ggp.environments.openspiel.game import GdlGame
from ggp.environments.openspiel.positions import Positions, TurnOrder, has_percepts
from ggp.environments.openspiel.utilities import Utilities, Utility, survey
from ggp.environments.task import Rules, load_game

Dynamics = Literal["auto", "sequential", "simultaneous"]

DYNAMICS: Final[tuple[Dynamics, ...]] = ("auto", "sequential", "simultaneous")

_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)


def load(
    rules: Rules,
    short_name: str | None = None,
    *,
    dynamics: Dynamics = "auto",
    utility: Utility | None = None,
    zero_sum: bool | None = None,
    max_game_length: int | None = None,
    observation: Literal["facts", "planes"] = "facts",
    view: View = "fixed",
    engine: gdl.Engine = "scalar",
) -> GdlGame:
    """The game of OpenSpiel that has these rules.

    What the rules do not say outright is found out by a look at all states of small games, and by
    random play of others.

    Args:
        rules: The name of a bundled game, a file, the text of rules, a rulesheet or a game.
        short_name: Its name in OpenSpiel; None: `ggp_` and the name of the game.
        dynamics: `simultaneous`: players may choose at the same time; `sequential`: one after the
            other, without knowing of each other; `auto`: as is seen in the game.
        utility: The utilities of the goals 0 and 100, or a function of the goal; see `Utilities`.
        zero_sum: Whether the utilities always have the same sum; None: as is seen in the game.
        max_game_length: Joint moves after which a game ends undecided; None: as many as it takes,
            or many more than in random play.
        observation: The source of observation tensors, unless roles know only what they see: the
            `facts` of the state, or `planes` of its boards.
        view: Of `planes`; see `ggp.environments.task.make_task`, also for rules and engine.

    Raises:
        WrongUseError: There is neither such a bundled game nor such a file.
        GdlError: The rules cannot be read or played.
        GroundingError: They do not ground; the engine `interpreter` plays them nevertheless.
        ValueError: An option is none or does not fit the game, or `random` plays alone.
    """
    game = load_game(rules, engine)
    name = _short_name(game) if short_name is None else short_name
    _check(game, name, dynamics, max_game_length, observation)
    encoding = make_encoding(game)
    numbers = make_observation(game, encoding, observation, view)
    seen = survey(game)
    is_simultaneous = seen.is_simultaneous if dynamics == "auto" else dynamics == "simultaneous"
    order = TurnOrder.SERIALIZED if seen.is_simultaneous else TurnOrder.ALTERNATING
    order = TurnOrder.SIMULTANEOUS if is_simultaneous else order
    max_moves = max(1, seen.length) if max_game_length is None else max_game_length
    positions = Positions(game, encoding, max_moves, order)
    utilities = Utilities(seen, len(positions.players), _goals(game), utility, zero_sum)
    return GdlGame(name, positions, utilities, numbers)


_digests: dict[str, str] = {}
"""Of the rules of each game that was registered."""


def _digest(game: GdlGame) -> str:
    rulesheet = game.positions.game.rulesheet
    return rulesheet.digest if rulesheet is not None else f"part {id(game)}"


def register(rules: Rules, short_name: str | None = None, **options: Any) -> str:
    """Register a game for `pyspiel.load_game`, with the arguments of `load`; its name there.

    The same rules may be registered anew, with other options.

    Raises:
        ValueError: Another game is called so already.
    """
    game = load(rules, short_name, **options)
    kind = game.get_type()
    name, digest = str(kind.short_name), _digest(game)
    if name in pyspiel.registered_names() and _digests.get(name) != digest:
        raise ValueError(f"short_name: expected a new one, {name} is another game")
    _digests[name] = digest
    pyspiel.register_game(kind, _Registered(game))
    return str(kind.short_name)


def register_bundled() -> tuple[str, ...]:
    """Register all bundled games for `pyspiel.load_game`; their names there."""
    return tuple(map(register, games.names()))


class _Registered:
    """Hands out a game that was loaded before."""

    def __init__(self, game: GdlGame) -> None:
        self._game = game
        # OpenSpiel lets go of it when Python has ended, and nothing may be freed any more.
        self._itself = self

    def __call__(self, params: Mapping[str, Any]) -> GdlGame:
        return self._game


def _check(
    game: gdl.Game, name: str, dynamics: str, max_game_length: int | None, observation: str
) -> None:
    if not _NAME.fullmatch(name):
        raise ValueError(f"short_name: expected letters, digits and _, got {name!r}")
    if dynamics not in DYNAMICS:
        raise ValueError(f"dynamics: expected one of {', '.join(DYNAMICS)}, got {dynamics!r}")
    if max_game_length is not None and max_game_length < 1:
        raise ValueError(f"max_game_length: expected at least 1, got {max_game_length}")
    if observation not in {"facts", "planes"}:
        raise ValueError(f"observation: expected facts or planes, got {observation!r}")
    if observation != "facts" and has_percepts(game):
        raise ValueError("observation: planes would show what the players do not see")
    if all(map(gdl.is_random, game.roles)):
        raise ValueError("expected a game with a player, got one for random alone")


def _short_name(game: gdl.Game) -> str:
    if game.rulesheet is None:
        raise ValueError("short_name: expected one, as a part of a game has no name of its own")
    stem = Path(game.rulesheet.name).stem
    if stem.startswith("<"):
        stem = game.rulesheet.digest[:8]
    return "ggp_" + re.sub(r"\W", "_", stem, flags=re.ASCII)


def _goals(game: gdl.Game) -> list[int]:
    """All goals that a player may have; 0 to 100 if that is not known."""
    if game.circuit is None:
        return list(range(101))
    goals = game.circuit.netlist.goals
    return [goal for role, goal, _ in goals if not gdl.is_random(game.roles[role])]

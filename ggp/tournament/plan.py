"""The settings of a tournament, which a tournament file such as this one contains.

name = "Friday"
form = "round-robin"            # or gauntlet, swiss, ladder, knockout, continuous
games = ["ticTacToe", "connectFour"]
startclock = 5
playclock = 2
matches = 2                     # of each pairing and game
# minutes = 60                    # continuous only: its length
# pause = 10                      # continuous only: seconds between two matches of a player
# stop = { elo0 = 0, elo1 = 20 }  # two players only: stop once a test has decided

[[players]]
name = "mcts"
[[players]]
name = "deep"
player = "alphabeta:depth=4"    # a spec, or the address of a running player
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import PurePath
from typing import Any, Final, Literal, Self, get_args

from ggp.errors import GgpError
from ggp.protocol.dialects import DIALECTS
from ggp.rating.sprt import StopRule

Form = Literal["round-robin", "gauntlet", "swiss", "ladder", "knockout", "continuous"]
FORMS: tuple[Form, ...] = get_args(Form)
MAX_PLAYERS, MAX_GAMES = 64, 64
LIMITS: Final = {
    "startclock": (1, 3600),
    "playclock": (1, 3600),
    "matches": (1, 20_000),
    "rounds": (1, 100),
    "seed": (0, 2**31 - 1),
    "move_limit": (1, 100_000),
    "jobs": (0, 64),
    "minutes": (0, 366 * 24 * 60),
    "pause": (0, 3600),
}
"""Minimum and maximum of the fields that are integers."""
MAX_ELO = 1000
MIN_ERROR, MAX_ERROR = 0.001, 0.4


class PlanError(GgpError):
    """The tournament is not possible with these settings. The message names the setting."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player that takes part."""

    name: str
    player: str
    """A spec such as `mcts:c=0.7`, or the address of a running player."""
    dialect: str = ""
    """The dialect for a player that runs elsewhere. Empty means the dialect with which the player
    is registered, or else that of GGP-Base."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentPlan:
    """The settings of a tournament. Clocks are in seconds."""

    name: str
    games: tuple[str, ...]
    players: tuple[Entrant, ...]
    form: Form = "round-robin"
    """`round-robin`: all players meet each other. `gauntlet`: the first player meets each other
    player. `swiss`: players with similar points meet, round after round. `ladder`: neighbours meet,
    and a winner climbs. `knockout`: winners reach the next round, seeded in the order of `players`.
    `continuous`: the available players keep playing.
    """
    startclock: int = 10
    playclock: int = 5
    matches: int = 2
    """Number of matches per pairing and game, with rotating seats."""
    rounds: int = 3
    """Number of rounds of a Swiss tournament or a ladder."""
    seed: int = 0
    move_limit: int | None = None
    jobs: int = field(default=0)
    """Number of simultaneous matches. 0 means as many as leave a core to each searching player."""
    minutes: int = 0
    """Length of a continuous tournament, counted from its creation. 0 means until a user ends it.
    """
    pause: int = 0
    """Seconds between two matches of a player in a continuous tournament."""
    stop: StopRule | None = None
    """The stop rule for two players. No more matches begin once a test has accepted one of its
    hypotheses about the Elo advantage of the first player over the second.
    """

    def to_json(self) -> dict[str, Any]:
        """Return the fields in the form that `read` takes."""
        return asdict(self)

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Self:
        """Return the plan that a file or a request describes.

        Raises:
            PlanError: A field is missing, unknown, or of the wrong kind or size.
        """
        known = set(cls.__dataclass_fields__)
        for name in fields:
            if name not in known:
                raise PlanError(f"{name}: no such field; expected {', '.join(sorted(known))}")
        form = fields.get("form", "round-robin")
        if form not in FORMS:
            raise PlanError(f"form: expected one of {', '.join(FORMS)}, got {form!r}")
        numbers: dict[str, Any] = {
            name: _whole(fields[name], name)
            for name in LIMITS
            if name in fields and (name, fields[name]) != ("move_limit", None)
        }
        plan = cls(
            name=_text(fields.get("name"), "name"),
            games=_games(fields.get("games")),
            players=_players(fields.get("players")),
            form=form,
            stop=_stop_rule(fields.get("stop")),
            **numbers,
        )
        if plan.stop is not None:
            _check_stop(plan)
        return plan

    @classmethod
    def from_toml(cls, text: str, name: str) -> Self:
        """Return the plan in a TOML file.

        Args:
            text: The content of the file.
            name: The name of the file. Without folder and suffix it is the tournament's name,
                unless the text names the tournament.

        Raises:
            PlanError: The text is not TOML, or `read` rejects it.
        """
        try:
            fields = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise PlanError(f"{name}: expected TOML: {error}") from error
        try:
            return cls.read({"name": PurePath(name).stem, **fields})
        except PlanError as error:
            raise PlanError(f"{name}: {error}") from error


def _text(found: object, field_name: str) -> str:
    if not isinstance(found, str) or not 0 < len(found.strip()) <= 100:
        raise PlanError(f"{field_name}: expected a text of 1 to 100 characters, got {found!r:.50}")
    return found.strip()


def _whole(found: object, name: str) -> int:
    least, most = LIMITS[name]
    if isinstance(found, bool) or not isinstance(found, int) or not least <= found <= most:
        raise PlanError(
            f"{name}: expected a whole number from {least} to {most}, got {found!r:.50}"
        )
    return found


def _stop_rule(found: object) -> StopRule | None:
    if found is None:
        return None
    known = set(StopRule.__dataclass_fields__)
    if not isinstance(found, Mapping) or not {"elo0", "elo1"} <= set(found) <= known:
        raise PlanError(
            f"stop: expected elo0, elo1 and perhaps alpha and beta, got {found!r:.50}; for "
            "example { elo0 = 0, elo1 = 20 }"
        )
    rule = StopRule(
        elo0=_number(found["elo0"], "stop.elo0", -MAX_ELO, MAX_ELO),
        elo1=_number(found["elo1"], "stop.elo1", -MAX_ELO, MAX_ELO),
        alpha=_number(found.get("alpha", 0.05), "stop.alpha", MIN_ERROR, MAX_ERROR),
        beta=_number(found.get("beta", 0.05), "stop.beta", MIN_ERROR, MAX_ERROR),
    )
    if rule.elo1 < rule.elo0 + 1:
        raise PlanError(
            f"stop.elo1: expected at least 1 more than elo0, {rule.elo0:g}, got {rule.elo1:g}"
        )
    return rule


def _number(found: object, name: str, least: float, most: float) -> float:
    number = float(found) if isinstance(found, (int, float)) else math.nan
    if isinstance(found, bool) or not least <= number <= most:
        raise PlanError(f"{name}: expected a number from {least:g} to {most:g}, got {found!r:.50}")
    return number


def _check_stop(plan: TournamentPlan) -> None:
    """Check that the test of a stop rule can work: it needs pairs of matches of two players."""
    if len(plan.players) != 2:
        raise PlanError(f"stop: expected two players, got {len(plan.players)}")
    if plan.form not in {"round-robin", "gauntlet"}:
        raise PlanError(f"stop: expected form round-robin or gauntlet, got {plan.form!r}")
    if plan.matches % 2:
        raise PlanError(
            f"matches: expected an even number, because stop compares pairs of matches with the "
            f"seats swapped, got {plan.matches}"
        )


def _list(found: object, name: str, most: int, least: int = 1) -> list[Any]:
    if not isinstance(found, (list, tuple)) or not least <= len(found) <= most:
        raise PlanError(f"{name}: expected a list of {least} to {most}, got {found!r:.50}")
    return list(found)


def _games(found: object) -> tuple[str, ...]:
    return tuple(
        _text(game, f"games[{index}]")
        for index, game in enumerate(_list(found, "games", MAX_GAMES))
    )


def _players(found: object) -> tuple[Entrant, ...]:
    entrants: dict[str, Entrant] = {}
    for index, item in enumerate(_list(found, "players", MAX_PLAYERS, least=0)):
        place = f"players[{index}]"
        fields = {"name": item} if isinstance(item, str) else item
        if not isinstance(fields, Mapping) or set(fields) - {"name", "player", "dialect"}:
            raise PlanError(f"{place}: expected name, player and perhaps dialect, got {item!r:.50}")
        name = _text(fields.get("name", fields.get("player")), f"{place}.name")
        if name in entrants:
            raise PlanError(f"{place}.name: {name!r} takes part already; expected another name")
        player = _text(fields.get("player", name), f"{place}.player")
        dialect = fields.get("dialect", "")
        if dialect not in ("", *DIALECTS):
            known = ", ".join(DIALECTS)
            raise PlanError(f"{place}.dialect: expected one of {known}, got {dialect!r:.50}")
        entrants[name] = Entrant(name, player, dialect)
    return tuple(entrants.values())

"""The content of a tournament file, checked.

name = "Friday"
form = "round-robin"            # or gauntlet, swiss, ladder
games = ["ticTacToe", "connectFour"]
startclock = 5
playclock = 2
matches = 2                     # of each pairing and game

[[players]]
name = "mcts"
[[players]]
name = "deep"
player = "alphabeta:depth=4"    # a spec, or the address of a running player
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import PurePath
from typing import Any, Literal, Self, get_args

from ggp.errors import GgpError
from ggp.protocol.dialects import MANNERS

Form = Literal["round-robin", "gauntlet", "swiss", "ladder"]
FORMS: tuple[Form, ...] = get_args(Form)
MAX_PLAYERS, MAX_GAMES, MAX_MATCHES, MAX_ROUNDS, MAX_CLOCK = 64, 64, 1000, 100, 3600


class PlanError(GgpError):
    """A tournament cannot be held as described; the message names the field."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """One who takes part."""

    name: str
    player: str
    """A spec such as `mcts:c=0.7`, or the address of a running player."""
    dialect: str = ""
    """In which it is spoken to if it runs elsewhere; empty: as GGP-Base does, or as it is
    registered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentPlan:
    """A tournament as it is set up. Clocks are seconds."""

    name: str
    games: tuple[str, ...]
    players: tuple[Entrant, ...]
    form: Form = "round-robin"
    """round-robin: each meets each; gauntlet: the first meets each other; swiss: those of like
    points meet, round after round; ladder: neighbours meet, and a winner climbs."""
    startclock: int = 10
    playclock: int = 5
    matches: int = 2
    """Of each pairing in each game; seats go round."""
    rounds: int = 3
    """Of a swiss tournament or a ladder."""
    seed: int = 0
    move_limit: int | None = None
    jobs: int = field(default=0)
    """Matches at once; 0 for as many as leave each searching player a core."""

    def to_json(self) -> dict[str, Any]:
        """The fields, as `read` takes them."""
        return asdict(self)

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Self:
        """The plan that a file or a request describes.

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
        limit = fields.get("move_limit")
        return cls(
            name=_text(fields.get("name"), "name"),
            games=_games(fields.get("games")),
            players=_players(fields.get("players")),
            form=form,
            startclock=_whole(fields, "startclock", 10, 1, MAX_CLOCK),
            playclock=_whole(fields, "playclock", 5, 1, MAX_CLOCK),
            matches=_whole(fields, "matches", 2, 1, MAX_MATCHES),
            rounds=_whole(fields, "rounds", 3, 1, MAX_ROUNDS),
            seed=_whole(fields, "seed", 0, 0, 2**31 - 1),
            move_limit=None if limit is None else _whole(fields, "move_limit", 1, 1, 100_000),
            jobs=_whole(fields, "jobs", 0, 0, 64),
        )

    @classmethod
    def from_toml(cls, text: str, name: str) -> Self:
        """The plan in a TOML file.

        Args:
            text: What the file holds.
            name: The file; without folder and ending, the tournament is called so if the text does
                not say how.

        Raises:
            PlanError: It is no TOML, or `read` refuses it.
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


def _whole(fields: Mapping[str, Any], name: str, default: int, least: int, most: int) -> int:
    found = fields.get(name, default)
    if isinstance(found, bool) or not isinstance(found, int) or not least <= found <= most:
        raise PlanError(
            f"{name}: expected a whole number from {least} to {most}, got {found!r:.50}"
        )
    return found


def _list(found: object, name: str, most: int) -> list[Any]:
    if not isinstance(found, (list, tuple)) or not 0 < len(found) <= most:
        raise PlanError(f"{name}: expected a list of 1 to {most}, got {found!r:.50}")
    return list(found)


def _games(found: object) -> tuple[str, ...]:
    return tuple(
        _text(game, f"games[{index}]")
        for index, game in enumerate(_list(found, "games", MAX_GAMES))
    )


def _players(found: object) -> tuple[Entrant, ...]:
    entrants: dict[str, Entrant] = {}
    for index, item in enumerate(_list(found, "players", MAX_PLAYERS)):
        place = f"players[{index}]"
        fields = {"name": item} if isinstance(item, str) else item
        if not isinstance(fields, Mapping) or set(fields) - {"name", "player", "dialect"}:
            raise PlanError(f"{place}: expected name, player and perhaps dialect, got {item!r:.50}")
        name = _text(fields.get("name", fields.get("player")), f"{place}.name")
        if name in entrants:
            raise PlanError(f"{place}.name: {name!r} takes part already; expected another name")
        player = _text(fields.get("player", name), f"{place}.player")
        dialect = fields.get("dialect", "")
        if dialect not in ("", *MANNERS):
            known = ", ".join(MANNERS)
            raise PlanError(f"{place}.dialect: expected one of {known}, got {dialect!r:.50}")
        entrants[name] = Entrant(name, player, dialect)
    return tuple(entrants.values())

"""The tables of the manager's database.

Times are in milliseconds since 1970, clocks in seconds, terms in single-spaced KIF. Each turn of a
match has one row, written when the turn is over. Turn 0 is the START phase, with the initial state.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Annotated, Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    ForeignKey,
    Index,
    MetaData,
    String,
    UniqueConstraint,
    func,
    or_,
    select,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, column_property, mapped_column, relationship

from ggp.protocol.addresses import is_address
from ggp.tournament.fixture import Faults, counted_as

NAMING = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
"""Naming conventions for constraints, so that migrations can refer to them on every database."""

Names = list[str]
Rows = list[dict[str, Any]]
Big = Annotated[int, mapped_column(BigInteger)]
"""A type for milliseconds since 1970 and for seeds, which do not fit into 32 bits."""


class DatabaseTable(DeclarativeBase):
    """The base class of all tables."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map = {Names: JSON, Rows: JSON, dict[str, Any]: JSON}  # noqa: RUF012


class Status(StrEnum):
    """The status of a match or a tournament."""

    WAITING = "waiting"
    """Queued but not started."""
    RUNNING = "running"
    COMPLETED = "completed"
    ABORTED = "aborted"
    """Broken off by a user or because of a fault."""
    INTERRUPTED = "interrupted"
    """Stopped before the end, for example because the manager stopped. It can be resumed."""


class Ending(StrEnum):
    """Way in which a completed match ended."""

    RULES = "rules"
    RESIGNED = "resigned"
    TIME = "time"
    """A person's clock ran out."""
    AGREED = "agreed"
    """The people agreed on a draw."""


class Unrated(StrEnum):
    """A reason why a match counts for no rating."""

    WANTED = "it was set up so"
    SCRIMMAGE = "it is a scrimmage"
    TRIAL = "it is a trial for a pass mark"
    SEEDED = "who set it up chose the seed"
    """A student chose the seed, perhaps from an earlier match that the student knows how to win."""
    TAKEN_OUT = "a lecturer has taken it out"
    HINT = "a hint was asked for"
    TAKEN_BACK = "moves were taken back"
    """Only one person plays, so no opponent had to agree. Programs are not asked."""


class Visibility(StrEnum):
    """Who sees the results of a tournament. Lecturers and hosts always do."""

    EVERYONE = "everyone"
    PARTICIPANTS = "participants"
    """Only the people whose players take part."""
    LECTURERS = "lecturers"
    """No one else."""


_UPLOAD: Final = "submission-"
"""Prefix of an uploaded player's source. The hash of the file and the class follow it."""


def is_upload(source: str) -> bool:
    """Return whether a source names an uploaded player."""
    return source.startswith(_UPLOAD)


def digest_of(source: str) -> str:
    """Return the hash that names the file of an uploaded player."""
    return source.removeprefix(_UPLOAD).partition(":")[0]


OVER = frozenset({Status.COMPLETED, Status.ABORTED})
"""The final statuses of matches and tournaments."""
OPEN = frozenset({Status.WAITING, Status.RUNNING})
"""The statuses of matches that wait or run."""


class RulesheetRow(DatabaseTable):
    """The rules of a game, stored once for all matches that use them."""

    __tablename__ = "rulesheets"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100), index=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of the name and the text, in hexadecimal."""
    text: Mapped[str]
    is_bundled: Mapped[bool] = mapped_column(default=False)
    created: Mapped[Big]
    edition: Mapped[int]
    """Among the rulesheets with one name, the one with the highest edition is the current one."""


class PlayerRow(DatabaseTable):
    """A player: the address of a running one, or the spec of one that the manager starts."""

    __tablename__ = "players"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(60), unique=True)
    source: Mapped[str] = mapped_column(String(500))
    """`http://HOST:PORT`, a spec such as `mcts:c=0.7`, or the source of an uploaded player."""
    dialect: Mapped[str] = mapped_column(String(10))
    """The dialect in which the manager talks to the player: a name in `ggp.protocol.dialects`."""
    created: Mapped[Big]
    is_retired: Mapped[bool] = mapped_column(default=False)
    owner_id: Mapped[int | None] = mapped_column(index=True)
    """The account of the student who registered the player. None if it belongs to everybody."""
    version: Mapped[int] = mapped_column(default=1)
    """The number of the current version. See `ggp.manager.store.versions`."""

    @property
    def network_dialect(self) -> str:
        """The dialect of a player at an address. Empty for other players."""
        return self.dialect if is_address(self.source) else ""


class TurnRow(DatabaseTable):
    """A finished turn: its moves, and the state after it."""

    __tablename__ = "turns"

    match_id: Mapped[int] = mapped_column(
        ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True)
    """0 is the START phase."""
    moves: Mapped[Names]
    """The joint move in role order. Empty for turn 0."""
    facts: Mapped[Names]
    """The state after the turn, without `true`."""
    errors: Mapped[Names]
    """One text per role: empty, `IL ...`, `TO`, `CE` or `FB ...`."""
    replies: Mapped[Rows]
    """Details of each answer: its seconds, its search, and why the manager replaced it."""
    percepts: Mapped[list[Names]] = mapped_column(JSON, default=list)
    """What each role saw in the turn. Empty if the game has no hidden information."""
    time: Mapped[Big]


class SeatRow(DatabaseTable):
    """A seat: a role in a match, and its player. The `random` role has no seat."""

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("match_id", "role_index"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), index=True)
    role_index: Mapped[int]
    role: Mapped[str] = mapped_column(String(100))
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"), index=True)
    """None for a person, and for the players of imported matches."""
    player_name: Mapped[str] = mapped_column(String(60))
    source: Mapped[str] = mapped_column(String(500), default="")
    """The player's source when the match began."""
    dialect: Mapped[str] = mapped_column(String(10), default="")
    """The dialect in which the manager talks to the player in this match."""
    version: Mapped[int | None]
    """The player's version in the match. None if no registered player plays, and in old matches."""
    goal: Mapped[int | None]
    timeouts: Mapped[int] = mapped_column(default=0)
    illegal: Mapped[int] = mapped_column(default=0)
    connection: Mapped[int] = mapped_column(default=0)
    is_absent: Mapped[bool] = mapped_column(default=False)
    """Whether the player counts as absent: too many answers were replaced. Set at the end."""
    attempts: Mapped[str] = mapped_column(default="")
    """What an uploaded player attempted although it is forbidden, one attempt per line."""
    key: Mapped[str] = mapped_column(String(32), default="")
    """The secret that identifies the person in the seat. Empty if a program plays."""
    account_id: Mapped[int | None] = mapped_column(index=True)
    """The account of the person, who can move without the key. None if there is no account."""
    clock_left: Mapped[Big | None]
    """Milliseconds on the person's clock. None without a clock, and before the first move."""
    player_owner: Mapped[int | None] = column_property(
        select(PlayerRow.owner_id)
        .where(PlayerRow.id == player_id)
        .correlate_except(PlayerRow)
        .scalar_subquery()
    )
    """The account of the student who registered the player. None if it belongs to everybody."""

    @property
    def is_uploaded(self) -> bool:
        """Whether the player is an uploaded file."""
        return is_upload(self.source)

    @property
    def network_dialect(self) -> str:
        """The dialect of a player at an address. Empty for other players."""
        return self.dialect if is_address(self.source) else ""

    @property
    def faults(self) -> Faults:
        """Number of the player's answers that were replaced, by kind of fault."""
        return Faults(self.timeouts, self.illegal, self.connection)

    @property
    def forbidden(self) -> list[str]:
        """The player's forbidden attempts, one text each."""
        return [text for text in self.attempts.split("\n") if text]

    @property
    def shown_name(self) -> str:
        """The name of the player, with its version if it is known."""
        return self.player_name if self.version is None else f"{self.player_name} v{self.version}"

    @property
    def is_person(self) -> bool:
        """Whether a person plays by hand in the seat, identified by a key."""
        return bool(self.key)


class MatchRow(DatabaseTable):
    """A match. Its turns store what happened in it."""

    __tablename__ = "matches"
    __table_args__ = (Index("ix_matches_annulled", "tournament_id", "annulled"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[str] = mapped_column(String(200), unique=True)
    rulesheet_id: Mapped[int] = mapped_column(ForeignKey("rulesheets.id"))
    game: Mapped[str] = mapped_column(String(100), index=True)
    roles: Mapped[Names]
    startclock: Mapped[int]
    playclock: Mapped[int]
    dialect: Mapped[str] = mapped_column(String(10), default="")
    """The requested dialect. Empty to use each player's own."""
    is_scrambled: Mapped[bool] = mapped_column(default=False)
    hides: Mapped[bool] = mapped_column(default=False)
    """Whether the game hides information from roles (GDL-II)."""
    spectators: Mapped[str] = mapped_column(String(10), default="nothing")
    """What spectators see of an unfinished match with hidden information: `nothing` or `all`."""
    seed: Mapped[Big | None]
    move_limit: Mapped[int | None]
    status: Mapped[str] = mapped_column(String(12), index=True)
    reason: Mapped[str] = mapped_column(default="")
    goals: Mapped[list[int] | None] = mapped_column(JSON)
    random_token: Mapped[str] = mapped_column(String(32))
    created: Mapped[Big] = mapped_column(index=True)
    ended: Mapped[Big | None]
    tournament_id: Mapped[int | None] = mapped_column(ForeignKey("tournaments.id"), index=True)
    annulled: Mapped[int | None]
    """The number of the tournament's fixture for which the match no longer counts. None if it
    counts."""
    unrated: Mapped[str] = mapped_column(String(40), default="")
    """The reason why the match counts for no rating, one of `Unrated`. Empty if it may count."""
    origin: Mapped[int | None]
    """The number of the match in whose position this one began. None if it began normally."""
    origin_turn: Mapped[int | None]
    """The last turn that was copied from `origin`."""
    owner_id: Mapped[int | None] = mapped_column(index=True)
    """The account that set up the match. None without an account and in tournaments."""
    clock: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    """The clock of the people, as `PersonClock` describes it. None if they have no clock."""
    ending: Mapped[str] = mapped_column(String(10), default="")
    """How a completed match ended, one of `Ending`. Empty if it is not completed."""
    rematch: Mapped[int | None]
    """The number of the rematch that the people agreed on."""
    is_revealed: Mapped[bool] = mapped_column(default=False)
    """Whether the people agreed to show everything although the match was broken off."""
    extra: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """Fields of an imported record that the manager does not use."""
    seats: Mapped[list[SeatRow]] = relationship(order_by=SeatRow.role_index, lazy="raise")
    rulesheet: Mapped[RulesheetRow] = relationship(lazy="raise")
    last_turn: Mapped[int | None] = column_property(
        select(func.max(TurnRow.number))
        .where(TurnRow.match_id == id)
        .correlate_except(TurnRow)
        .scalar_subquery(),
        deferred=True,
        raiseload=True,
    )
    """Number of the last turn. None until START is answered. Queries load it only on request."""

    @property
    def num_turns(self) -> int:
        """Number of turns played, without START."""
        return self.last_turn or 0

    @property
    def has_begun(self) -> bool:
        """Whether the players have answered START."""
        return self.last_turn is not None

    @property
    def is_annulled(self) -> bool:
        """Whether the match no longer counts for its tournament or for ratings."""
        return self.annulled is not None

    @property
    def counted_as(self) -> str:
        """A text that says how the match counts if a player was absent. Otherwise empty."""
        if self.is_annulled:
            return ""
        goals = [seat.goal or 0 for seat in self.seats]
        return counted_as(goals, [seat.is_absent for seat in self.seats])

    @property
    def people(self) -> list[SeatRow]:
        """The seats of people, who play by hand."""
        return [seat for seat in self.seats if seat.is_person]

    @property
    def is_pruned(self) -> bool:
        """Whether the match is completed and its turns were removed."""
        return self.status == Status.COMPLETED and not self.has_begun

    @property
    def known_turns(self) -> str:
        """A text for messages that says which turns the match has."""
        if self.has_begun:
            return f"it has turns 0 to {self.num_turns}"
        return "its turns were deleted" if self.is_pruned else "it has not begun"


def is_shown(hidden: Collection[int]) -> ColumnElement[bool]:
    """Return the condition that a match is of none of the tournaments in `hidden`."""
    return or_(MatchRow.tournament_id.is_(None), MatchRow.tournament_id.not_in(hidden))


class MoveRow(DatabaseTable):
    """The last move of a person, stored at once and used until its turn is over.

    A row with turn 0 has no move. It shows that a move was made and taken back.
    """

    __tablename__ = "moves"

    match_id: Mapped[int] = mapped_column(
        ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True
    )
    role_index: Mapped[int] = mapped_column(primary_key=True)
    turn: Mapped[int]
    move: Mapped[str]


class TournamentRow(DatabaseTable):
    """A tournament as it was set up."""

    __tablename__ = "tournaments"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100), unique=True)
    plan: Mapped[dict[str, Any]]
    """The content of the tournament's file: form, games, players, clocks and seed."""
    status: Mapped[str] = mapped_column(String(12), index=True)
    reason: Mapped[str] = mapped_column(default="")
    created: Mapped[Big]
    ended: Mapped[Big | None]
    closes: Mapped[Big | None]
    visibility: Mapped[str] = mapped_column(String(12), default=Visibility.EVERYONE)
    """Who sees the results before their release, one of `Visibility`."""
    held_since: Mapped[Big | None]
    """When a lecturer held back the results last. None if that has not happened."""
    release: Mapped[Big | None]
    """When everyone may see the results. None for the next release in the calendar or, without one,
    until a lecturer releases them."""
    is_announced: Mapped[bool] = mapped_column(default=True)
    """Whether the participants were told of the release. True if nothing was held back."""
    is_open: Mapped[bool] = mapped_column(default=False)
    """Whether players and people sign up, and the tournament has not begun."""
    clock: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    """The clock of the people, as `PersonClock` describes it. None if only programs take part."""


class FixtureRow(DatabaseTable):
    """A match that a tournament plans, linked to the match that was set up for it."""

    __tablename__ = "fixtures"
    __table_args__ = (
        Index("ix_fixtures_order", "tournament_id", "number", unique=True),
        Index("ix_fixtures_open", "tournament_id", "is_counted"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id", ondelete="CASCADE"))
    number: Mapped[int]
    """Counted from 0, in the order of play."""
    round: Mapped[int]
    game: Mapped[str] = mapped_column(String(100))
    players: Mapped[Names]
    """The names of the players, in role order."""
    seed: Mapped[Big]
    match_id: Mapped[int | None] = mapped_column(ForeignKey("matches.id"))
    points: Mapped[list[float] | None] = mapped_column(JSON)
    """Unused. Always None."""
    is_counted: Mapped[bool] = mapped_column(default=False)
    """Whether the result is included in the sums of a continuous tournament."""
    match: Mapped[MatchRow | None] = relationship(lazy="raise")

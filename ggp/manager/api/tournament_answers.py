"""Answers about tournaments: plans, fixtures, tables, brackets and entrants."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import AliasPath, Field

from ggp.manager.api.models import AnswerModel, Figure, Rounded
from ggp.manager.domain.held_results import HELD
from ggp.manager.domain.tournaments import TournamentState
from ggp.manager.store.tables import OVER, TournamentRow
from ggp.tournament.table import Crosstable


class TournamentAnswer(AnswerModel):
    """A tournament without its fixtures."""

    number: Annotated[int, Field(validation_alias="id")]
    name: str
    plan: dict[str, Any]
    """The plan. Its `seed` is null until the tournament is over."""
    status: str
    """The status, or `held back` if the caller may not see the results."""
    reason: str
    created: int
    ended: int | None
    closes: int | None
    results: Annotated[str, Field(validation_alias="visibility")]
    """Who sees the results, next to lecturers."""
    sign_up: Annotated[bool, Field(validation_alias="is_open")]
    """Whether players sign up, and the tournament has not begun."""
    clock: dict[str, Any] | None
    """The clock of the people. Null if only programs take part."""

    @classmethod
    def of(cls, row: TournamentRow, why_hidden: str = "") -> TournamentAnswer:
        """Return what the caller may know of a tournament.

        Args:
            why_hidden: Why the caller may not see the results. Empty if the caller may.
        """
        answer = cls.model_validate(row)
        if row.status in OVER and not why_hidden:
            return answer
        # The seed would reveal the random moves in all its matches.
        changes: dict[str, Any] = {"plan": {**answer.plan, "seed": None}}
        if why_hidden:
            changes |= {"status": HELD, "reason": why_hidden, "ended": None}
        return answer.model_copy(update=changes)


class FaultsAnswer(AnswerModel):
    """Numbers of a player's answers that were replaced, by kind of fault."""

    timeouts: int
    """Late answers (`TO`)."""
    illegal: int
    """Illegal moves (`IL`)."""
    connection: int
    """Failed or broken connections (`CE`)."""


class FixtureAnswer(AnswerModel):
    """A match that a tournament plans, and its outcome so far."""

    number: Annotated[int, Field(validation_alias=AliasPath("fixture", "number"))]
    round: Annotated[int, Field(validation_alias=AliasPath("fixture", "round"))]
    game: Annotated[str, Field(validation_alias=AliasPath("fixture", "game"))]
    players: Annotated[list[str], Field(validation_alias=AliasPath("fixture", "players"))]
    match: int | None
    status: str
    """The status of the match. `annulled` if the match no longer counts and is not replaced."""
    goals: list[int] | None
    """The players' goals as played."""
    counted: list[int] | None
    """The players' goals as the table counts them."""
    faults: list[FaultsAnswer]
    annulled: list[int]


class TableRowAnswer(AnswerModel):
    """One player's row in the table."""

    name: str
    matches: int
    points: float
    wins: int
    draws: int
    losses: int
    elo: Rounded | None
    low: Rounded | None
    high: Rounded | None
    timeouts: int
    illegal: int
    connection: int
    absent: int
    """Number of matches in which the player was absent."""
    mean: float | None
    """Mean points per match, which determine the ranks except in knockout and continuous
    tournaments. Null without matches."""
    paused: int
    """How often the player had no match in a game of a round (Swiss and ladder)."""


class TableCellAnswer(AnswerModel):
    """The result of a player's meetings with an opponent."""

    player: str
    opponent: str
    score: float
    meetings: int


class StopTestAnswer(AnswerModel):
    """Progress of the test that may stop a tournament of two players."""

    pairs: int
    """Number of pairs of matches. The two matches of a pair have swapped seats."""
    llr: Figure
    """Logarithm of the likelihood ratio."""
    bounds: Annotated[tuple[Figure, Figure], Field(validation_alias=AliasPath("rule", "bounds"))]
    """Bounds of `llr`. At the first, the test accepts elo0; at the second, elo1."""
    verdict: Literal["elo0", "elo1"] | None
    """The accepted hypothesis. Null while the test is running."""


class TableAnswer(AnswerModel):
    """The table of a tournament, best player first."""

    rows: list[TableRowAnswer]
    cells: list[TableCellAnswer]
    test: StopTestAnswer | None

    @classmethod
    def of(cls, table: Crosstable) -> TableAnswer:
        """Create the answer from the table of a tournament."""
        rows = []
        for row in table.rows:
            fields = asdict(row)
            rating, faults = fields.pop("rating") or {}, fields.pop("faults")
            figures: dict[str, Any] = {name: rating.get(name) for name in ("elo", "low", "high")}
            rows.append(TableRowAnswer(**fields, **figures, **faults, mean=row.mean))
        cells = [
            TableCellAnswer(player=one, opponent=other, score=cell.score, meetings=cell.meetings)
            for (one, other), cell in table.cells.items()
        ]
        test = StopTestAnswer.model_validate(table.test) if table.test else None
        return cls(rows=rows, cells=cells, test=test)


class PairingAnswer(AnswerModel):
    """Two players of a knockout, one of whom advances."""

    first: str | None
    """The player that is seeded higher. Null while it is not known."""
    second: str | None
    """The other player. Null while it is not known, and if the first has a bye."""
    goals: list[int]
    matches: int
    winner: str | None
    decision: Literal["", "bye", "points", "seeding"]


class BracketRoundAnswer(AnswerModel):
    """A round of a knockout."""

    heading: str
    pairings: list[PairingAnswer]


class EntrantAnswer(AnswerModel):
    """A present or former entrant of a continuous tournament."""

    name: str
    player: str
    dialect: str
    state: Literal["in", "away", "left"]
    reason: str
    since: int
    retry: int | None
    """The time of the manager's next check whether an absent entrant answers."""


class TournamentStateAnswer(AnswerModel):
    """A tournament with its fixtures, table and entrants."""

    tournament: TournamentAnswer
    fixtures: list[FixtureAnswer]
    """In the order of play. Only the last 50 for a continuous tournament."""
    planned: int
    table: TableAnswer
    bracket: list[BracketRoundAnswer]
    pool: list[EntrantAnswer]
    """The entrants of a continuous tournament, or those who have signed up."""

    @classmethod
    def hidden(cls, row: TournamentRow, why: str) -> TournamentStateAnswer:
        """Create the answer for a caller who may not see the results."""
        nothing = TableAnswer(rows=[], cells=[], test=None)
        return cls(
            tournament=TournamentAnswer.of(row, why),
            fixtures=[],
            planned=0,
            table=nothing,
            bracket=[],
            pool=[],
        )

    @classmethod
    def of(cls, state: TournamentState) -> TournamentStateAnswer:
        """Create the answer from the state of a tournament."""
        bracket = state.bracket
        rounds = () if bracket is None else zip(bracket.headings(), bracket.rounds, strict=True)
        return cls(
            tournament=TournamentAnswer.of(state.row),
            fixtures=FixtureAnswer.each(state.fixtures),
            planned=state.planned,
            table=TableAnswer.of(state.table),
            bracket=[
                BracketRoundAnswer(
                    heading=heading,
                    pairings=PairingAnswer.each(pairings),
                )
                for heading, pairings in rounds
            ],
            pool=EntrantAnswer.each(state.pool),
        )

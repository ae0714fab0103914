"""Contents of answers about tournaments."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import AliasPath, Field

from ggp.manager.api.answers import AnswerModel, FaultsAnswer, Figure, Rounded
from ggp.manager.domain.tournament_state import TournamentState
from ggp.tournament.table import Crosstable


class TournamentAnswer(AnswerModel):
    """A tournament without its fixtures."""

    number: Annotated[int, Field(validation_alias="id")]
    name: str
    plan: dict[str, Any]
    status: str
    reason: str
    created: int
    ended: int | None
    closes: int | None
    """From when on a continuous one makes no more matches."""


class FixtureAnswer(AnswerModel):
    """A match that a tournament wants, and what has become of it."""

    number: Annotated[int, Field(validation_alias=AliasPath("fixture", "number"))]
    round: Annotated[int, Field(validation_alias=AliasPath("fixture", "round"))]
    game: Annotated[str, Field(validation_alias=AliasPath("fixture", "game"))]
    players: Annotated[list[str], Field(validation_alias=AliasPath("fixture", "players"))]
    match: int | None
    status: str
    goals: list[int] | None
    faults: list[FaultsAnswer]
    """Of its players, so far."""
    annulled: list[int]
    """The numbers of its matches that do not count any more."""


class TableRowAnswer(AnswerModel):
    """One player's place."""

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


class TableCellAnswer(AnswerModel):
    """The result of a player's meetings with another."""

    player: str
    opponent: str
    score: float
    meetings: int


class StopTestAnswer(AnswerModel):
    """How far the test is by which a tournament of two players may stop."""

    pairs: int
    """Of matches with the seats swapped."""
    llr: Figure
    """The logarithm of the likelihood ratio."""
    bounds: Annotated[tuple[Figure, Figure], Field(validation_alias=AliasPath("rule", "bounds"))]
    """Of it: elo0 is accepted at the first, elo1 at the second."""
    verdict: Literal["elo0", "elo1"] | None
    """Which is accepted; null as long as the test goes on."""


class TableAnswer(AnswerModel):
    """The best first."""

    rows: list[TableRowAnswer]
    cells: list[TableCellAnswer]
    test: StopTestAnswer | None
    """Of a tournament with a stop rule."""

    @classmethod
    def of(cls, table: Crosstable) -> TableAnswer:
        """From the table of a tournament."""
        rows = [
            TableRowAnswer(
                name=row.name,
                matches=row.matches,
                points=row.points,
                wins=row.wins,
                draws=row.draws,
                losses=row.losses,
                elo=row.rating.elo if row.rating else None,
                low=row.rating.low if row.rating else None,
                high=row.rating.high if row.rating else None,
                **asdict(row.faults),
            )
            for row in table.rows
        ]
        cells = [
            TableCellAnswer(player=one, opponent=other, score=cell.score, meetings=cell.meetings)
            for (one, other), cell in table.cells.items()
        ]
        test = StopTestAnswer.model_validate(table.test) if table.test else None
        return cls(rows=rows, cells=cells, test=test)


class PairingAnswer(AnswerModel):
    """Two players of a knockout, one of whom goes on."""

    first: str | None
    """Seeded higher than the second; null as long as it is not known."""
    second: str | None
    """Null where the first has a bye, too."""
    goals: list[int]
    matches: int
    winner: str | None
    decision: Literal["", "bye", "points", "seeding"]


class BracketRoundAnswer(AnswerModel):
    """A round of a knockout."""

    heading: str
    pairings: list[PairingAnswer]


class EntrantAnswer(AnswerModel):
    """One who takes part in a continuous tournament, or did."""

    name: str
    player: str
    dialect: str
    state: Literal["in", "away", "left"]
    reason: str
    """Why it is not in."""
    since: int
    retry: int | None
    """When it is asked again whether it answers."""


class TournamentStateAnswer(AnswerModel):
    """A tournament with all that has come of it."""

    tournament: TournamentAnswer
    fixtures: list[FixtureAnswer]
    """In the order of play; of a continuous tournament the last 50."""
    planned: int
    """How many fixtures there are."""
    table: TableAnswer
    bracket: list[BracketRoundAnswer]
    """Of a knockout, from the first round to the final."""
    pool: list[EntrantAnswer]
    """Of a continuous tournament."""

    @classmethod
    def of(cls, state: TournamentState) -> TournamentStateAnswer:
        """From where it stands."""
        bracket = state.bracket
        rounds = () if bracket is None else zip(bracket.headings(), bracket.rounds, strict=True)
        return cls(
            tournament=TournamentAnswer.model_validate(state.row),
            fixtures=[FixtureAnswer.model_validate(entry) for entry in state.fixtures],
            planned=state.planned,
            table=TableAnswer.of(state.table),
            bracket=[
                BracketRoundAnswer(
                    heading=heading,
                    pairings=[PairingAnswer.model_validate(one) for one in pairings],
                )
                for heading, pairings in rounds
            ],
            pool=[EntrantAnswer.model_validate(row) for row in state.pool],
        )

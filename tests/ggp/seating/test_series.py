"""Series of matches: what running players are told, and matches that have no result."""

from __future__ import annotations

import pytest

import gdl
from ggp.errors import WrongUseError
from ggp.match.errors import MatchError
from ggp.protocol.dialects import DIALECTS
from ggp.rulesheets import NamedGame
from ggp.seating.contestant import SeatReports, contestants_named
from ggp.seating.series import SeriesMatch, Terms, play_series
from tests.fakes.foreign import Foreign, running, says
from tests.ggp.manager.hosting.test_foreign import GUESSER, LOUD_GUESSER, SECRET


def _say(text: str) -> None:
    """No warnings are read here."""


async def _told(dialect: str, script: dict[str, object]) -> tuple[list[str], SeriesMatch]:
    """The bodies that a guesser is sent, and the match."""
    rulesheet = gdl.read_kif(SECRET)
    game = NamedGame("secret", rulesheet, gdl.load(rulesheet, "interpreter"))
    player = Foreign({"START": says("ready"), **script})  # type: ignore[dict-item]
    async with running(player) as address:
        contestants = await contestants_named([address, "legal"], dialect, _say)
        terms = Terms(startclock=2, playclock=2, seed=1, dialect=dialect)
        reports = SeatReports(_say, _say, _say)
        series = play_series(game, contestants, terms, lambda _, __: None, reports)
        [sitting] = [one async for one in series]
    name = sitting.record.match_id
    return [body.replace(name, "M") for body in player.bodies if "INFO" not in body], sitting


@pytest.mark.parametrize(
    ("dialect", "script", "told"),
    [
        (
            "ggp-base",
            GUESSER,
            ["( PLAY M NIL )", "( PLAY M (hidden ) )", "( STOP M ( ) )"],
        ),
        ("dresden", LOUD_GUESSER, ["(PLAY M NIL)", "(PLAY M (HIDDEN))", "(STOP M ())"]),
        (
            "gdl-ii",
            LOUD_GUESSER,
            ["(PLAY M 0 NIL NIL)", "(PLAY M 1 NOOP (HIDDEN))", "(STOP M 2 (GUESS 2) ())"],
        ),
    ],
)
async def test_a_running_player_is_told_its_percepts_only(
    dialect: str, script: dict[str, object], told: list[str]
) -> None:
    """In each dialect that has words for that, byte by byte; the record tells all."""
    bodies, sitting = await _told(dialect, script)

    assert bodies[1:] == told
    assert sitting.record.moves == (("noop", "(hide 1)"), ("(guess 2)", "noop"))
    assert not any(map(any, sitting.record.errors))


SOMETIMES = """
(role me) (role you) (role random) (init (s 0)) (legal random a) (legal random b)
(<= (next (s a)) (does random a)) (<= (next (s b)) (does random b))
(legal you go) (goal you 0)
"""
NO_GOAL = "(legal me go) (<= terminal (not (true (s 0)))) (<= (goal me 100) (true (s a)))"
NO_MOVE = "(<= (legal me go) (not (true (s b)))) (<= terminal (true (s a))) (goal me 100)"
ENDLESS = "(legal me go) (goal me 50)"


async def _goals(rules: str, warnings: list[str], matches: int = 8) -> list[int | None]:
    """The goal of `me` in each match of a series."""
    rulesheet = gdl.read_kif(SOMETIMES + rules)
    game = NamedGame("sometimes", rulesheet, gdl.load(rulesheet, "interpreter"))
    contestants = await contestants_named(["legal", "random"], "ggp-base", _say)
    terms = Terms(startclock=9, playclock=9, seed=1, matches=matches, move_limit=2)
    series = play_series(
        game, contestants, terms, lambda _, __: None, SeatReports(_say, warnings.append, _say)
    )
    return [sitting.goal("me") async for sitting in series]


@pytest.mark.parametrize(
    ("rules", "reason"),
    [(NO_GOAL, "role me no goal value in"), (NO_MOVE, "role me no legal move on turn 2")],
)
async def test_a_match_that_the_rules_spoil_has_no_result_and_the_next_follows(
    rules: str, reason: str
) -> None:
    """A warning says which match and why."""
    warnings: list[str] = []

    goals = await _goals(rules, warnings)

    spoilt = [number for number, goal in enumerate(goals, start=1) if goal is None]
    assert (len(goals), {*goals}) == (8, {100, None})
    assert [line.partition(": ")[0] for line in warnings] == [
        f"match {number} has no result" for number in spoilt
    ]
    assert all(reason in line for line in warnings)


async def test_rules_that_spoil_every_match_are_an_error_after_the_last() -> None:
    """The move limit is none: the match was fine."""
    warnings: list[str] = []

    with pytest.raises(MatchError, match="role me no legal move on turn 1"):
        await _goals("(<= terminal (true (s a)))", warnings, matches=3)
    assert len(warnings) == 3
    assert await _goals(ENDLESS, [], matches=2) == [None, None]


@pytest.mark.parametrize("dialect", list(DIALECTS))
async def test_two_players_at_one_address_are_refused_in_every_dialect(dialect: str) -> None:
    """Before anything is sent; no program listens there."""
    with pytest.raises(WrongUseError, match="player 1 and player 3 at one address"):
        await contestants_named(["http://[::1]:9", "legal", "localhost:9/"], dialect, _say)

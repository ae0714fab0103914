"""`ggp match` of a game of hidden information with a running player: what that player is told."""

from __future__ import annotations

import pytest

import gdl
from ggp.rulesheets import NamedGame
from ggp.seating.contestant import Reports, contestants_named
from ggp.seating.series import Sitting, Terms, play_series
from tests.fakes.foreign import Foreign, running, says
from tests.ggp.manager.hosting.test_foreign import GUESSER, LOUD_GUESSER, SECRET


def _say(text: str) -> None:
    """No warnings are read here."""


async def _told(dialect: str, script: dict[str, object]) -> tuple[list[str], Sitting]:
    """The bodies that a guesser is sent, and the match."""
    rulesheet = gdl.read_kif(SECRET)
    game = NamedGame("secret", rulesheet, gdl.load(rulesheet, "interpreter"))
    player = Foreign({"START": says("ready"), **script})  # type: ignore[dict-item]
    async with running(player) as address:
        contestants = await contestants_named([address, "legal"], dialect, _say)
        terms = Terms(startclock=2, playclock=2, seed=1, dialect=dialect)
        reports = Reports(_say, _say, _say)
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

"""Whatever players answer, late or never: the referee keeps the match going."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from ggp.match.referee import Referee
from ggp.match.seat import Answer, TurnReport
from tests.fakes.clock import fake_clock
from tests.fakes.seats import GONE, LATE, ScriptedSeat
from tests.ggp.match.countdown import play, setup

__all__ = ["fake_clock"]

pytestmark = pytest.mark.usefixtures("fake_clock")


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("foo", "IL foo"),
        ("(Foo)", "IL ( Foo )"),
        ("(bar 01)", "IL ( bar 01 )"),
        ("( BAR 1 )", "IL ( BAR 1 )"),
        ("nil", "IL nil"),
        ("(bar 1", "IL null"),
        ("", "IL null"),
        (")", "IL null"),
        (LATE, "TO"),
        (GONE, "CE"),
    ],
)
async def test_a_bad_answer_is_recorded_and_a_legal_move_made(answer: str, error: str) -> None:
    """Illegal, late and missing answers have the marks of GGP-Base; the match goes on."""
    left = ScriptedSeat(answer, "Foo")

    record = await play(left, ScriptedSeat("noop"))

    assert record.errors == (("", ""), (error, ""), ("", ""))
    assert record.moves[0][0] in {"Foo", "(bar 1)"}
    assert left.messages[2] == ("play", record.moves[0])
    assert record.is_completed


class FallingBackSeat(ScriptedSeat):
    """A player of ours for which the first legal move is made."""

    async def play(self, report: TurnReport) -> Answer:
        """The move, and that it was not chosen."""
        return Answer(report.legal[0], fallback="first legal")


async def test_a_move_that_our_player_did_not_choose_is_recorded() -> None:
    """It counts, with a mark that GGP-Base does not have."""
    record = await play(FallingBackSeat(), ScriptedSeat("noop"))

    assert record.errors == (("", ""), *[("FB first legal", "")] * 2)


@pytest.mark.parametrize(
    "answer",
    ["( bar 1 )", "(bar\r\n1)", "  (bar 1)\r\n", "(bar 1))", "(bar 1) (Foo)", "(bar 1) ; why"],
)
async def test_blanks_and_what_follows_the_term_do_not_matter(answer: str) -> None:
    """The first complete term is the move, however it is spaced."""
    record = await play(ScriptedSeat(answer), ScriptedSeat("noop"))

    assert record.moves[0] == ("(bar 1)", "noop")
    assert record.errors[1] == ("", "")


async def test_an_endless_answer_costs_little_and_is_not_kept() -> None:
    """A megabyte of open parentheses is one short error."""
    record = await play(ScriptedSeat("(" * 1_000_000 + "x", "x" * 100_000), ScriptedSeat("noop"))

    assert record.errors[1][0] == "IL null"
    assert len(record.errors[2][0]) < 300


async def test_replacements_are_the_same_for_the_same_seed() -> None:
    """A seed fixes the random moves, whoever is replaced."""
    seats = [ScriptedSeat("bad") for _ in range(4)]

    once = await play(seats[0], ScriptedSeat("noop"), seed=7)
    again = await play(seats[1], ScriptedSeat("bad"), seed=7)

    assert once.moves == again.moves


async def test_replacements_are_drawn_from_all_legal_moves() -> None:
    """Over a few seeds both legal moves come up."""
    records = [
        await play(ScriptedSeat("bad"), ScriptedSeat("noop"), seed=seed) for seed in range(8)
    ]

    assert {record.moves[0][0] for record in records} == {"Foo", "(bar 1)"}


@pytest.mark.parametrize(("start", "error"), [(LATE, "TO"), (GONE, "CE")])
async def test_a_player_that_does_not_start_is_asked_all_the_same(start: str, error: str) -> None:
    """Trouble in the START phase stands in the first row of errors, and nothing else happens."""
    slow = replace(setup(), startclock=0) if start == LATE else setup()

    record = await Referee(slow, [ScriptedSeat("Foo", start=start), ScriptedSeat("noop")]).run()

    assert record.errors[0][0] == error
    assert record.moves[0] == ("Foo", "noop")
    assert record.is_completed


async def test_stop_that_fails_changes_nothing() -> None:
    """A player that breaks off at STOP does not spoil the record."""
    record = await play(ScriptedSeat("Foo", end=GONE), ScriptedSeat("noop", end="!bug"))

    assert record.is_completed


async def test_a_seat_that_keeps_the_clock_itself_is_not_cut_off() -> None:
    """It may take its overtime, and no more."""
    clever, slack = PunctualSeat(), PunctualSeat()
    slack.overtime_seconds = -0.95
    agreed = replace(setup(), grace_seconds=-0.95)

    record = await Referee(agreed, [clever, ScriptedSeat("noop")]).run()
    late = await Referee(agreed, [slack, ScriptedSeat("noop")]).run()

    assert not any(row[0] for row in record.errors)
    assert {row[0] for row in late.errors[1:]} == {"TO"}


async def test_an_unhurried_role_has_no_clock() -> None:
    """A person thinks as long as it takes."""
    late = SlowSeat()
    agreed = replace(setup(), unhurried=frozenset({"left"}))

    record = await Referee(agreed, [late, ScriptedSeat("noop")]).run()

    assert not any(row[0] for row in record.errors)
    assert record.moves[0] == ("(bar 1)", "noop")


class PunctualSeat(ScriptedSeat):
    """Keeps the clock itself, and takes 0.15 s."""

    overtime_seconds = 5.0

    async def play(self, report: TurnReport) -> Answer:
        """An answer that comes when it comes."""
        await asyncio.sleep(0.15)
        return Answer("(bar 1)")


class SlowSeat(ScriptedSeat):
    """Answers after the clock of 0.1 s, which `setup` gives, has run out."""

    async def play(self, report: TurnReport) -> Answer:
        """An answer that comes late."""
        await asyncio.sleep(0.15)
        return Answer("(bar 1)")

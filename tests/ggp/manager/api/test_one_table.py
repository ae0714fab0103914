"""People and programs in one table of ratings, and which matches it has."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from ggp.manager.domain.people import Sitter, new_key, out_of_time
from ggp.manager.domain.players import PERSON
from ggp.manager.domain.ratings import NUM_POINTS, curves_of, ratings_of
from ggp.manager.hosting.position_search import Hint, Hints
from ggp.manager.service import ManagerService
from ggp.manager.store.players import OVERALL, MatchOutcome, RatingRow, SeatOutcome
from ggp.manager.store.tables import MatchRow, Unrated
from tests.ggp.manager.api.course import Client, course
from tests.ggp.manager.api.test_people import until_turn_back
from tests.ggp.manager.desk import Home, ask, found, over, two, until_turn


def rated(*matches: list[SeatOutcome]) -> list[RatingRow]:
    """Return the overall ratings after matches of one game."""
    rows = ratings_of([MatchOutcome("ticTacToe", 1, seats) for seats in matches], now=1)
    return [row for row in rows if row.game == OVERALL]


def seat(
    name: str,
    goal: int,
    account: int | None = None,
    *,
    person: bool = False,
    is_absent: bool = False,
) -> SeatOutcome:
    """A seat of a match that is over."""
    return SeatOutcome(name, goal, person, account, is_absent)


def test_a_person_is_an_account_and_a_guest_is_nobody() -> None:
    """Names do not make anybody a person, nor a player; nobody wins against its own program."""
    ann, bob = seat("Ann", 100, 1, person=True), seat("Bob", 0, 2, person=True)
    matches = [
        [ann, bob],
        [seat("Anna", 100, 1, person=True), seat("Ann", 0)],  # a program of her former name
        [seat("Ann", 0, None, person=True), seat("Ann", 100)],  # a guest of her name
        [seat(PERSON, 0), seat("Ann", 100)],  # of a database without keys
        [bob, seat("bobs", 0, 2)],
        [seat("bobs", 100, 2), seat("bob's other", 0, 2)],
        [bob, seat("Guest", 0, None, person=True), seat("mcts", 100)],
    ]

    found = {(row.player_name, row.kind): row.meetings for row in rated(*matches)}

    assert found == {
        ("Anna", "person"): 2,
        ("Bob", "person"): 2,
        ("Ann", "program"): 1,
        ("mcts", "program"): 1,
    }


def test_who_did_not_play_has_lost() -> None:
    """Whatever the moves in its place came to; two who did not play have not met."""
    luck = [seat("gone", 100, is_absent=True), seat("here", 0)]
    neither = [seat("gone", 100, is_absent=True), seat("away", 0, is_absent=True)]

    found = {row.player_name: row for row in rated(luck, neither)}

    assert set(found) == {"gone", "here"}
    assert found["here"].elo > found["gone"].elo
    assert found["gone"].meetings == 1


def test_a_rating_is_provisional_until_it_says_something() -> None:
    """That depends on the interval."""
    once = [seat("a", 100), seat("b", 0)]
    often = [seat("a", 0), seat("b", 100)]

    few, many = rated(once, often), rated(*[once, often] * 12)

    assert [row.is_provisional for row in few] == [True, True]
    assert [row.is_provisional for row in many] == [False, False]


X, Y = {"role": "xplayer"}, {"role": "oplayer"}


@dataclass(frozen=True, slots=True)
class Table:
    """A student and a lecturer who play each other, or a program."""

    service: ManagerService
    student: Client
    lecturer: Client
    host: Client
    accounts: dict[str, int]

    async def met(self, game: str = "ticTacToe", other: str = PERSON, **more: Any) -> int:
        """The number of a match in which the first move is waited for."""
        names = ("student", "lecturer")[: 1 + (other == PERSON)]
        sitters = tuple(Sitter(name, self.accounts[name], new_key()) for name in names)
        plan = two(game, players=(PERSON, other), sitters=sitters, **more)
        number = await self.service.host.set_up(plan)
        await until_turn(self.service, number, 0)
        return number

    async def resigned(self, number: int) -> MatchRow:
        """The match that the student has given up."""
        await act(self.student, number, "resign", **X)
        return await over(self.service, number)

    async def counted(self) -> dict[str, int]:
        """The number of meetings of all who are rated."""
        _, found = await ask(self.lecturer, "GET", "/ratings")
        return {row["name"]: row["meetings"] for row in found}


async def act(who: Client, number: int, what: str, **body: Any) -> None:
    """Do something in a match."""
    status, answer = await ask(who, "POST", f"/matches/{number}/{what}", body)
    assert status == 200, answer


def test_every_game_counts_the_same() -> None:
    """Six hundred matches of one game do not outweigh twenty of another."""
    one = [MatchOutcome("ticTacToe", 1, [seat("a", 100), seat("b", 0)])]
    other = [MatchOutcome("hex", 1, [seat("a", 0), seat("b", 100)])]

    rows = ratings_of([*one * 600, *other * 20], now=1)

    found = {(row.game, row.player_name): row for row in rows}
    mean = (found["ticTacToe", "a"].elo + found["hex", "a"].elo) / 2
    assert found["ticTacToe", "a"].elo > 0 > found["hex", "a"].elo
    assert found[OVERALL, "a"].elo == pytest.approx(mean)
    assert found[OVERALL, "a"].meetings == 620


def test_a_curve_ends_at_the_present_rating() -> None:
    """It is in the order in which the matches ended, and has a bounded number of points."""
    won = [MatchOutcome("hex", 2 * n, [seat("a", 100), seat("b", 0)]) for n in range(100)]
    lost = [MatchOutcome("hex", 1 + 2 * n, [seat("a", 0), seat("b", 100)]) for n in range(50)]

    curve = curves_of([*lost, *won])["program a"]

    now = next(row for row in ratings_of([*lost, *won], 1) if row.player_name == "a")
    times = [point.time for point in curve]
    assert NUM_POINTS // 2 <= len(curve) <= NUM_POINTS
    assert times == sorted(times)
    assert curve[-1].elo == pytest.approx(now.elo)
    assert abs(curve[0].elo) < 30 < curve[-1].elo


@contextlib.asynccontextmanager
async def table(home: Home) -> AsyncIterator[Table]:
    """Of a course."""
    async with course(home) as (service, people):
        _, listed = await ask(people["host"], "GET", "/accounts")
        accounts = {row["name"]: row["id"] for row in listed}
        yield Table(service, people["student"], people["lecturer"], people["host"], accounts)


async def test_endings_that_count(home: Home) -> None:
    """However people end them, of hidden games, against programs; not if broken off."""
    async with table(home) as at:
        before = await at.counted()
        await at.resigned(await at.met())
        await at.resigned(await at.met("phantomTicTacToe"))
        number = await at.met()
        await act(at.student, number, "offers", kind="draw", **X)
        await act(at.lecturer, number, "offers", kind="draw", **Y)
        await over(at.service, number)
        number = await at.met()
        late = out_of_time(await found(at.service, number), ["xplayer"])
        await at.service.host.settle(number, late)
        await over(at.service, number)
        number = await at.met()
        await act(at.student, number, "abort")
        await over(at.service, number)
        await at.resigned(await at.met(other="legal"))
        _, rows = await ask(at.lecturer, "GET", "/ratings")
        csv = await (await at.lecturer.get("/api/v1/ratings.csv")).text()
        page = await (await at.lecturer.get("/players")).text()

    kinds = {row["name"]: (row["kind"], row["meetings"], row["provisional"]) for row in rows}
    assert before == {}
    assert kinds == {
        "student": ("person", 5, True),
        "lecturer": ("person", 4, True),
        "legal": ("program", 1, True),
    }
    assert "person,yes" in csv
    assert 'title="provisional"' in page


async def no_search(*_: object) -> Hint:
    """A hint at once."""
    return Hint("(mark 1 1)", None)


async def test_matches_that_are_not_rated(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """As was wanted, and where somebody was helped against a program."""
    monkeypatch.setattr(Hints, "hint", no_search)
    async with table(home) as at:
        wanted = await at.resigned(await at.met(is_rated=False))
        number = await at.met(other="legal")
        await act(at.student, number, "hint", seconds=1, **X)
        helped = await at.resigned(number)
        number = await at.met(other="legal")
        await act(at.student, number, "moves", move="(mark 2 2)", turn=1, **X)
        await until_turn(at.service, number, 2)
        await act(at.student, number, "offers", kind="take-back", **X)
        taken_back = await at.resigned(number)
        counted = await at.counted()

    assert [match.unrated for match in (wanted, helped, taken_back)] == [
        *(Unrated.WANTED, Unrated.HINT, Unrated.TAKEN_BACK)
    ]
    assert counted == {}


async def test_a_lecturer_takes_a_match_out(home: Home) -> None:
    """The ratings are as without it, at once; a student may not."""
    async with table(home) as at:
        number = await at.met()
        await act(at.student, number, "moves", move="(mark 2 2)", turn=1, **X)
        await until_turn(at.service, number, 1)
        await at.resigned(number)
        before = await at.counted()
        path = f"/matches/{number}/unrated"
        answers = [(await ask(who, "POST", path))[0] for who in (at.student, at.lecturer)]
        after = await at.counted()
        _, match = await ask(at.student, "GET", f"/matches/{number}")

    assert answers == [403, 200]
    assert (len(before), after) == (2, {})
    assert match["unrated"] == "a lecturer has taken it out"


async def test_a_loss_is_not_dodged(home: Home) -> None:
    """Once both have chosen only a host breaks a rated match off, who does not play in it."""
    async with table(home) as at:
        number = await at.met()
        await act(at.student, number, "moves", move="(mark 2 2)", turn=1, **X)
        await until_turn(at.service, number, 1)
        await act(at.student, number, "abort")
        answers = []
        for is_rated in (True, False):
            number = await at.met(is_rated=is_rated)
            await act(at.student, number, "moves", move="(mark 2 2)", turn=1, **X)
            await until_turn(at.service, number, 1)
            await act(at.lecturer, number, "moves", move="(mark 1 1)", turn=2, **Y)
            await until_turn(at.service, number, 2)
            asking = (at.student, at.lecturer, at.host)
            answers += [await ask(who, "POST", f"/matches/{number}/abort") for who in asking]
        counted = await at.counted()

    refused = {
        "error": "match 2 is rated and all have chosen a move; resign, or agree on a draw "
        "(a host may abort it)"
    }
    assert answers[:3] == [(409, refused), (409, refused), (200, {})]
    assert [status for status, _ in answers[3:]] == [200, 409, 409]
    assert counted == {}


async def test_a_loss_is_not_dodged_by_what_is_taken_back(home: Home) -> None:
    """Both have chosen once; whose move is gone as if it had not been may not break it off."""
    async with table(home) as at:
        number = await at.met()
        await act(at.student, number, "moves", move="(mark 2 2)", turn=1, **X)
        await until_turn(at.service, number, 1)
        await act(at.lecturer, number, "moves", move="(mark 1 1)", turn=2, **Y)
        await until_turn(at.service, number, 2)
        for who, seat in ((at.lecturer, Y), (at.student, X)):
            await act(who, number, "offers", kind="take-back", **seat)
        await until_turn_back(at.service, number, 1)
        status, _ = await ask(at.student, "POST", f"/matches/{number}/abort")
        async with at.student.get(f"/matches/{number}") as answer:
            page = await answer.text()

    assert status == 409
    assert 'data-staked="late"' in page


async def test_who_stays_away_without_a_clock_has_lost(home: Home) -> None:
    """Once both have chosen, in a rated match; else it is interrupted and may go on."""
    async with table(home) as at:
        found = []
        for is_rated in (True, False):
            number = await at.met(is_rated=is_rated)
            await act(at.student, number, "moves", move="(mark 2 2)", turn=1, **X)
            await until_turn(at.service, number, 1)
            await act(at.lecturer, number, "moves", move="(mark 1 1)", turn=2, **Y)
            await until_turn(at.service, number, 2)
            seat = at.service.tables.person_at(number, "xplayer")
            assert seat is not None
            await seat._is_asked.wait()
            seat._time_is_up()
            found.append(await over(at.service, number))

    assert [(one.status, one.ending, one.goals) for one in found] == [
        ("completed", "time", [0, 100]),
        ("interrupted", "", None),
    ]
    assert found[0].reason == "xplayer (student) ran out of time"

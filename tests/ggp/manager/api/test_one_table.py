"""People and programs in one table of ratings, and which matches it has."""

from __future__ import annotations

from typing import Any

from ggp.manager.domain.people import Sitter, new_key
from ggp.manager.domain.players import PERSON
from ggp.manager.domain.ratings import ratings_of
from ggp.manager.store.players import SeatOutcome
from tests.ggp.manager.api.course import Client, course
from tests.ggp.manager.desk import Home, ask, over, two, until_turn


def seat(name: str, goal: int, account: int | None = None, *, person: bool = False) -> SeatOutcome:
    """A seat of a match that is over."""
    return SeatOutcome(name, goal, person, account)


def test_a_person_is_an_account_and_a_guest_is_nobody() -> None:
    """Names do not make anybody a person, nor a player; nobody wins against its own program."""
    ann, bob = seat("Ann", 100, 1, person=True), seat("Bob", 0, 2, person=True)
    matches = [
        [ann, bob],
        [seat("Anna", 100, 1, person=True), seat("Ann", 0)],  # a program of her former name
        [seat("Ann", 0, None, person=True), seat("Ann", 100)],  # a guest of her name
        [seat(PERSON, 0), seat("Ann", 100)],  # of a database without keys
        [bob, seat("bobs", 0, 2)],
        [bob, seat("Guest", 0, None, person=True), seat("mcts", 100)],
    ]

    found = {(row.player_name, row.kind): row.meetings for row in ratings_of(matches, now=1)}

    assert found == {
        ("Anna", "person"): 2,
        ("Bob", "person"): 2,
        ("Ann", "program"): 1,
        ("mcts", "program"): 1,
    }


def test_a_rating_is_provisional_until_it_says_something() -> None:
    """That depends on the interval."""
    once = [seat("a", 100), seat("b", 0)]
    often = [seat("a", 0), seat("b", 100)]

    few, many = ratings_of([once, often], 1), ratings_of([once, often] * 12, 1)

    assert [row.is_provisional for row in few] == [True, True]
    assert [row.is_provisional for row in many] == [False, False]


async def test_which_matches_count(home: Home) -> None:
    """Resigned, drawn by agreement, lost on time, hidden ones: yes; others are no part of it."""
    async with course(home) as (service, people):
        student, lecturer = people["student"], people["lecturer"]
        accounts = {
            row["name"]: row["id"] if "id" in row else row["number"]
            for row in (await ask(people["host"], "GET", "/accounts"))[1]
        }

        async def met(game: str = "ticTacToe", other: str = PERSON, **more: Any) -> int:
            names = ("student", "lecturer")[: 1 + (other == PERSON)]
            sitters = tuple(Sitter(name, accounts[name], new_key()) for name in names)
            plan = two(game, players=(PERSON, other), sitters=sitters, **more)
            number = await service.host.set_up(plan)
            await until_turn(service, number, 0)
            return number

        async def act(who: Client, number: int, what: str, **body: Any) -> None:
            status, answer = await ask(who, "POST", f"/matches/{number}/{what}", body)
            assert status == 200, answer

        async def counted() -> dict[str, int]:
            _, found = await ask(people["nobody"] if False else lecturer, "GET", "/ratings")
            return {row["name"]: row["meetings"] for row in found}

        x, o = {"role": "xplayer"}, {"role": "oplayer"}
        assert await counted() == {}
        number = await met()
        await act(student, number, "resign", **x)
        await over(service, number)
        assert await counted() == {"student": 1, "lecturer": 1}
        number = await met("phantomTicTacToe")
        await act(lecturer, number, "resign", **o)
        await over(service, number)
        number = await met()
        await act(student, number, "offers", kind="draw", **x)
        await act(lecturer, number, "offers", kind="draw", **o)
        await over(service, number)
        assert await counted() == {"student": 3, "lecturer": 3}
        number = await met(is_rated=False)
        await act(lecturer, number, "resign", **o)
        asked = await over(service, number)
        number = await met()
        await act(student, number, "abort")
        await over(service, number)
        number = await met(other="legal")
        await act(student, number, "hint", seconds=1, **x)
        await act(student, number, "resign", **x)
        helped = await over(service, number)
        assert await counted() == {"student": 3, "lecturer": 3}
        number = await met(other="legal")
        await act(student, number, "resign", **x)
        await over(service, number)
        _, rows = await ask(lecturer, "GET", "/ratings")
        table = await (await lecturer.get("/api/v1/ratings.csv")).text()
        page = await (await lecturer.get("/players")).text()

    assert (asked.unrated, helped.unrated) == ("it was set up so", "a hint was asked for")
    kinds = {row["name"]: (row["kind"], row["meetings"], row["provisional"]) for row in rows}
    assert kinds == {
        "student": ("person", 4, True),
        "lecturer": ("person", 3, True),
        "legal": ("program", 1, True),
    }
    assert "person,yes\n" in table.replace("\r", "")
    assert 'title="provisional"' in page

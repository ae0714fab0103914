"""Names that look like another's are nobody's."""

from __future__ import annotations

import pytest

from ggp.errors import GgpError
from ggp.manager.domain.names import like, shown
from tests.ggp.manager.api.course import PASSWORD, course, invited
from tests.ggp.manager.desk import Home, ask

HIDDEN = [f"mi{chr(code)}ne" for code in (0x200B, 0x2060, 0xAD, 0x202E, 0xFEFF, 0x200D, 0x7)]
LOOKING_LIKE = ["MINE", " mine", "mine ", "\uff4dine", "m\u0456ne", "min\u0435", "\U0001d426ine"]


async def test_names_that_look_alike_are_one(home: Home) -> None:
    """What cannot be seen, capitals, blanks, widths, other alphabets; of players and accounts."""
    async with course(home) as (_, people):
        lecturer, student = people["lecturer"], people["student"]
        key = await invited(lecturer, "student", accounts=50)

        async def statuses(name: str) -> tuple[int, int]:
            account = {"key": key, "name": name, "password": PASSWORD}
            player = {"name": name, "source": "http://127.0.0.1:9"}
            registered, _ = await ask(student, "POST", "/players", player)
            joined, _ = await ask(people["nobody"], "POST", "/join", account)
            return joined, registered

        assert await statuses("mine") == (200, 201)
        for name in HIDDEN:
            assert await statuses(name) == (400, 400), name
        for name in LOOKING_LIKE:
            joined, registered = await statuses(name)
            assert (joined, registered in {400, 409}) == (400, True), name
        assert await statuses("mine too") == (200, 201)
        own = {"name": "\uff4dcts", "source": "http://127.0.0.1:10"}
        assert (await ask(student, "POST", "/players", own))[0] == 400


async def test_players_that_look_alike_are_one(home: Home) -> None:
    """Where no account has that name."""
    async with course(home) as (_, people):
        student = people["student"]

        async def registered(name: str) -> tuple[int, str]:
            body = {"name": name, "source": "http://127.0.0.1:9"}
            status, found = await ask(student, "POST", "/players", body)
            return status, found.get("error", "")

        assert await registered("deep thought") == (201, "")
        taken = {"Deep Thought": 409, "d\u0435ep thought": 409, "\uff44eep thought": 400}
        for name, expected in taken.items():
            status, error = await registered(name)
            assert (status, "deep thought" in error) == (expected, True), name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("  Zoë  Müller-Lüdenscheidt ", "Zoë Müller-Lüdenscheidt"),
        ("O'Neil", "O'Neil"),
        ("李雷", "李雷"),
        ("नरेन्द्र", "नरेन्द्र"),
        ("my-player_2.0", "my-player_2.0"),
    ],
)
def test_names_of_all_languages_stay(name: str, expected: str) -> None:
    """But for blanks."""
    assert shown(name) == expected


@pytest.mark.parametrize("name", ["", "  ", "\uff0fetc", "a\ufe56", "x" * 61, "\ud800"])
def test_names_that_cannot_be(name: str) -> None:
    """Nor those that would become something else in an address."""
    with pytest.raises(GgpError):
        shown(name)


def test_digits_and_capitals_of_ascii_are_told_apart() -> None:
    """A course has a team1 and a teaml."""
    assert like("team1", ["teaml", "teamI", "team11"]) == ""

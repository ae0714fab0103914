"""The catalogue describes the bundled rulesheets, all of them and nothing else."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

import gdl
from ggp import games

KINDS = {"single-player", "turn-taking", "simultaneous"}
TOPICS = {
    *("board", "race", "connection", "capture", "impartial"),
    *("puzzle", "matrix", "cards", "dice", "chance", "hidden"),
}
LENGTHS = {"kuhnPoker": 4}  # games that are over before five moves


def entry(name: str) -> dict[str, Any]:
    """The table of a game, with the fields that the program has no use for."""
    with (games.folder() / "catalogue.toml").open("rb") as file:
        table: dict[str, Any] = tomllib.load(file)["games"][name]
    return table


def test_entries_are_in_the_order_of_their_names() -> None:
    """A search for a game in the file finds it; a second entry would be seen."""
    names = list(games.catalogue())

    assert names == sorted(names, key=str.casefold)


def test_no_rulesheet_lacks_an_entry() -> None:
    """And no entry lacks a rulesheet."""
    assert set(games.catalogue()) == set(games.names())


@pytest.mark.parametrize("name", games.names())
def test_roles_are_those_of_the_rulesheet(name: str) -> None:
    """Same names, same order."""
    rules = gdl.read_kif(games.text(name), name)

    assert games.catalogue()[name].roles == tuple(role.name for role in rules.roles)


@pytest.mark.parametrize("name", games.names())
def test_tags_say_how_many_players_move_at_once(name: str) -> None:
    """Each game is of exactly one kind, and the kind fits the number of roles."""
    tags = set(entry(name)["tags"])
    roles = games.catalogue()[name].roles

    assert len(tags & KINDS) == 1
    assert tags <= KINDS | TOPICS
    assert ("single-player" in tags) == (len(roles) == 1)
    assert ("chance" in tags) == (gdl.RANDOM in roles)
    assert ("hidden" in tags) == ("(sees " in games.text(name))


@pytest.mark.parametrize("name", games.names())
def test_counts_belong_to_a_game_of_several_moves(name: str) -> None:
    """Lines of play are counted to depth 5 or further, except where they are too many."""
    counts = games.catalogue()[name].counts

    assert all(count > 0 for count in counts)
    assert len(counts) >= LENGTHS.get(name, 5) or counts[-1] > 1_000_000


@pytest.mark.parametrize(
    ("notation", "name"),
    [
        *(("kif", name) for name in games.names("kif")),
        *(("epilog", name) for name in games.names("epilog")),
    ],
)
def test_file_begins_with_what_it_is(notation: games.Notation, name: str) -> None:
    """A rulesheet says what game it is, who wrote it and under which licence."""
    mark = {"kif": ";;; ", "epilog": "% "}[notation]

    head = games.text(name, notation).split("\n\n", 1)[0]

    assert all(line.startswith(mark.rstrip()) for line in head.splitlines())
    assert f"\n{mark}Author: ggp-agent authors\n" in head
    assert head.endswith(f"\n{mark}License: Apache-2.0")
    assert len(head.splitlines()) >= 6

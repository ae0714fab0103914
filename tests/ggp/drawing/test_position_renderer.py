"""Pictures of positions: what is drawn, what is marked, and that hostile names do no harm."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from xml.etree import ElementTree as ET

import pytest

import gdl
from ggp import games
from ggp.drawing import PositionRenderer
from ggp.drawing.board import PARTING
from ggp.match.rulebook import MachineRulebook, sample_positions
from tests.thorough import KINDS, all_but

SVG = "{http://www.w3.org/2000/svg}"
NO_BOARD = {
    *("goofspiel", "kuhnPoker", "leducPoker", "liarsDice", "pig"),
    *("prisonersDilemma", "rockPaperScissors", "threePlayerKuhnPoker"),
}
"""Bundled games that are told of by cards."""
CHANGED = "#f5d76e"
ROW = ["(cell 1 1 x)", "(cell 2 1 b)", "(cell 1 2 b)", "(cell 2 2 o)"]


@cache
def renderer_of(game: str) -> tuple[PositionRenderer, Sequence[str]]:
    """The renderer of a bundled game, and its first position."""
    machine = gdl.load(gdl.read_kif(games.text(game), game), "interpreter")
    book = MachineRulebook(machine)
    states = asyncio.run(sample_positions(book, max_positions=60, seconds=5))
    return PositionRenderer(game, states, book.roles), states[0]


def drawn(svg: str) -> ET.Element:
    """The picture, parsed as any reader of XML would."""
    return ET.fromstring(svg)


def places(svg: str) -> set[str]:
    """The words of all squares that can be pointed at."""
    return {node.attrib["data-words"] for node in drawn(svg).iter() if "data-words" in node.attrib}


def texts(svg: str) -> list[str]:
    """All that is written in the picture."""
    return [node.text or "" for node in drawn(svg).iter(f"{SVG}text")]


def marked(svg: str) -> set[str]:
    """The words of the squares that are marked as changed."""
    return {
        node.attrib["data-words"]
        for node in drawn(svg).iter(f"{SVG}g")
        if "data-words" in node.attrib
        and any(child.attrib.get("fill") == CHANGED for child in node)
    }


@pytest.mark.parametrize("game", all_but(KINDS, games.names(), is_whole=True))
def test_every_bundled_game_is_drawn(game: str) -> None:
    """On a board with places to point at, or as cards where a game has none."""
    renderer, first = renderer_of(game)

    svg = renderer.svg(first)

    assert bool(places(svg)) == (game not in NO_BOARD)
    assert drawn(svg).tag == f"{SVG}svg"


@pytest.mark.parametrize(
    ("game", "number"),
    [
        ("connectFour", 42),
        ("hex", 49),
        ("tron", 100),
        ("maze", 36),
        ("nim", 4),
        ("goFive", 25),
        ("pentago", 36),
    ],
)
def test_board_is_whole_from_the_first_position_on(game: str, number: int) -> None:
    """Rows that nothing stands in yet are drawn all the same."""
    renderer, first = renderer_of(game)

    assert len(places(renderer.svg(first))) == number


@pytest.mark.parametrize(
    "name",
    [
        '"><script>alert</script>',
        "a&b",
        "]]>",
        "\x00\x08\x1b",
        "x'onload='x",
        "\ud800",
        "٤",
        "²",
    ],
)
def test_hostile_names_leave_valid_xml(name: str) -> None:
    """Names come from strangers: they are text, whatever is in them."""
    facts = [f"(cell {i} {j} {name})" for i in (1, 2) for j in (1, 2)]
    others = [f"(heap {name} 3)", f"({name})", name, "", f"(a (b {name}))"]
    renderer = PositionRenderer(name, [[*facts, *others]], [name])

    svg = renderer.svg([*facts, *others], [])

    assert [node.tag for node in drawn(svg).iter() if "script" in node.tag] == []
    assert not any("onload" in node.attrib for node in drawn(svg).iter())


def test_what_changed_is_marked_and_nothing_else() -> None:
    """The square of the last move stands out."""
    after = [*ROW[:2], "(cell 1 2 x)", ROW[3]]
    renderer = PositionRenderer("", [ROW, after], ["x", "o"])

    assert marked(renderer.svg(after, ROW)) == {"1 2"}
    assert marked(renderer.svg(after)) == set()


def test_blocks_of_places_are_parted() -> None:
    """Three lines across and three along, as two quadrants beside two have them."""
    renderer, first = renderer_of("pentago")
    lines = list(drawn(renderer.svg(first)).iter(f"{SVG}path"))

    assert [line.attrib["stroke"] for line in lines] == [PARTING]
    assert [lines[0].attrib["d"].count(way) for way in "vh"] == [3, 3]


def test_changed_cards_are_marked() -> None:
    """Facts that are on no board are marked as squares are."""
    renderer = PositionRenderer("", [["(score alice 0)", "(round 1)"]])

    svg = renderer.svg(["(score alice 0)", "(round 2)"], ["(score alice 0)", "(round 1)"])

    assert svg.count(CHANGED) == 1
    assert texts(svg) == ["round", "2", "score", "alice 0"]


def test_facts_that_never_change_are_no_cards() -> None:
    """Walls and neighbours written into the state would bury what matters."""
    states = [["(wall a b)", f"(step {step})"] for step in range(80)]

    assert texts(PositionRenderer("", states).svg(states[3])) == ["step", "3"]


def test_crosses_and_rings_are_drawn_for_x_and_o() -> None:
    """As on paper, also where the roles are called so."""
    svg = PositionRenderer("", [ROW], ["x", "o"]).svg(ROW)

    assert len(list(drawn(svg).iter(f"{SVG}path"))) == 1
    assert len(list(drawn(svg).iter(f"{SVG}circle"))) == 1


def test_chess_men_are_recognised_by_their_letters() -> None:
    """A king among others makes them chess men, in the colours of the roles."""
    facts = ["(cell a 1 wk)", "(cell b 1 wr)", "(cell a 2 bk)", "(cell b 2 b)"]

    svg = PositionRenderer("", [facts], ["white", "black"]).svg(facts)

    assert {"♚", "♜"} <= set(texts(svg))


def test_a_view_is_for_the_bundled_game_only() -> None:
    """A name from outside opens no file, and another game of that name has no view."""
    facts = ["(heap a 1)", "(heap b 2)", "(heap c 3)"]

    assert len(places(PositionRenderer("nim", [facts]).svg(facts))) == 4
    assert len(places(PositionRenderer("../views/nim", [facts]).svg(facts))) == 3


def test_things_never_seen_before_are_drawn() -> None:
    """A position may have more than those that the renderer knew."""
    renderer = PositionRenderer("", [ROW])

    svg = renderer.svg([*ROW[:3], "(cell 2 2 dragon)"])

    assert "dragon" in texts(svg)


def test_artist_tells_when_a_board_is_too_small() -> None:
    """The drawing of a match then looks at all of its positions."""
    renderer = PositionRenderer("", [ROW])

    assert renderer.knows(ROW)
    assert not renderer.knows(["(cell 3 1 x)"])


def test_ring_lies_around_the_hexagon_that_it_names() -> None:
    """What players of dark hex know of is no board of its own; each row stands further right."""
    renderer, _ = renderer_of("darkHex3")
    cells = [("2", "1", "red"), ("3", "3", "blue")]
    facts = [f"(cell {column} {row} {owner})" for column, row, owner in cells]
    known = ["(known blue 2 1)", "(known red 3 3)"]

    svg = renderer.svg([*facts, *known])

    assert {*places(svg)} == {f"{column} {row}" for column in "123" for row in "123"}
    circles = [node.attrib for node in drawn(svg).iter(f"{SVG}circle")]
    discs = {(at["cx"], at["cy"]) for at in circles if at["fill"] != "none"}
    rings = {(at["cx"], at["cy"]) for at in circles if at["fill"] == "none"}
    assert len(rings) == len(known)
    assert rings == discs

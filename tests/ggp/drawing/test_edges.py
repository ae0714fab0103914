"""Lines around boxes in pictures: their dots, the names of these, and what can be pointed at."""

from __future__ import annotations

from itertools import product
from xml.etree import ElementTree as ET

from ggp.drawing import PositionRenderer

SVG = "{http://www.w3.org/2000/svg}"
BOXES = [f"(box {x} {y} nobody)" for x, y in product("123", "12")]
LINES = ["(line 1 1 2 1)", "(line 4 2 4 3)"]


def picture(*facts: str) -> ET.Element:
    """The picture of boxes with such facts."""
    states = [[*BOXES, *facts], [*BOXES, *LINES], [*BOXES, "(wall 1 1 1 2)", "(wall 2 1 3 1)"]]
    kind = facts[0].split()[0] if facts else "(line"
    mine = [[fact for fact in state if fact.split()[0] in {"(box", kind}] for state in states]
    return ET.fromstring(PositionRenderer("", mine).svg(mine[0]))


def test_dots_have_names_and_boxes_none() -> None:
    """As moves name them, and as text shows them."""
    shown = picture(*LINES)

    names = [node.text for node in shown.iter(f"{SVG}text")]
    assert sorted(filter(None, names)) == ["1", "1", "2", "2", "3", "3", "4"]
    assert len(list(shown.iter(f"{SVG}circle"))) == 4 * 3


def test_each_line_can_be_pointed_at_and_each_box_knows_its_sides() -> None:
    """Once, whether it is drawn or not; both ends are those of dots."""
    nodes = [node for node in picture(*LINES).iter() if "data-lines" in node.attrib]

    boxes = {node.get("data-words"): node.get("data-lines", "").split(", ") for node in nodes}
    lines = [node.attrib["data-lines"] for node in nodes if "data-words" not in node.attrib]
    assert set(boxes["3 2"]) == {"3 2 4 2", "3 3 4 3", "3 2 3 3", "4 2 4 3"}
    assert len(lines) == len(set(lines)) == 3 * 3 + 4 * 2
    assert {line for sides in [boxes[box] for box in boxes if box] for line in sides} == set(lines)


def test_walls_are_between_places_that_keep_their_names() -> None:
    """They join no dots, and places know of no sides."""
    shown = picture("(wall 1 1 1 2)")

    nodes = [node for node in shown.iter() if "data-lines" in node.attrib]
    assert not list(shown.iter(f"{SVG}circle"))
    assert all("data-words" not in node.attrib for node in nodes)
    assert len(nodes) == 2 * 2 + 3

"""Pictures of what a role holds possible: the fainter the less likely."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from ggp.drawing import PositionRenderer

SVG = "{http://www.w3.org/2000/svg}"
BOARD = ["(cell 1 1 x)", "(cell 2 1 b)", "(cell 1 2 b)", "(cell 2 2 o)", "(turn 1)"]
KNOWN = ["(cell 1 1 x)", "(turn 3)"]
DOUBTS = {
    "(cell 2 1 b)": 0.75,
    "(cell 2 1 o)": 0.25,
    "(cell 1 2 x)": 0.4,
    "(cell 1 2 o)": 0.6,
    "(card king)": 0.5,
}


def drawn() -> str:
    """The picture of the doubts."""
    return PositionRenderer("", [BOARD], ["x", "o"]).svg(KNOWN, None, DOUBTS)


def titles(svg: str) -> list[str]:
    """What the parts of a picture are called."""
    return [one.text or "" for one in ET.fromstring(svg).iter(f"{SVG}title")]


def test_possible_things_say_how_likely_they_are() -> None:
    """Empty is drawn as nothing, but told to those who point at it."""
    svg = drawn()

    assert re.findall(r">(\d+%)<", svg).count("25%") == 1
    assert {">40%<", ">60%<"} <= set(re.findall(r">\d+%<", svg))
    assert ">75%<" not in svg
    assert "2 1 b 75% o 25%" in titles(svg)


def test_what_is_less_likely_is_fainter() -> None:
    """And what is certain is solid."""
    opacities = sorted(map(float, re.findall(r' opacity="([\d.]+)"', drawn())))

    assert opacities == [0.35, 0.41, 0.49]


def test_possible_cards_are_dashed() -> None:
    """With how likely they are."""
    svg = drawn()

    assert svg.count("stroke-dasharray") == 1
    assert "(card king) 50%" in titles(svg)
    assert "king · 50%" in svg


def test_a_picture_without_doubts_stays_as_it_was() -> None:
    """Whether they are none, or not spoken of."""
    renderer = PositionRenderer("", [BOARD], ["x", "o"])

    assert renderer.svg(BOARD, None, {}) == renderer.svg(BOARD)
    assert "opacity" not in renderer.svg(BOARD)

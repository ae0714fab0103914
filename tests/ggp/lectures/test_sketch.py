"""Trees drawn as text and as SVG."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree as ET

from ggp.lectures.sketch import Sketch, draw, draw_svg

TREE = Sketch(
    "A",
    "MAX",
    (Sketch("B < 1", children=(Sketch("D"),), is_chosen=True), Sketch("C", "unseen", (), True)),
)


def test_text_has_a_node_a_line() -> None:
    """Children stand below their parent, the chosen is marked, the unseen dotted."""
    assert draw(TREE) == ["A   MAX", "├── B < 1 *", "│  └── D", "└·· C   unseen"]


def test_svg_has_every_label_and_a_line_for_each_child() -> None:
    """The picture is well-formed, with markup in labels escaped."""
    root = ET.fromstring(draw_svg([("A tree", TREE)]))

    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    lines = [element for element in root.iter() if element.tag.endswith("line")]

    assert set(texts) == {"A tree", "A", "MAX", "B < 1", "C", "unseen", "D"}
    assert len(lines) == 3


def test_svg_places_no_label_over_another() -> None:
    """Nodes of one level are at least as far apart as half their labels together."""
    wide = Sketch("root", children=tuple(Sketch(f"node {n}", "remark" * n) for n in range(4)))

    root = ET.fromstring(draw_svg([("wide", wide)]))

    places = [
        (float(element.attrib["x"]), element.text or "")
        for element in root.iter()
        if element.tag.endswith("text") and (element.text or "").startswith("node")
    ]
    assert [label for _, label in sorted(places)] == [f"node {n}" for n in range(4)]
    assert all(b - a >= 40 for (a, _), (b, _) in pairwise(places))

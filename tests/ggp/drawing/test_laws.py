"""Laws of all drawings: names do not matter, nothing is left out, nothing hostile gets through."""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections.abc import Sequence
from functools import cache
from xml.etree import ElementTree as ET

import pytest

import gdl
from ggp import games
from ggp.boards.finding import find_all
from ggp.boards.plain_names import read_names
from ggp.drawing import PositionRenderer
from ggp.match.rulebook import MachineRulebook, sample_positions
from ggp.term_text import terms_of
from tests.thorough import KINDS, all_but

SVG = "{http://www.w3.org/2000/svg}"
KEYWORDS = frozenset(
    ("role", "init", "true", "does", "next", "legal", "goal", "terminal", "distinct", "not", "or")
)
ALPHABETICAL = "nim"
"""Has heaps `a` to `d`, of which its rules have no order."""
WORD = re.compile(r"[^\s()]+")
MAX_LETTERS = 2_500_000
"""Of the largest picture there can be."""
LARGEST = ("a tall stack", "crowds", "many boards", "many cells", "many facts")
"""Take long; smaller ones of their kind are drawn as well."""
HOSTILE = {
    "long names": [f"(cell {x} {y} {'piece' * 3000})" for x in range(9) for y in range(9)],
    "long numbers": [f"(cell {x} {y} {'7' * 9000})" for x in range(9) for y in range(9)],
    "many cells": [f"(cell {x} {y} p{x})" for x in range(1, 30) for y in range(1, 30)],
    "crowds": [f"(cell {x} 2 p{y})" for x in range(1, 5) for y in range(2000)],
    "many facts": [f"(fact {number} of many)" for number in range(40_000)],
    "many relations": [f"(relation{number} 1 2 x)" for number in range(5000)],
    "many boards": [f"(b{z} {x} {y} p)" for z in range(99) for x in "1234567" for y in "1234567"],
    "some boards": [f"(b{z} {x} {y} p)" for z in range(12) for x in "1234567" for y in "1234567"],
    "some cells": [f"(cell {x} {y} p{x})" for x in range(1, 30) for y in range(1, 10)],
    "a crowd": [f"(cell {x} 2 p{y})" for x in range(1, 5) for y in range(200)],
    "some facts": [f"(fact {number} of many)" for number in range(3_000)],
    "deep": ["(a " + "(b " * 500 + "c" + ")" * 501],
    "long words": [f"({'w' * 20_000} {'v' * 20_000})", "x" * 50_000],
    "long places": [f"(at {'q' * 9000}{x} {'r' * 9000}{y} z)" for x in range(5) for y in range(5)],
    "a long row": ["(order " + " ".join(f"p{number}" for number in range(5000)) + ")"],
    "a tall stack": [f"(on b{number} b{number + 1})" for number in range(3000)],
    "a stack": [f"(on b{number} b{number + 1})" for number in range(500)],
    "huge numbers": [f"(at {x}{'7' * 9000} {y})" for x in range(1, 5) for y in range(5)],
    "circles": ["(on a b)", "(on b a)", "(on c d)", "(on d e)", "(on e c)"],
}


@cache
def seen(game: str) -> tuple[Sequence[Sequence[str]], tuple[str, ...], str]:
    """Positions of a bundled game, its roles and its rules."""
    rules = gdl.read_kif(games.text(game), game)
    book = MachineRulebook(gdl.load(rules, "interpreter"))
    states = asyncio.run(sample_positions(book, max_positions=60, seconds=5))
    return states, book.roles, "\n".join(map(str, rules.forms))


def scrambled(text: str) -> str:
    """The text with another word for each but numbers, variables and the words of GDL."""

    def other(match: re.Match[str]) -> str:
        word = match.group()
        if word.isdecimal() or word in KEYWORDS or word[0] in "?<":
            return word
        digest = hashlib.sha256(word.encode()).hexdigest()[:12]
        return "".join(chr(ord("g") + int(one, 16)) for one in digest)

    return WORD.sub(other, text)


def drawn(svg: str) -> ET.Element:
    """The picture, parsed as any reader of XML would."""
    return ET.fromstring(svg)


def titles(svg: str) -> list[set[str]]:
    """The words of all that a reader is told about the parts of a picture."""
    found = [node.text or "" for node in drawn(svg).iter(f"{SVG}title")]
    return [set(re.findall(r"[^\s()]+", text)) for text in found]


@pytest.mark.parametrize(
    "game", all_but(KINDS, (name for name in games.names() if name != ALPHABETICAL), is_whole=True)
)
def test_names_do_not_matter(game: str) -> None:
    """Scrambled rules have the same boards, of the same columns and rows in the same order."""
    states, _, rules = seen(game)
    renamed = [[scrambled(fact) for fact in facts] for facts in states]

    plain = find_all(states, (), read_names(rules))
    other = find_all(renamed, (), read_names(scrambled(rules)))

    # Boards beside each other stand in the order of their names, which are other ones now.
    left = [(its.columns, its.rows, list(map(its.cells, renamed))) for its in other.boards]
    for mine in plain.boards:
        columns, rows = (tuple(map(scrambled, names)) for names in (mine.columns, mine.rows))
        cells = [
            {
                (scrambled(column), scrambled(row)): [scrambled(one) for one in contents]
                for (column, row), contents in mine.cells(facts).items()
            }
            for facts in states
        ]
        assert (columns, rows, cells) in left
        left.remove((columns, rows, cells))
    assert not left


@pytest.mark.parametrize("game", all_but(KINDS, games.names(), is_whole=True))
def test_no_fact_is_left_out(game: str) -> None:
    """Each is told of by a place, a card or a line, unless it is one of all positions."""
    states, roles, rules = seen(game)
    renderer = PositionRenderer("", states, roles, read_names(rules))
    steady = set(states[0]).intersection(*states)

    for facts in (states[0], states[len(states) // 2], states[-1]):
        told = titles(renderer.svg(facts, states[0]))
        for fact in set(facts) - steady:
            words = set(WORD.findall(fact))
            relation = terms_of(fact)[0] if fact.startswith("(") else ""
            assert any(words - {relation} <= title for title in told), fact


@pytest.mark.parametrize("game", all_but(KINDS, games.names(), is_whole=True))
def test_pictures_need_no_styles_and_load_nothing(game: str) -> None:
    """The pages' policy forbids both."""
    states, roles, rules = seen(game)

    for view in ("", game):
        svg = PositionRenderer(view, states, roles, read_names(rules)).svg(states[-1], states[0])
        names = {name for node in drawn(svg).iter() for name in node.attrib}
        tags = {node.tag.removeprefix(SVG) for node in drawn(svg).iter()}
        assert names.isdisjoint({"style", "href", "class", "id"})
        assert not [name for name in names if name.startswith("on")]
        assert tags <= {
            *("svg", "g", "title", "text", "rect", "circle", "path", "polygon", "polyline")
        }


@pytest.mark.parametrize("kind", all_but(sorted(set(HOSTILE) - set(LARGEST)), HOSTILE))
def test_pictures_are_bounded(kind: str) -> None:
    """Whatever the rules are, the picture is well-formed, and drawing it takes bounded time.

    Its size is bounded as well.
    """
    facts = HOSTILE[kind]
    repetitions = 20 if kind in LARGEST else 4
    states = [facts, facts[1:], facts[::2], [*facts, "(step 1)"]] * repetitions
    started = time.process_time()

    svg = PositionRenderer("", states, ["white"]).svg(facts, facts[1:])

    assert time.process_time() - started < 8
    assert len(svg) < MAX_LETTERS
    assert drawn(svg).tag == f"{SVG}svg"


def test_too_many_facts_are_counted() -> None:
    """Facts that there is no room for are not silently left out."""
    facts = [f"(fact {number} of many)" for number in range(5000)]

    svg = PositionRenderer("", [facts]).svg(facts)

    assert "and 4,940 more" in svg

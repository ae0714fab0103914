"""A quick fix changes the tokens that it names, and no others."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable

import pytest

import gdl
from gdl.editing.renaming import Edit, edited
from gdl.errors import Source
from gdl.kif import Comment, scan
from ggp import games
from tests.gdl.check.examples import EXAMPLES
from tests.gdl.editing.test_cures import BASE, CASES

ROUNDS = 400


def tokens(text: str) -> list[str]:
    """The words and parentheses of a text."""
    return [token.text for token in scan(Source("it", text)) if not isinstance(token, Comment)]


def tight(text: str) -> str:
    """The text without comments and blanks that part no words."""
    bare = re.sub(r";[^\n]*", "", text)
    return re.sub(r"\s*([()])\s*", r"\1", bare).strip()


def commented(text: str) -> str:
    """The text with a comment behind each line, and in front of each closing parenthesis."""
    return re.sub(r"(\)+)$", r" ; here (and there\n\1 ; so", text, flags=re.MULTILINE)


FAULTY = [
    *(f"{BASE}{added}\n" for _, added, _ in CASES),
    *(one.faulty_text for one in EXAMPLES if not gdl.is_epilog(one.faulty_text)),
]
"""Texts with faults, most of which have cures."""


def expected(text: str, edits: Iterable[Edit]) -> list[str]:
    """The tokens of a text but for those that are named, and for what a comment hides."""
    found: list[str] = []
    end = 0
    for edit in sorted(edits):
        found += tokens(text[end : edit.start]) + tokens(edit.text)
        is_comment = edit.text.startswith(";")
        end = (text + "\n").index("\n", edit.end) if is_comment else edit.end
    return found + tokens(text[end:])


@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("lay_out", [str, tight, commented])
def test_all_other_tokens_stay(lay_out: Callable[[str], str], step: int) -> None:
    """No word is joined to the next one, none is taken into a comment, in whatever layout."""
    num_cures = 0
    for text in map(lay_out, FAULTY[::step]):
        document = gdl.document(text)
        for cure in (cure for one in document.diagnostics for cure in document.cures(one)):
            num_cures += 1
            assert tokens(edited(text, cure.edits)) == expected(text, cure.edits), cure.title
    assert num_cures > 80 / step


def mended(text: str) -> str:
    """The text after all fixes that are offered, the first of each finding, one after the other."""
    for _ in range(ROUNDS):
        document = gdl.document(text)
        offered = (cure for found in document.diagnostics for cure in document.cures(found))
        cure = next(offered, None)
        if cure is None:
            return text
        text = edited(text, cure.edits)
    raise AssertionError("the fixes do not come to an end")


def traces(text: str) -> list[list[str]]:
    """Moves, ends and goals of some random games."""
    machine = gdl.load(gdl.read_kif(text), "interpreter")
    found = []
    for seed in range(2):
        rng, state = random.Random(seed), machine.initial_state()
        trace: list[str] = []
        while not machine.is_terminal(state) and len(trace) < 20:
            legal = [sorted(machine.legal_moves(state, role), key=str) for role in machine.roles]
            trace.append(str(legal))
            state = machine.next_state(state, [rng.choice(moves) for moves in legal])
        found.append([*trace, str([machine.goal(state, role) for role in machine.roles])])
    return found


def untidy(text: str) -> str:
    """The same game with parentheses around each word that is a condition or a head alone."""
    text = re.sub(r"(?<=[\s)])(terminal|open)(?=[\s()])", r"(\1)", text)
    return re.sub(r"(?<=[\s)])(noop|control|line)(?=\))", r"(\1)", text)


def test_words_that_lose_their_parentheses_stay_apart() -> None:
    """They would be one word, which the next fixes take for a name that nothing defines."""
    text = f"{BASE}(won) (lost) (<= terminal(won)(lost)) (<= terminal (succ 0 1)(won)(succ 1 2))"

    after = mended(text)

    assert tokens(after) == tokens(re.sub(r"\((won|lost)\)", r" \1 ", text))


@pytest.mark.parametrize("name", ["ticTacToe", "nim"])
def test_all_fixes_of_a_playable_game_leave_the_game(name: str) -> None:
    """Layout, needless parentheses, statements said twice and rules without conditions go."""
    text = games.text(name)
    bare = re.sub(r";[^\n]*", "", text)
    once = f"{tight(untidy(bare))}(<= (helper 1))(helper 1)"

    after = mended(once)

    assert after != once
    assert traces(after) == traces(text)

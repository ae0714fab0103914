"""Rules of strangers: answered like our own, or refused in time, and nobody else is harmed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from inspect import isfunction

import pytest

import gdl
from ggp import games
from ggp.match.rulebook import MachineRulebook
from ggp.sandbox import (
    Sandbox,
    SandboxBounds,
    SandboxError,
    SandboxRulebook,
    match_questions,
    position_questions,
    questions,
    tree_questions,
)
from ggp.sandbox.__main__ import QUESTIONS

EXPLODING = """
(role me) (init (a 0)) (legal me go) (goal me 0) (next (a 0))
(n 0) (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9)
(<= terminal (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (n ?g) (n ?h) (n ?i)
    (distinct ?a ?a))
"""


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    """One for a whole test."""
    async with Sandbox() as sandbox:
        yield sandbox


def test_every_question_may_be_asked() -> None:
    """The table has the public functions of these modules, and nothing that they import."""
    modules = (questions, position_questions, match_questions, tree_questions)
    public = {
        one
        for module in modules
        for name, one in vars(module).items()
        if isfunction(one) and one.__module__ == module.__name__ and not name.startswith("_")
    }

    assert set(QUESTIONS) == public


async def test_a_match_goes_as_in_this_process() -> None:
    """The same positions, move after move."""
    text = games.text("ticTacToe")
    own = MachineRulebook(gdl.load(gdl.read_kif(text), "interpreter"))
    book = await SandboxRulebook.open(text)
    try:
        mine, theirs = await own.first(), await book.first()
        while not mine.is_terminal:
            assert mine == theirs
            moves = [legal[-1] for legal in mine.legal]
            mine = await own.after(mine.facts, moves)
            theirs = await book.after(theirs.facts, moves)

        assert mine == theirs
        assert book.roles == own.roles == ("xplayer", "oplayer")
        assert await book.at(mine.facts) == mine
    finally:
        await book.close()


async def test_findings_have_their_place(sandbox: Sandbox) -> None:
    """As `ggp check` tells them, those on comments that are to name moves too."""
    text = ";;@move go\n(role me)(<= (legal me (go ?x)) (true here))"
    findings = await sandbox.ask(questions.check, text)

    unsafe = next(found for found in findings if found["severity"] == "error")
    assert (unsafe["line"], unsafe["column"]) == (2, 28)
    assert "?x" in unsafe["message"]
    place = {"line": 1, "column": 3, "length": 8}
    assert findings[0].items() >= {"code": "annotation", "severity": "warning", **place}.items()


async def test_rules_that_take_too_long_are_given_up() -> None:
    """The process is killed; the next question gets a new one."""
    async with Sandbox(SandboxBounds(seconds=0.3)) as sandbox:
        with pytest.raises(SandboxError, match=r"longer than 0\.3 s"):
            await sandbox.ask(questions.statistics, EXPLODING, seconds=60)

        sandbox._bounds = SandboxBounds()
        assert await sandbox.ask(questions.format_rules, "(role   me)") == "(role me)\n"


async def test_what_cannot_be_read_is_said(sandbox: Sandbox) -> None:
    """The message of the reader, with its place."""
    with pytest.raises(SandboxError, match=r"rules:1:\d+"):
        await sandbox.ask(questions.statistics, "(role me")


async def test_statistics_of_random_play(sandbox: Sandbox) -> None:
    """Length, branching, goals of each role and draws."""
    found = await sandbox.ask(
        questions.statistics, games.text("ticTacToe"), most=200, seconds=10, seed=1
    )

    assert found["playouts"] == 200
    assert 7 < found["length"] < 8.5
    assert 50 < found["goals"]["xplayer"] < 75
    assert 0.05 < found["draws"] < 0.25


async def test_a_process_that_died_is_replaced_by_one_that_knows_the_rules() -> None:
    """The match goes on."""
    book = await SandboxRulebook.open(games.text("ticTacToe"))
    try:
        before = await book.first()
        await book._sandbox.rest()

        assert await book.at(before.facts) == before
    finally:
        await book.close()

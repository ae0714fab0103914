"""What an author says in comments is told with the rules in prose, and nothing else."""

from __future__ import annotations

import pytest

from ggp.harness.game import HarnessGame
from ggp.naming.annotations import MAX_HEAD, author_names, head_comment

NAMES = """
;;@fact (cell ?x ?y b): [?x ?y] is empty
;;@fact (cell ?x ?y ?w): ?w is on [?x ?y]
;;@move (go ?x ?y): move {?x ?y}
;;@move noop: wait
;;@word x: a cross
"""


@pytest.mark.parametrize(
    ("kind", "words", "name"),
    [
        ("fact", ("cell", "1", "Y", "b"), "(1, Y) is empty"),
        ("fact", ("cell", "X", "Y+1", "B"), "B is on (X, Y+1)"),  # B may be anything
        ("fact", ("cell", "X", "Y", "x"), "a cross is on (X, Y)"),
        ("fact", ("cell", "X", "Y"), ""),
        ("fact", ("cell", "X", "Y", "[the opponent of P]"), ""),
        ("move", ("go", "X", "Y"), "move what is on (X, Y)"),
        ("move", ("noop",), "wait"),
        ("move", ("cell", "1", "1", "b"), ""),
    ],
)
def test_a_pattern_names_what_the_prose_speaks_of(
    kind: str, words: tuple[str, ...], name: str
) -> None:
    """With its words for variables, which are no constants."""
    assert author_names(NAMES)(kind, words) == name


@pytest.mark.parametrize(
    ("text", "head"),
    [
        (";;; -*- lisp -*-\n; Nim.", "Nim."),
        (";;; nim --- Take some. -*- mode: kif; coding: utf-8 -*-", "nim --- Take some."),
        ("; vim: set ft=lisp:\n; SPDX-License-Identifier: MIT\n; (c) 2008 me\n; Nim.", "Nim."),
        ("; $Id: nim.kif 12 me $\n; Local Variables:\n; mode: lisp\n; End:\n; Nim.", "Nim."),
        (
            ";;; Nim.\n;;;\n;;; Take;\n;;; win.\n;;; License: any\n\n;; Roles\n(role a)",
            "Nim. Take; win.",
        ),
        ("\n% Nim.\n// More. \nrole(a)", "Nim. More."),
        (";*****\n;* nim.kif *\n;*****\n(role a)", "nim.kif"),
        ("(role a) ; one\n; two", ""),
        (";;@move go: walk\n(role a)", ""),
        ("", ""),
    ],
)
def test_the_comment_that_a_rulesheet_begins_with_is_a_paragraph(text: str, head: str) -> None:
    """Without frames, names of terms, and whom it belongs to."""
    assert head_comment(text) == head


def test_a_long_comment_is_cut() -> None:
    """A model has to read it."""
    assert len(head_comment("; and so on\n" * 1000)) <= MAX_HEAD


def test_a_briefing_has_both() -> None:
    """The author's words are called so."""
    rules = """; Who goes wins.
;;@move go: walk away
;;@fact (at ?x): you are at ?x
(role me) (init (at 1)) (legal me go) (legal me stay) (<= (next (at 2)) (does me go))
(<= terminal (true (at 2))) (goal me 100)"""

    briefing = HarnessGame("walk", rules).briefing

    assert briefing.startswith("Its author says of the game: Who goes wins.\n\nRoles\n")
    assert "me may play `go` (walk away)." in briefing
    assert "`(at 1)` (you are at 1) is in the position" in briefing

"""Facts that a step makes for each role are found where nothing says which role is meant."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from tests.gdl.check.test_play_turns import DOTS
from tests.thorough import all_but

OWNED = "(<= (next (box ?x ?p)) (closes ?p ?x))"
WITHOUT_FIRST_OWNERS = (
    DOTS.replace("(init (box 1 nobody)) (init (box 2 nobody))", "(square 1) (square 2)")
    .replace("(true (box ?x nobody))", "(free ?x)")
    .replace("(<= open", "(<= (owned ?x) (true (box ?x ?p))) (<= open")
    + "(<= (free ?x) (square ?x) (not (owned ?x)))"
)


def shared(text: str) -> list[gdl.Diagnostic]:
    """The findings of play about facts for each role."""
    limits = gdl.PlayLimits(playouts=5, steps=60, seconds=10)
    found = gdl.check_play(gdl.read_rules(text, "it.kif"), limits)
    return [one for one in found if one.code == "play-doubled"]


@pytest.mark.parametrize("text", [DOTS, WITHOUT_FIRST_OWNERS], ids=["owned", "new"])
@pytest.mark.parametrize(
    "rule",
    [
        "(<= (next (box ?x ?p)) (closed ?x) (does ?p ?m))",
        "(<= (next (box ?x ?p)) (owner ?x ?p)) (<= (owner ?x ?p) (closed ?x) (does ?p ?m))",
    ],
    ids=["direct", "by a relation"],
)
def test_a_box_that_two_own_is_found(text: str, rule: str) -> None:
    """At the condition that holds of both, with the condition that is missing."""
    faulty = text.replace(OWNED, rule)

    [found] = shared(faulty)

    assert found.message.startswith("there are (box 1 ann) and (box 1 ben) after step ")
    assert "because (does ?p ?m) holds for each role, even if its move is 'noop'" in found.message
    assert "add the condition (true (control ?p)), or name the move that it makes" in found.message
    assert faulty[found.span.start : found.span.end] == "(does ?p ?m)"


@pytest.mark.parametrize("gap", [" ", "\n    "])
def test_the_cure_adds_the_condition(gap: str) -> None:
    """On a line of its own, where the others have one; then nothing is left to say."""
    rule = f"(<= (next (box ?x ?p)){gap}(closed ?x){gap}(does ?p ?m))"
    document = gdl.document(DOTS.replace(OWNED, rule))
    [found] = shared(document.text)

    [cure] = document.cures(found)

    [edit] = cure.edits
    cured = document.text[: edit.start] + edit.text + document.text[edit.end :]
    assert cured == document.text.replace(rule, f"{rule[:-1]}{gap}(true (control ?p)))")
    assert shared(cured) == []


def test_each_role_is_asked_for_by_role_alone() -> None:
    """Boxes have one owner at first, if only nobody."""
    rule = "(<= (next (box ?x ?p)) (closed ?x) (role ?p))"

    [found] = shared(DOTS.replace(OWNED, rule))

    assert "because (role ?p) holds for each role; if only one role is meant" in found.message
    assert shared(WITHOUT_FIRST_OWNERS.replace(OWNED, rule)) == []


@pytest.mark.parametrize(
    "rule",
    [
        OWNED,
        "(<= (next (box ?x ?p)) (closed ?x) (does ?p ?m) (true (control ?p)))",
        "(<= (next (box ?x ?p)) (closed ?x) (does ?p (draw ?e)))",
        "(<= (next (box ?x ?p)) (closed ?x) (does ?p ?m) (distinct ?m noop))",
    ],
)
def test_one_owner_is_left_alone(rule: str) -> None:
    """However the rule says which role is meant."""
    assert shared(DOTS.replace(OWNED, rule)) == []
    assert shared(WITHOUT_FIRST_OWNERS.replace(OWNED, rule)) == []


def test_the_finding_is_told_in_epilog() -> None:
    """In the words of the file."""
    text = DOTS.replace(OWNED, "(<= (next (box ?x ?p)) (closed ?x) (does ?p ?m))")

    [found] = shared(gdl.write_epilog(gdl.read_kif(text)))

    assert "there are box(1,ann) and box(1,ben) after step " in found.message
    assert "because does(P,M) holds for each role" in found.message
    assert "add the condition true(control(P)), or" in found.message


SOUND = ("ticTacToe", "othello", "nim", "kuhnPoker", "chomp")


@pytest.mark.parametrize("name", all_but(["ticTacToe", "nim", "chomp"], SOUND))
def test_sound_rules_are_left_alone(name: str) -> None:
    """Also those that make facts for all roles."""
    assert shared(games.text(name)) == []

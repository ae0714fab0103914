"""The operations under the names that the lectures give them."""

from __future__ import annotations

import doctest
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gdl

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "gdl.md"
NIM = """
(role white) (role black) (init (heap 2)) (init (control white))
(pred 2 1) (pred 1 0)
(<= (legal ?r (take 1)) (true (control ?r)))
(<= (legal ?r (take 2)) (true (control ?r)) (true (heap 2)))
(<= (legal white noop) (true (control black)))
(<= (legal black noop) (true (control white)))
(<= (next (heap ?y)) (does ?r (take 1)) (true (heap ?x)) (pred ?x ?y))
(<= (next (heap 0)) (does ?r (take 2)))
(<= (next (control white)) (true (control black)))
(<= (next (control black)) (true (control white)))
(<= terminal (true (heap 0)))
(<= (goal ?r 0) (true (control ?r)))
(<= (goal ?r 100) (role ?r) (not (true (control ?r))))
"""
DUEL = "(role a) (role b) (legal a x) (legal a y) (legal b x) (legal b y)"


def test_a_match_is_played_with_the_functions_of_the_lecture() -> None:
    """Roles, first state, legal moves, next state, reward, terminal, control."""
    library = gdl.read_kif(NIM, "nim")
    white, black = gdl.findroles(library)
    state = gdl.findinits(library)
    take_one, take_two = gdl.findlegals(white, state, library)
    [noop] = gdl.findlegals(black, state, library)

    end = gdl.simulate([take_two, noop], state, library)

    assert gdl.findcontrol(state, library) is white
    assert not gdl.findterminalp(state, library)
    assert gdl.findterminalp(end, library)
    assert [gdl.findreward(role, end, library) for role in (white, black)] == [100, 0]
    assert str(take_one) == "(take 1)"


def test_single_moves_are_those_of_the_role_that_decides() -> None:
    """As in the lecture's player: no role, no joint move."""
    library = gdl.read_kif(NIM, "nim")
    state = gdl.findinits(library)
    moves = gdl.findlegals(state, library)

    after = gdl.simulate(moves[1], state, library)

    assert [str(move) for move in moves] == ["(take 1)", "(take 2)"]
    assert gdl.findterminalp(after, library)


def test_a_role_with_one_move_left_is_still_in_control() -> None:
    """The fact (control ROLE) says whose move it is where nobody has a choice."""
    library = gdl.read_kif(NIM, "nim")
    _, black = gdl.findroles(library)
    take_one, _ = gdl.findlegals(gdl.findinits(library), library)

    state = gdl.simulate(take_one, gdl.findinits(library), library)

    assert [str(move) for move in gdl.findlegals(black, state, library)] == ["(take 1)"]
    assert gdl.findcontrol(state, library) is black
    assert [str(move) for move in gdl.findlegals(state, library)] == ["(take 1)"]


def test_single_moves_are_refused_where_several_roles_decide() -> None:
    """There is no role in control to whom a single move could belong."""
    library = gdl.read_kif(DUEL, "duel")
    state = gdl.findinits(library)

    assert gdl.findcontrol(state, library) is None
    with pytest.raises(gdl.IllegalMoveError, match="several roles decide"):
        gdl.findlegals(state, library)
    with pytest.raises(gdl.IllegalMoveError, match="several roles decide"):
        gdl.simulate(gdl.Constant("x"), state, library)


def test_percepts_are_found_by_role() -> None:
    """`findpercepts` for the `sees` of GDL-II."""
    library = gdl.read_kif(DUEL + "(<= (sees b ?m) (does a ?m))", "duel")
    state = gdl.findinits(library)
    b = gdl.findroles(library)[1]
    x, y = gdl.Constant("x"), gdl.Constant("y")

    assert gdl.findpercepts(b, [y, x], state, library) == (y,)


UNTYPED: Any = gdl  # what a user without a type checker can write


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda nim, s: UNTYPED.findroles(gdl.load(nim, "interpreter")),
            "library: expected a Rulesheet, got ",
        ),
        (lambda nim, s: UNTYPED.findinits(NIM), "library: expected a Rulesheet, got str"),
        (UNTYPED.findlegals, "library: expected a Rulesheet, got frozenset"),
        (lambda nim, s: UNTYPED.findlegals(nim), "expected (role, state, library) or (state"),
        (
            lambda nim, s: UNTYPED.findlegals("white", s, nim),
            "role: expected one of findroles, got",
        ),
        (
            lambda nim, s: UNTYPED.findlegals(["(heap 2)"], nim),
            "state: expected a state from findinits",
        ),
        (
            lambda nim, s: UNTYPED.findreward("white", s, nim),
            "role: expected one of findroles, got",
        ),
        (lambda nim, s: UNTYPED.findterminalp(None, nim), "state: expected a state from findinits"),
        (lambda nim, s: UNTYPED.findcontrol(None, nim), "state: expected a state from findinits"),
        (lambda nim, s: UNTYPED.simulate("(take 1)", s, nim), "moves: expected one move, or a seq"),
        (lambda nim, s: UNTYPED.simulate(["take", "noop"], s, nim), "moves[0]: expected a term"),
        (lambda nim, s: UNTYPED.simulate(1, s, nim), "moves: expected one move, or a sequence"),
        (
            lambda nim, s: UNTYPED.findpercepts(gdl.findroles(nim)[0], 1, s, nim),
            "moves: expected one",
        ),
    ],
)
def test_an_argument_of_the_wrong_kind_is_named(
    call: Callable[[gdl.Rulesheet, gdl.State], object], message: str
) -> None:
    """One line says which argument, what was expected and what came."""
    library = gdl.read_kif(NIM, "nim")

    with pytest.raises(TypeError) as caught:
        call(library, gdl.findinits(library))

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_single_move_must_be_legal() -> None:
    """The message names the move, the role and what is legal."""
    library = gdl.read_kif(NIM, "nim")
    illegal = gdl.read_term("(take 9)", library)

    with pytest.raises(gdl.IllegalMoveError) as caught:
        gdl.simulate(illegal, gdl.findinits(library), library)

    assert str(caught.value) == (
        "(take 9) is no legal move of white in this state; legal: (take 1), (take 2)"
    )


def test_a_single_move_needs_a_move_of_every_other_role() -> None:
    """Rules that leave a role without a move do not end in an IndexError."""
    library = gdl.read_kif("(role a) (role b) (legal a x) (legal a y)", "broken")

    with pytest.raises(gdl.IllegalMoveError, match="b has no legal move"):
        gdl.simulate(gdl.Constant("x"), gdl.findinits(library), library)


def test_the_moves_of_a_joint_move_are_not_looked_at() -> None:
    """A game manager says what was played, also where our reading of the rules differs."""
    library = gdl.read_kif(NIM, "nim")
    state = gdl.findinits(library)
    joint = [gdl.read_term(text, library) for text in ("(take 9)", "noop")]

    after = gdl.simulate(joint, state, library)

    assert gdl.findcontrol(after, library) is gdl.findroles(library)[1]


def test_the_example_of_the_guide_prints_what_it_shows() -> None:
    """docs/gdl.md, "The functions of the lectures", names all eight."""
    section = GUIDE.read_text("utf-8").split("\n## The functions of the lectures\n")[1]
    section = section.split("\n## ")[0]
    [block] = re.findall(r"```pycon\n(.*?)```", section, re.DOTALL)
    example = doctest.DocTestParser().get_doctest(block, {}, "gdl.md", str(GUIDE), 0)

    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)

    assert (results.failed, results.attempted > 5) == (0, True)
    functions = "findroles findinits findlegals simulate findreward findterminalp findcontrol"
    assert {*functions.split(), "findpercepts"} <= set(re.findall(r"^\| `(\w+)\(", section, re.M))

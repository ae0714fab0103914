"""The operations under the names that the lectures give them."""

from __future__ import annotations

import pytest

import gdl

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
    """Where nobody has a choice the fact (control ROLE) tells whose move it is."""
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

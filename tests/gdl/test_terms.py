"""Terms: interned, immutable, and the same after any way through text or a pipe."""

from __future__ import annotations

import copy
import gc
import pickle
from concurrent.futures import ThreadPoolExecutor

from hypothesis import given, settings
from hypothesis import strategies as st

import gdl
from gdl import terms
from gdl.terms import Compound, Constant, Term, Variable, substitute, variables

NAMES = st.sampled_from(["a", "b", "cell", "2x", "+", "Upper", "100"])
LEAVES = NAMES.map(Constant) | st.sampled_from(["?x", "?y"]).map(Variable)
TERMS: st.SearchStrategy[Term] = st.recursive(
    LEAVES,
    lambda inner: st.builds(Compound, NAMES, st.lists(inner, min_size=1, max_size=3).map(tuple)),
    max_leaves=12,
)
X, Y = Variable("?x"), Variable("?y")


@given(TERMS)
@settings(deadline=None)
def test_term_read_from_its_text_is_the_same_object(term: Term) -> None:
    """`str` is valid KIF, and equal terms are one."""
    assert gdl.read_term(str(term)) is term


@given(TERMS)
@settings(deadline=None)
def test_term_from_another_process_is_the_same_object(term: Term) -> None:
    """Pickling and copying keep identity, so a state may travel through a pipe."""
    assert pickle.loads(pickle.dumps(term)) is term
    assert copy.deepcopy(term) is term
    assert copy.copy(term) is term


def test_names_tell_terms_apart() -> None:
    """Case, kind and arguments count."""
    found = {
        Constant("a"),
        Constant("A"),
        Variable("a"),
        Compound("a", (X,)),
        Compound("a", (Y,)),
        Compound("a", (X, X)),
    }

    assert len(found) == 6


def test_depth_size_and_groundness_are_known() -> None:
    """They are what limits are measured in."""
    term = Compound("f", (Compound("g", (Constant("a"), X)), Constant("b")))

    assert (term.depth, term.size, term.is_ground) == (2, 5, False)
    assert (Constant("a").depth, Constant("a").size, Constant("a").is_ground) == (0, 1, True)


def test_variables_and_substitution() -> None:
    """A bound variable is replaced everywhere, any other one stays."""
    term = gdl.read_term("(f ?x (g ?y ?x) a)")

    assert variables(term) == {X, Y}
    assert str(substitute(term, {X: Constant("1")})) == "(f 1 (g ?y 1) a)"
    assert substitute(term, {}) is term


def test_terms_nobody_needs_are_forgotten() -> None:
    """Interning must not keep every term of every match for ever."""
    name = "a-name-that-nothing-else-uses"
    term = Compound(name, (Constant(name),))
    assert any(getattr(kept, "name", "") == name for kept in terms._interned.values())

    del term
    gc.collect()

    assert not any(getattr(kept, "name", "") == name for kept in terms._interned.values())


def test_threads_agree_on_terms() -> None:
    """Two threads that make the same term get one object."""

    def make(_thread: int) -> list[Term]:
        return [Compound("cell", (Constant(str(number)), X)) for number in range(2000)]

    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(make, range(4)))

    assert all(len({id(term) for term in same}) == 1 for same in zip(*made, strict=True))

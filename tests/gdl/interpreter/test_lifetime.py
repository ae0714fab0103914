"""Nothing of a game is kept when nobody needs it: a server plays many."""

from __future__ import annotations

import gc
import weakref

import gdl

RULES = "(role me) (init (s 0)) (legal me go) (<= (next (s 1)) (true (s ?x))) (goal me 50)"


def test_a_rulesheet_and_its_machine_go_when_they_are_dropped() -> None:
    """The machine that `findinits` made does not keep its rulesheet, and the other way round."""
    library = gdl.read_kif(RULES, "short")
    gdl.findinits(library)
    kept = weakref.ref(library)

    del library
    gc.collect()

    assert kept() is None


def test_terms_go_with_the_last_state_that_has_them() -> None:
    """Interned terms are held by who uses them, not by the table of terms."""
    term = gdl.Compound("unheard_of", (gdl.Constant("anywhere_else"),))
    kept = weakref.ref(term)

    del term
    gc.collect()

    assert kept() is None

"""Dependencies of relations on one another: components, strata, state and moves."""

from __future__ import annotations

import gdl
from gdl.rulesheet import DependencyGraph, DependsOn, Relation

RULES = """\
(role x)
(edge a b)
(<= (path ?a ?b) (edge ?a ?b))
(<= (path ?a ?c) (path ?a ?b) (edge ?b ?c))
(<= (even ?n) (odd ?m) (edge ?m ?n))
(<= (odd ?n) (even ?m) (edge ?m ?n))
(<= (apart ?a ?b) (role ?a) (role ?b) (not (path ?a ?b)))
(<= (alone ?a) (role ?a) (not (apart ?a ?a)))
(<= (full) (or (true (cell 1)) (path a b)))
(<= (legal ?r go) (role ?r) (not full))
(<= (moved ?r) (does ?r go))
(<= (next (cell 1)) (moved x) full)
"""


def graph(text: str = RULES) -> DependencyGraph:
    """The graph of a rulesheet's text."""
    return gdl.read_kif(text).graph


def relation(text: str) -> Relation:
    """The relation that `cell/3` names."""
    name, arity = text.split("/")
    return Relation(name, int(arity))


def test_components_hold_what_depends_on_each_other() -> None:
    """Mutual recursion is one component, everything else stands alone."""
    components = graph().components

    together = [set(map(str, component)) for component in components if len(component) > 1]
    assert together == [{"even/1", "odd/1"}]


def test_components_come_after_what_they_depend_on() -> None:
    """Evaluating them in order finds every condition known."""
    found = graph()

    place = {name: index for index, part in enumerate(found.components) for name in part}
    for caller, callees in found.callees.items():
        assert all(place[callee] <= place[caller] for callee in callees)


def test_dependence_says_what_may_change_a_relation() -> None:
    """Nothing, the state, or the moves: the strongest of all conditions, through `or` and `not`."""
    found = graph()

    expected = {
        "path/2": DependsOn.RULES,
        "alone/1": DependsOn.RULES,
        "full/0": DependsOn.STATE,
        "legal/2": DependsOn.STATE,
        "moved/1": DependsOn.MOVES,
        "next/1": DependsOn.MOVES,
        "unheard-of/7": DependsOn.RULES,
    }
    assert {name: found.dependence(relation(name)) for name in expected} == expected


def test_recursion_is_direct_or_through_others() -> None:
    """A relation is recursive if it depends on itself."""
    found = graph()

    recursive = {str(name) for name in found.callees if found.is_recursive(name)}
    assert recursive == {"path/2", "even/1", "odd/1"}


def test_negative_cycles_are_pairs_of_caller_and_negated() -> None:
    """Only negation inside a component breaks stratification."""
    found = graph("(<= (p a) (q a))\n(<= (q a) (not (p a)))\n(<= (r a) (not (q a)))")

    assert [(str(a), str(b)) for a, b in found.negative_cycles()] == [("q/1", "p/1")]
    assert list(graph().negative_cycles()) == []


def test_reachable_is_all_that_is_needed() -> None:
    """The relations under a keyword, itself included."""
    found = graph().reachable([relation("legal/2")])

    expected = "edge/2 full/0 legal/2 path/2 role/1 true/1"
    assert sorted(map(str, found)) == expected.split()


def test_long_chains_do_not_exhaust_the_stack() -> None:
    """Rulesheets come from strangers, so the search for components does not recurse."""
    chain = "".join(f"(<= (p{n} a) (p{n + 1} a))" for n in range(2_000))

    assert len(graph(chain).components) == 2_003

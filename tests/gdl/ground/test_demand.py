"""Relations on demand: questions, layers, merged choices."""

from __future__ import annotations

import gdl
from gdl.ground.clauses import Clause, NewRelations, normalise
from gdl.ground.demand import Domains, restrict
from gdl.ground.grounding import separate
from gdl.ground.rewriting import merge, split, unfold
from gdl.rulesheet import Relation

_DOMAIN = "(d 1) (d 2) (d 3) (role a) (init (p 1 2)) (init (q 2))"


def clauses_of(text: str) -> list[Clause]:
    """The clauses of a rulesheet with a domain `d`."""
    return normalise(gdl.read_kif(_DOMAIN + text), NewRelations())


def rules(clauses: list[Clause]) -> list[str]:
    """Those with a body, as text."""
    return [str(clause).replace("\0", "*") for clause in clauses if clause.positive]


def restricted(text: str) -> list[str]:
    """The rules of a rulesheet when all that can be is computed on demand."""
    clauses = clauses_of(text)
    found, _ = restrict(clauses, Domains(clauses), NewRelations(), 1, 1)
    return rules(found)


def test_a_relation_with_an_open_argument_is_asked() -> None:
    """The conditions beside it say for which values."""
    found = restricted("(<= (next (q ?x)) (true (q ?x)) (h ?x)) (<= (h ?y) (true (p 1 2)) (d ?y))")

    assert "(<= (*asked1 ?x) (true (q ?x)))" in found
    assert "(<= (h ?y) (*asked1 ?y) (true (p 1 2)) (d ?y))" in found


def test_a_negated_relation_is_asked() -> None:
    """A relation that is not computed would not hold, so that its negation would."""
    found = restricted(
        "(<= (next (q ?x)) (true (q ?x)) (not (h ?x))) (<= (h ?y) (true (p 1 2)) (d ?y))"
    )

    assert "(<= (*asked1 ?x) (true (q ?x)))" in found


def test_a_relation_on_demand_hands_its_question_on() -> None:
    """To those that it uses itself, also if that is the same one."""
    found = restricted(
        "(<= (next (q ?x)) (true (q ?x)) (h ?z ?x))"
        "(<= (h 1 ?y) (true (p 1 2)) (d ?y)) (<= (h 2 ?y) (h 1 ?y)) (<= (h 3 ?y) (g ?y))"
        "(<= (g ?y) (true (p 2 1)) (d ?y))"
    )

    assert "(<= (*asked2 ?y) (*asked1 ?y))" in found or "(<= (*asked1 ?y) (*asked2 ?y))" in found
    assert not any(rule.startswith("(<= (*asked1 ?y) (*asked1") for rule in found)


def test_a_mere_domain_is_no_question() -> None:
    """Asking for every value there is gains nothing; so does one use without a value."""
    text = "(<= (h ?y) (true (p 1 2)) (d ?y)) (<= (next (q ?x)) (true (q ?x)) (h ?x))"

    assert not any("asked" in rule for rule in restricted(text + "(<= (next z) (d ?x) (h ?x))"))
    assert not any("asked" in rule for rule in restricted(text + "(<= (next z) (h ?x))"))


def test_what_is_the_same_in_every_state_is_computed_as_a_whole() -> None:
    """The grounder drops what is settled, which it could not if that depended on a question."""
    found = restricted("(<= (next (q ?x)) (true (q ?x)) (h ?x)) (<= (h ?y) (d 1) (d ?y))")

    assert not any("asked" in rule for rule in found)


def test_small_relations_are_computed_as_a_whole() -> None:
    """A relation between three values and two others holds for six pairs at most."""
    clauses = clauses_of(
        "(<= (next (q ?x)) (true (p ?x ?z)) (h ?x ?z))"
        "(<= (h ?y ?z) (true (q ?y)) (true (p 1 2)) (d ?z))"
        "(<= (next (q 3)) (true (q 2)))"
    )
    domains = Domains(clauses)

    assert domains.size(Relation("h", 2), range(2)) == 6
    assert restrict(clauses, domains, NewRelations(), 6, 1)[1]
    assert not restrict(clauses, domains, NewRelations(), 7, 1)[1]


def test_a_clause_that_leaves_an_argument_open_is_a_layer() -> None:
    """The part that does not depend on the argument is found once."""
    new = NewRelations()
    clauses = clauses_of(
        "(<= (next (q ?x)) (true (p ?x ?y)) (h ?x ?y))"
        "(<= (h ?x ?y) (true (q ?x)) (true (p ?y ?y))) (<= (h ?x ?y) (true (q ?x)) (d ?y))"
    )
    found, asked = restrict(clauses, Domains(clauses), new, 1, 1)

    layered, questions = separate(found, asked, new)

    assert "(<= (*layer2 ?x) (true (q ?x)))" in rules(layered)
    assert "(<= (h ?0 ?1) (*asked1 ?1) (d ?1) (*layer2 ?0))" in rules(layered)
    assert questions >= {Relation("\0asked1", 1)}


def test_clauses_that_differ_in_one_condition_are_merged() -> None:
    """The conditions that they share are joined once with the choice."""
    found = merge(
        clauses_of(
            "(<= (next (q ?x)) (true (q ?y)) (f ?x ?z)) (<= (next (q ?x)) (true (q ?y)) (g ?x))"
            "(<= (f ?x ?y) (true (p ?x ?y))) (<= (g ?x) (true (p ?x ?x)))"
        ),
        NewRelations(),
    )

    assert "(<= (next (q ?x)) (true (q ?y)) (*any1 ?x))" in rules(found)
    assert "(<= (*any1 ?0) (f ?0 ?z))" in rules(found)
    assert "(<= (*any1 ?0) (g ?0))" in rules(found)


def test_a_choice_of_comparisons_is_unfolded() -> None:
    """Each of its clauses in its place gives a rule."""
    clauses = clauses_of(
        "(<= (differ ?x ?y ?u ?v) (distinct ?x ?u) (d ?x) (d ?y) (d ?u) (d ?v))"
        "(<= (differ ?x ?y ?u ?v) (distinct ?y ?v) (d ?x) (d ?y) (d ?u) (d ?v))"
        "(<= (next (q ?x)) (true (p ?x ?y)) (true (p ?u ?v)) (differ ?x ?y ?u ?v))"
    )

    found = [rule for rule in rules(unfold(clauses, Domains(clauses), 1)) if "(next" in rule]

    assert len(found) == 2
    assert "(distinct ?x ?u)" in found[0]
    assert "(distinct ?y ?v)" in found[1]


def test_a_negation_is_cut_off_with_a_copy_of_what_binds_it() -> None:
    """The king's cell (?k) is eliminated, though the move (?m) has to be known to ask."""
    text = (
        "(<= (next (q ?m)) (true (p ?m ?z)) (true (p ?z ?z)) (true (king ?k))"
        " (not (true (t ?k ?m))))"
        "(<= (next (king ?x)) (true (q ?x))) (<= (next (t ?x ?y)) (true (p ?x ?y)))"
    )

    found = rules(split(clauses_of(text), NewRelations(), with_binders=True))

    assert any("(king ?k)" in rule and "(p ?m" not in rule and "(not" in rule for rule in found)

"""Facts that no rule keeps: found where a rule is missing, not where they are meant to vanish."""

from __future__ import annotations

import hashlib

import pytest

import gdl
from gdl.check.demands import keeps, made_by
from gdl.editing.renaming import edited
from gdl.rulesheet import Relation, Rulesheet
from ggp import games
from tests.gdl.check.test_play_turns import DOTS
from tests.shared import require
from tests.thorough import all_but

BOXES = """\
(role red)
(role blue)
(init (control red))
(init (score red 0))
(init (score blue 0))
(spot 1)
(spot 2)
(spot 3)
(<= (legal ?r (take ?x)) (true (control ?r)) (spot ?x) (not (taken ?x)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (taken ?x) (true (own ?r ?x)))
(<= (next (own ?r ?x)) (does ?r (take ?x)))
(<= (next (lastTaken ?x)) (does ?r (take ?x)))
(<= (next (score ?r 1)) (does ?r (take ?x)))
(<= (next (control red)) (true (control blue)))
(<= (next (control blue)) (true (control red)))
(<= open (spot ?x) (not (taken ?x)))
(<= terminal (not open))
(<= (goal ?r 100) (true (score ?r 1)))
(<= (goal ?r 50) (true (score ?r 0)) (true (lastTaken ?x)))
"""
"""Fields to be taken: nothing keeps what is owned, nor scores. `lastTaken` is meant to vanish."""

QUICK = gdl.PlayLimits(playouts=5, steps=100, seconds=20)


def lost(rules: Rulesheet) -> list[gdl.Diagnostic]:
    """The findings of play about facts that vanish."""
    return [one for one in gdl.check_play(rules, QUICK) if one.code == "play-lost"]


def test_facts_that_no_rule_keeps_are_named_at_the_rule_that_makes_them() -> None:
    """Not the counters and flags, which are replaced or asked for once."""
    found = lost(gdl.read_kif(BOXES, "it.kif"))

    assert [(one.span.line, BOXES[one.span.start : one.span.end]) for one in found] == [
        (12, "own"),
        (14, "score"),
    ]
    assert "no rule keeps the facts 'own': (own " in found[0].message


def test_the_cure_adds_the_rules_and_the_finding_goes() -> None:
    """Of a score, only what no other score replaces is kept."""
    text = BOXES
    for _ in range(2):
        document = gdl.document(text)
        [cure] = document.cures(lost(gdl.read_kif(text))[0])
        text = edited(text, cure.edits)

    assert lost(gdl.read_kif(text)) == []
    machine = gdl.Interpreter(gdl.read_kif(text))
    state = machine.initial_state()
    state = machine.next_state(state, machine.legal_moves(state, machine.roles[0])[:1] * 2)
    assert [str(x) for x in machine.facts(state) if "score" in str(x)] == [
        "(score blue 1)",
        "(score red 1)",
    ]


@pytest.mark.parametrize(
    ("text", "kept", "same"),
    [
        (games.text("ticTacToe"), "marked", "first and second"),
        (games.text("connectFour"), "filled", "first and second"),
        (DOTS, "closed", "first"),
    ],
    ids=["ticTacToe", "connectFour", "dots and boxes"],
)
def test_the_cure_says_that_what_is_replaced_is_not_kept(text: str, kept: str, same: str) -> None:
    """A rule without that condition leaves a square blank that is marked."""
    rules = gdl.read_kif(text)
    keeping = [rule for rule in rules.rules if rule.relation == ("next", 1) and keeps(rule)]
    forms = [form for form in rules.forms if form is not keeping[0].form]
    assert f"(not ({kept} " in str(keeping[0].form)

    [found] = lost(Rulesheet.from_forms(forms, "it.kif"))

    assert (
        "that asks for it with 'true' and keeps it unless another fact replaces it, with the "
        "condition that the other rules for 'next' make no '"
    ) in found.message
    assert found.message.endswith(f" with the same {same} argument")


def test_facts_that_only_init_makes_need_more_than_to_be_kept() -> None:
    """Kept as they are, they never change; so nothing is added by an editor."""
    text = "(role x) (legal x go) (goal x 0) (init (at 0)) (<= terminal (true (at 1)))"

    [found] = lost(gdl.read_kif(text))

    assert (
        "because only 'init' makes it; add rules for 'next' that make what the moves"
        in found.message
    )
    assert found.instead == ""


HARMED = ("ticTacToe", "hex", "nim", "kuhnPoker")


def without_one(rules: Rulesheet, number: int = 0) -> tuple[Rulesheet, str]:
    """The rules without one of those that keep facts, and the symbol of these."""
    kept = [rule for rule in rules.definitions.get(Relation("next", 1), ()) if keeps(rule)]
    rule = kept[number % len(kept)]
    fact = Relation.of(made_by(rule))
    left = [form for form in rules.forms if form is not rule.form]
    return Rulesheet.from_forms(left, rules.name), fact.name


@pytest.mark.parametrize("name", all_but(["ticTacToe", "nim"], HARMED))
def test_a_keeping_rule_that_is_missing_is_found(name: str) -> None:
    """Squares, stones on an empty board, heaps of which one changes, words that were said."""
    rules = gdl.read_kif(games.text(name), name)
    harmed, symbol = without_one(rules, 1 if name == "kuhnPoker" else 0)

    assert lost(rules) == []
    assert [f"'{symbol}'" in one.message for one in lost(harmed)] == [True]


def test_a_case_that_the_keeping_rules_leave_out_is_found() -> None:
    """Blanks of other columns stay, those of the same column are forgotten."""
    path = require("corpus", "rules") / "ticTacToe.kif"
    rules = gdl.read_kif(path.read_text(encoding="utf-8"))
    harmed, _ = without_one(rules, 1)

    [found] = lost(harmed)

    assert "do not cover every case: (cell " in found.message
    assert "nothing takes its place" not in found.message  # another fact may, unless asked
    assert lost(rules) == []


def sheets() -> list[tuple[str, str]]:
    """All bundled and public rulesheets with rules that keep facts, in a fixed mixed order."""
    found = [(name, games.text(name)) for name in games.names()]
    public = require("corpus", "rules").glob("*.kif")
    found += [(f"c_{path.stem}", path.read_text(encoding="utf-8")) for path in public]
    return sorted(found, key=lambda one: _number(f"pick{one[0]}"))


def _number(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)


@pytest.mark.thorough
def test_most_missing_rules_are_named_and_sound_rules_are_left_alone() -> None:
    """A fault that shows in no random game cannot be named; public rulesheets have faults too.

    Of forty among all sheets at least 36 are named, with at most 5 false alarms: six minutes.
    """
    named, harmed, alarms = 0, 0, []
    for name, text in sheets()[:15]:
        rules = gdl.read_rules(text, name)
        if rules.problems or not rules.roles:
            continue
        alarms += [str(one) for one in lost(rules)]
        if harmed < 5 and any(map(keeps, rules.definitions.get(Relation("next", 1), ()))):
            sheet, symbol = without_one(rules, _number(name))
            harmed += 1
            named += any(f"'{symbol}'" in one.message for one in lost(sheet))

    assert (harmed, named >= 4, len(alarms) <= 1) == (5, True, True), (named, alarms)


COUNTED = """\
(init (count 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
(<= (next (count ?m)) (true (count ?n)) (succ ?n ?m)) (<= terminal (true (count 7)))
(role white) (goal white 50)
"""
DICE = f"""{COUNTED}
(role random) (init (control random)) (init (die 1 1)) (init (die 2 1)) (face 1) (face 2) (face 3)
(<= (legal random (roll ?a ?b)) (true (control random)) (face ?a) (face ?b))
(<= (legal random noop) (true (control white)))
(<= (legal white (use ?d ?n)) (true (control white)) (true (die ?d ?n)))
(<= (legal white pass) (true (control white)))
(<= (legal white noop) (true (control random)))
(<= (next (die 1 ?a)) (does random (roll ?a ?b)))
(<= (next (die 2 ?b)) (rolled ?a ?b))
(<= (rolled ?a ?b) (does random (roll ?a ?b)))
(<= (next (control ?r)) (role ?r) (not (true (control ?r))))
"""
CASES = f"""{COUNTED}
(init (cell 1 gold)) (init (cell 2 bomb)) (init (cell 3 gold)) (init (cell 4 empty))
(<= (legal white (dig ?x)) (true (cell ?x ?w)))
(legal white flash) (legal white wait)
(<= (next (cell ?x empty)) (does white (dig ?x)))
"""
KEPT = """\
(<= (next (cell ?x ?w)) (true (cell ?x ?w)) (does white wait))
(<= (next (cell ?x ?w)) (true (cell ?x ?w)) (does white (dig ?y)) (distinct ?y ?x))
"""


@pytest.mark.parametrize(
    "text",
    [
        DICE,
        CASES + KEPT + "(<= (next (cell ?x ?w)) (true (cell ?x ?w)) (does white flash) "
        "(distinct ?w bomb))",
        CASES + "(<= (next (cell ?x ?w)) (true (cell ?x ?w)) (not (does white flash)) "
        "(not (does white (dig ?x))))",
    ],
    ids=["dice", "not these", "not then"],
)
def test_what_is_meant_to_vanish_is_left_alone(text: str) -> None:
    """Dice are thrown anew, and a rule says which facts it does not keep, or when it keeps none."""
    assert lost(gdl.read_kif(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        DICE.replace("(does random (roll ?a ?b))", "(does white (use ?a ?b))"),
        CASES + KEPT,
    ],
    ids=["moves", "a case"],
)
def test_what_no_rule_speaks_of_is_found(text: str) -> None:
    """What a player's moves make vanishes without a rule, and so do facts in a case left out."""
    assert lost(gdl.read_kif(text)) != []

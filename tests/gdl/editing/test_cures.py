"""Quick fixes: after the change the finding is gone."""

from __future__ import annotations

import pytest

import gdl
from gdl.check.likeness import is_opposite
from gdl.editing.renaming import edited

BASE = """\
(role white)
(init (count 0))
(succ 0 1)
(legal white add)
(<= (next (count ?m)) (true (count ?n)) (succ ?n ?m))
(<= terminal (true (count 1)))
(goal white 100)
"""


CASES = [
    ("undefined", "(<= (next over) (suc 0 1))\n(<= terminal (true over))", "Write 'succ'"),
    ("undefined", "(<= terminal (count 1))", "Ask for the fact with 'true'"),
    ("undefined", "(<= (next over) (add))\n(<= terminal (true over))", "Ask for the move of white"),
    ("undefined", "(<= (p ?a) (succ ?a ?b) (!= ?a ?b))", "Write 'distinct'"),
    ("undefined-fact", "(<= terminal (true (cuont 1)))", "Write 'count'"),
    (
        "undefined-move",
        "(<= (next over) (does white ad))\n(<= terminal (true over))",
        "Write 'add'",
    ),
    ("spelling", "(<= terminal (true (Count 1)) (succ 0 1))", "Write 'count'"),
    ("spelling", "(<= (next (count ?a)) (succ ?a ?A) (true (count ?a)))", "Write '?a'"),
    ("duplicate", "(succ 0 1)", "Remove this statement"),
    ("empty-body", "(<= (succ 1 2))", "Write a fact without '<='"),
    ("needless-parentheses", "(<= terminal (true (over)))\n(next over)", "Write over without"),
    ("unused", "(helper 1)\n(helper 2)", "Remove the relation 'helper'"),
    (
        "unread-fact",
        "(init (lamp on))\n(<= (next (lamp ?x)) (true (lamp ?x)))",
        "Remove the facts 'lamp'",
    ),
    ("keyword-body", "(<= terminal (init (count 1)))", "Write 'true'"),
    (
        "keyword-head",
        "(<= (true over) (does white add))\n(<= terminal (true over))",
        "Write 'next'",
    ),
    ("keyword-term", "(<= terminal (true (true (count 1))))", "Take 'true' out"),
    ("unsafe-head", "(<= (legal ?r stay) (true (count 0)))", "Add the condition (role ?r)"),
    (
        "unsafe-not",
        "(<= terminal\n    (not (true (count ?n))))",
        "Require that none exists, with a relation 'any_count'",
    ),
    ("variable-fact", "(legal ?r stay)", "Add the condition (role ?r)"),
    ("unknown-role", "(legal whit stay)", "Write 'white'"),
    (
        "no-init",
        "(<= (next (control white)) (true (control white)))\n(<= terminal (true (control white)))",
        "Add (init (control white))",
    ),
    ("no-legal", "(role black)\n(goal black 0)", "Add (legal black noop)"),
    ("undefined-value", "(<= (p ?c) (succ ?c c))", "Write '?c'"),
    ("undefined-value", "(<= (p N) (succ N 1))", "Write '?N'"),
    ("misspelt", "(goal whte 0)(p white wihte white)", "Write 'white'"),
    ("misspelt", "(<= (p ?col) (succ ?col ?clo))", "Write '?col'"),
    ("misspelt-keyword", "(gaol x 0)\n(gaol y 0)", "Write 'goal' at all 2 places"),
    ("misspelt-keyword", "(see white it)", "Write 'sees'"),
    ("misspelt-keyword", "(role randon)", "Write 'random'"),
    ("syntax", "(succ 4 5))", "Remove this ')'"),
    ("syntax", "(<= terminal (true (count 0)", "Close it with '))'"),
    ("syntax", "(<= terminal (true (count 1) (succ 0 1))", "Close 'true' with ')'"),
    ("statement", "(:- (legal white stay) (true (count 0)))", "Write '<='"),
    ("statement", "(:- ended (succ 0 1))\n(<= terminal ended)", "Write '<='"),
    ("statement", "(=> (legal white stay) (true (count 0)))", "Write '<='"),
    ("statement", "(=> (true (count 0)) (legal white stay))", "Write (<= (legal white stay) "),
    ("undefined", "(<= terminal (succ 0 1) ! (not (succ 1 2)))", "Leave '!' out"),
    ("statement", "((next over) (succ 0 1))\n(<= terminal (true over))", "Write (<= (next over)"),
    ("statement", "(<= terminal not (succ 0 1))", "Write (not (succ 0 1))"),
    ("statement", "(<= terminal (succ ?a ?b) (?a != ?b))", "Write (distinct ?a ?b)"),
    ("statement", "(<= terminal ((succ 0 1) || (succ 1 0)))", "Write (or (succ 0 1) (succ 1 0))"),
    ("keyword-arity", "(role red blue)", "Write (role red) (role blue)"),
    ("keyword-arity", "(init (p a) (p b))", "Write (init (p a)) (init (p b))"),
    ("keyword-arity", "(terminal (not (succ 0 1)))", "Write (<= terminal (not (succ 0 1)))"),
    ("keyword-term", "(<= terminal (true (not (count 0))))", "Write (not (true (count 0)))"),
    ("undefined", "(<= terminal (!true (count 0)))", "Write (not (true (count 0)))"),
    ("undefined", "(<= terminal !(true (count 0)))", "Write (not (true (count 0)))"),
    ("undefined", "(<= terminal (! (true (count 0))))", "Write (not (true (count 0)))"),
    ("undefined", "(<= terminal (-succ 0 1))", "Write (not (succ 0 1))"),
    ("undefined", "(<= terminal (uncount 0))", "Write (not (true (count 0)))"),
    ("undefined", "(<= terminal (succ 0 1) && (succ 1 2))", "Leave '&&' out"),
    ("undefined", "(<= terminal (|| (succ 0 1) (succ 1 2)))", "Write 'or'"),
    ("undefined", "(<= terminal // when it is\n    (succ 0 1))", "Begin the comment with ';'"),
    ("bare-word", "// turns (red or blue)", "Begin the comment with ';'"),
]


@pytest.mark.parametrize(("code", "added", "title"), CASES)
def test_the_cure_does_away_with_the_finding(code: str, added: str, title: str) -> None:
    """Each is offered where its finding is, and has no need of another one."""
    text = f"{BASE}{added}\n"
    document = gdl.document(text)
    [found] = [one for one in document.diagnostics if one.code == code]

    cures = [cure for cure in document.cures(found) if cure.title.startswith(title)]

    assert len(cures) == 1, document.cures(found)
    after = gdl.document(edited(text, cures[0].edits))
    assert code not in [one.code for one in after.diagnostics], after.text


DENIED = """\
(<= terminal (!unfinished))
(<= terminal !unfinished)
(<= terminal (unfinshed))
(<= terminal finished)
(<= terminal (!true (count 1)))
(<= terminal (true (!count 1)))
(<= terminal (true (not (count 1))))
(<= terminal (true (uncount 1)))
(<= terminal (does white unadd))
(<= terminal (unsucc 0 1))
(<= (next (not (count 1))) (succ 0 1))
(<= (legal white (not add)) (succ 0 1))
(terminal (not unfinished))
(legal white (not add))
(<= (p ?on) (succ ?on ?unon))
(<= terminal (succ 0 ?a) (not (succ ?a ?b)))
(<= terminal (succ ?a ?b) (succ ?b ?c) (not (succ ?c ?z)))
(not unfinished) terminal
terminal :- (not unfinished)
if (not unfinished) terminal
(<= terminal (not unfinished) (role unwhite))
"""


@pytest.mark.parametrize("added", [*DENIED.splitlines(), *(added for _, added, _ in CASES)])
def test_no_cure_makes_a_condition_its_opposite(added: str) -> None:
    """It neither drops nor adds a `not`, nor what denies in a name, but where its title says so."""
    text = f"{BASE}(<= unfinished (true (count 0)))\n{added}\n"
    document = gdl.document(text)
    for found in document.diagnostics:
        for cure in document.cures(found):
            after = edited(text, cure.edits)
            is_told = cure.title.startswith(("Write (not ", "Require that none exists"))
            assert after.count("(not ") == text.count("(not ") or is_told, cure.title
            for edit in cure.edits:
                assert not is_opposite(text[edit.start : edit.end], edit.text), cure.title
            if found.code == "bare-word":
                assert not cure.title.startswith("Remove")


TURNS = """\
(role red) (role blue) (init (control red)) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?p go) (true (control ?p))) (<= (legal ?p stay) (true (control ?p)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (n ?m)) (true (n ?n)) (succ ?n ?m))
(<= terminal (true (n 3))) (goal red 50) (goal blue 50)
"""


def test_the_turn_that_is_given_away_is_first_offered_to_the_other_role() -> None:
    """Taken at its word, the first cure makes a game in which both have turns."""
    text = TURNS + "(<= (next (control ?q)) (true (control ?p)))\n"
    document = gdl.document(text)
    [found] = document.diagnostics

    first, second = document.cures(found)

    assert "for the other role add (role ?q) (distinct ?p ?q) (or is ?p meant" in found.message
    assert second.title == "Write '?p'"
    mended = gdl.read_kif(edited(text, first.edits))
    assert (gdl.check(mended), gdl.check_play(mended)) == ((), ())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(role blue)", "(role blue) (role green) (goal green 0)"),
        ("(next (control ?q)) (true (control ?p))", "(next (n ?q)) (true (n ?p)) (role blue)"),
        ("(next (control ?q))", "(next (control ?q)) (not (true (n ?q)))"),
    ],
)
def test_the_other_role_is_offered_only_where_there_is_one(old: str, new: str) -> None:
    """Not of three, nor for what is no role, nor where a condition names it."""
    text = (TURNS + "(<= (next (control ?q)) (true (control ?p)))\n").replace(old, new)

    assert not any("other role" in one.message for one in gdl.check(text))


def test_what_is_missing_as_a_whole_is_added() -> None:
    """A role and an end."""
    text = "(succ 0 1)"
    for code in ("no-role", "no-terminal"):
        document = gdl.document(text)
        found = next((one for one in document.diagnostics if one.code == code), None)
        if found is not None:
            [cure] = document.cures(found)
            text = edited(text, cure.edits)

    assert "(role player)" in text
    assert "(<= terminal" in text


def test_a_move_is_asked_for_of_the_role_that_is_clear() -> None:
    """By a condition of the rule; where several are there, or none, only the author knows."""
    text = BASE + "(role black)\n(legal black (take 1))\n(goal black 0)\n"
    asked = "(<= (next (mine ?p)) {}(take ?n))\n"
    titles = []
    for condition in ("(true (control ?p)) ", "(role ?p) ", "(role ?p) (goal ?q 0) ", ""):
        document = gdl.document(text + asked.format(condition))
        [found] = [one for one in document.diagnostics if one.code == "undefined"]
        assert found.message.endswith("ask for a move with (does ROLE (take ?n))")
        cures = document.cures(found)
        titles.append([cure.title for cure in cures])
        if cures:
            after = edited(document.text, cures[0].edits)
            assert after.endswith(f"{condition}(does ?p (take ?n)))\n")

    clear = ["Ask for the move of ?p with 'does'"]
    assert titles == [clear, clear, [], []]


def test_nothing_is_removed_or_added_where_rules_are_missing_or_misspelt() -> None:
    """What is unused then is for them."""
    no_goal = BASE.replace("(goal white 100)", "(points 100)\n(init (lamp on))")
    misspelt = BASE.replace("terminal", "termnal")

    for text, codes in (
        (no_goal, {"no-goal", "unused", "unread-fact"}),
        (misspelt, {"misspelt-keyword", "no-terminal"}),
    ):
        document = gdl.document(text)
        assert {one.code for one in document.diagnostics} == codes
        cured = {one.code for one in document.diagnostics if document.cures(one)}
        assert cured == codes & {"misspelt-keyword"}


def test_a_finding_only_its_author_can_cure_has_none() -> None:
    """A variable that stands for no role may mean anything."""
    document = gdl.document(BASE + "(<= (next (count ?q)) (true (count 0)))\n")
    [found] = [one for one in document.diagnostics if one.code == "unsafe-head"]

    assert document.cures(found) == []


def test_a_cure_of_several_changes_makes_a_rule_and_asks_for_it() -> None:
    """With the variables that are known where it is asked for; its name must be free."""
    asked = "(<= terminal\n    (succ ?a ?b)\n    (not (succ ?b ?c)))\n"
    document = gdl.document(BASE + asked)
    [found] = [one for one in document.diagnostics if one.code == "unsafe-not"]
    cure, other = document.cures(found)
    taken = gdl.document(BASE + asked + "(any_succ 1)\n")

    expected = "(not (any_succ ?b)))\n(<= (any_succ ?b) (succ ?b ?c))\n"
    assert edited(document.text, cure.edits).endswith(f"    {expected}")
    left = taken.cures(next(x for x in taken.diagnostics if x.code == "unsafe-not"))
    assert [one.title for one in left] == [other.title] == ["Write '?a'"]


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("(<= (next (pair ?x ?y)) (true (pair ?x ?y)) (not (succ ?x ?yy)))", "?y"),
        ("(<= (next (pair ?x ?yy)) (true (pair ?x ?y)))", "?y"),
        ("(<= (next (pair ?x ?y)) (true (pair ?x ?y)) (distinct ?yx 0))", "?x"),
        ("(<= (legal ?rr stay) (role ?r))", "?r"),
    ],
)
def test_a_variable_that_is_nearly_another_one_is_first_of_all_misspelt(
    rule: str, meant: str
) -> None:
    """Any other cure makes another game; the question stands in the message too."""
    document = gdl.document(BASE + rule)
    [found] = [one for one in document.diagnostics if one.code.startswith("unsafe")]

    assert document.cures(found)[0].title == f"Write '{meant}'"
    assert f"(or is {meant} meant?)" in found.message


def test_a_variable_beside_one_like_it_is_another_one() -> None:
    """Nobody asks whether a number follows itself."""
    document = gdl.document(BASE + "(<= terminal (succ ?x ?y) (not (succ ?y ?yy)))")
    [found] = [one for one in document.diagnostics if one.code == "unsafe-not"]

    titles = [cure.title for cure in document.cures(found)]
    assert titles == ["Require that none exists, with a relation 'any_succ'", "Write '?x'"]


def test_a_condition_is_added_as_the_author_lays_them_out() -> None:
    """On a line of its own, where the others have one."""
    text = BASE + "(<= (legal ?r stay)\n    (true (count 0)))\n"
    document = gdl.document(text)
    [found] = [one for one in document.diagnostics if one.code == "unsafe-head"]
    [cure] = document.cures(found)

    assert edited(text, cure.edits).endswith("\n    (true (count 0))\n    (role ?r))\n")


def test_epilog_has_the_cures_that_put_one_word_for_another() -> None:
    """In its own spelling."""
    text = "role(white)\nlegal(white,add)\nsucc(0,1)\nterminal :- suc(0,1)\ngoal(white,0)\n"
    document = gdl.document(text)
    [found] = [one for one in document.diagnostics if one.code == "undefined"]
    [cure] = document.cures(found)

    assert edited(text, cure.edits) == text.replace("suc(", "succ(")


def test_nothing_is_removed_where_something_is_wrong() -> None:
    """What seems to be used nowhere may be what the faulty rule was to use."""
    document = gdl.document(f"{BASE}(helper 1 2)\n(<= (goal white 1) (helper 1))\n")

    titles = [cure.title for found in document.diagnostics for cure in document.cures(found)]

    assert any(found.code == "unused" for found in document.diagnostics)
    assert not any(title.startswith("Remove") for title in titles)


def test_where_another_variable_may_stand_it_is_offered_beside_none_at_all() -> None:
    """A slip of one letter must not have a fix alone that changes what the rule says."""
    document = gdl.document(BASE + "(<= (p ?a ?b) (succ ?a ?b) (succ ?b ?a) (not (succ ?a ?z)))")
    [found] = [one for one in document.diagnostics if one.code == "unsafe-not"]

    assert "(or is ?b meant, which may stand here?)" in found.message
    assert "Write '?b'" in [cure.title for cure in document.cures(found)]

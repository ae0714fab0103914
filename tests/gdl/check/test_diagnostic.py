"""The wording of a finding: its line, its picture and the order of several."""

from __future__ import annotations

import pytest

import gdl
from gdl.check.diagnostic import CODES
from tests.gdl.check.examples import EXAMPLES, SOUND, Example
from tests.gdl.check.test_play_turns import DOTS

PLAYED = {code for code in CODES if code.startswith("play-")}


def ids(example: Example) -> str:
    """The name of an example in reports."""
    return example.code


@pytest.mark.parametrize("example", EXAMPLES, ids=ids)
def test_fault_is_found_where_it_stands(example: Example) -> None:
    """The finding marks exactly the words at fault and has the severity of its code."""
    findings = gdl.check(example.faulty_text, "rules.kif")

    found = [found for found in findings if found.code == example.code]
    places = [(one.span.line, one.span.column) for one in found]
    texts = [example.faulty_text[one.span.start : one.span.end] for one in found]
    assert (*places, *texts) == (example.place[:2], example.place[2])
    assert str(found[0].severity) == CODES[example.code].severity


@pytest.mark.parametrize("example", EXAMPLES, ids=ids)
def test_sound_twin_has_no_such_finding(example: Example) -> None:
    """The rules as they should be written are not blamed."""
    findings = gdl.check(example.sound_text)

    assert [str(found) for found in findings if found.code == example.code] == []


def test_every_code_has_an_example() -> None:
    """No check is without a known answer; what playing finds is tested beside."""
    assert {example.code for example in EXAMPLES} == CODES.keys() - PLAYED


def test_sound_rulesheet_has_no_finding() -> None:
    """The rulesheet to which the examples are added is clean."""
    assert [str(found) for found in gdl.check(SOUND)] == []


RULES = "(role x)\n(<= (legal ?p (mark ?x))\n    (role ?p))\n(goal x 200)\n"


def test_finding_reads_file_line_column_severity_and_what_is_right() -> None:
    """The line that editors know how to jump to."""
    found = next(one for one in gdl.check(RULES, "rules.kif") if one.code == "unsafe-head")

    assert str(found) == (
        "rules.kif:2:21: error: variable ?x of the head is in no condition; "
        "add a condition that binds it"
    )


def test_picture_marks_the_word_under_its_line() -> None:
    """The caret stands under the first character, tildes under the rest."""
    found = next(one for one in gdl.check(RULES) if one.code == "unsafe-head")

    assert found.picture() == "(<= (legal ?p (mark ?x))\n                    ^~"


def test_findings_come_in_the_order_of_their_places() -> None:
    """The author reads the file and the findings from top to bottom; what may follow is last."""
    findings = gdl.check(f"(p a)\n{RULES}")

    assert [found.severity is gdl.Severity.NOTE for found in findings][-2:] == [False, True]
    starts = [found.span.start for found in findings[:-1]]
    assert len(starts) > 2
    assert starts == sorted(starts)


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        # Relations that only unused ones use, and that a misspelt condition means.
        ("(<= (p ?x) (q ?x))(<= (q ?x) (s ?x))(s a)(s b)", ["unused"]),
        ("(winner x)(winner o)(<= (goal x 50) (winer x))", ["undefined"]),
        ("(sde 1 2)(side 1 2)(side 2 3)(<= (goal x 50) (side 1 2))", ["unused"]),
        # One condition, not that it is recursive as well.
        ("(<= (next (at ?x)) (next (at ?x)))(<= terminal (true (at 1)))", ["keyword-body"]),
        # A fact that is not read, as its name is misspelt.
        (
            "(init (lamp 1))(init (lamp 2))(next (lammp 1))(<= terminal (true (lamp 1)))",
            ["misspelt"],
        ),
        ("(<= (goal whitte 100) (true (step 1)))", ["unknown-role"]),
    ],
)
def test_what_follows_from_a_slip_is_not_told(rules: str, expected: list[str]) -> None:
    """One finding for the cause, beside the one that the role `white` has no goal."""
    codes = [found.code for found in gdl.check(f"{SOUND}(role white){rules}")]

    assert sorted(codes) == sorted(["no-goal", *expected])


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("(next (box ?x ?w)) (true (box ?x ?w))", "(next (box ?x ?w)) (true (bx ?x ?w))", "fact"),
        ("(edge ?e) (not (true (line ?e)))", "(not (true (line ?e)))", "unsafe-head"),
    ],
)
def test_what_playing_shows_of_a_slip_is_not_told(old: str, new: str, code: str) -> None:
    """Facts that a misspelt condition should keep, moves without a value."""
    assert old in DOTS
    rules = gdl.read_kif(DOTS.replace(old, new))

    assert gdl.check(rules)[0].code.endswith(code)
    assert gdl.check_play(rules) == ()


def test_goals_that_are_missing_are_told_once() -> None:
    """Not for each role, nor again after playing."""
    text = "(role x)(role o)(<= (legal ?r go) (role ?r))(next over)(<= terminal (true over))"
    rules = gdl.read_kif(text)

    [found] = [*gdl.check(rules), *gdl.check_play(rules)]

    assert found.code == "no-goal"
    assert found.message.startswith("no role has a goal value; write 'goal' rules, such as 100")


def test_text_that_cannot_be_read_gives_one_finding() -> None:
    """No exception, and no guesses about the rest."""
    findings = gdl.check("(role x\n(role y)", "bad.kif")

    assert [str(found) for found in findings] == ["bad.kif:1:1: error: this '(' is never closed"]


def test_misspelt_relation_gets_the_nearest_name() -> None:
    """`did you mean` names the relation that was meant."""
    findings = gdl.check("(role x)\n(adjacent 1 2)\n(<= (p ?a) (adjacnt ?a 2))")

    messages = [found.message for found in findings if found.code == "undefined"]
    assert messages == [
        "nothing defines 'adjacnt' with 2 argument(s), so it never holds; did you mean 'adjacent'?"
    ]


def test_fact_of_the_state_used_as_a_relation_is_told_to_use_true() -> None:
    """The commonest slip of beginners gets its own hint."""
    findings = gdl.check("(role x)\n(init (cell 1 b))\n(<= terminal (cell 1 b))")

    messages = [found.message for found in findings if found.code == "undefined"]
    assert messages[0].endswith("ask for a fact of the state with (true (cell 1 b))")


def test_epilog_is_checked_as_well() -> None:
    """The other notation gives the same findings, in its own places."""
    findings = gdl.check("role(x)\nlegal(x,go)\ngoal(x,100)\nterminal :- true(stop)", "it.epilog")

    assert [(found.code, found.span.line) for found in findings] == [("undefined-fact", 4)]


def test_a_name_that_is_only_a_little_alike_is_not_proposed() -> None:
    """`more` is no slip for `or`."""
    found = gdl.check(f"{SOUND}(<= (goal ?r 50) (role ?r) (more 1 2))")

    [undefined] = [one for one in found if one.code == "undefined"]
    assert undefined.message.endswith("so it never holds; define it")


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (SOUND.replace("(role x)\n(role o)", "(role x o)"), ["keyword-arity"]),
        (SOUND.replace("(<= terminal", "(=> terminal"), ["statement"]),
        (SOUND.replace("(<= (next", "((next"), ["statement"]),
        (SOUND + "// turns of x (role o) and\n", ["bare-word"]),
        (
            SOUND.replace("terminal\n    (true (step 1))", "terminal (!true (step 1))"),
            ["undefined"],
        ),
    ],
)
def test_what_follows_from_a_statement_that_was_misread_is_not_told(
    rules: str, expected: list[str]
) -> None:
    """Neither that there is no role or end, nor what stands in an expression to be written anew."""
    found = gdl.check(rules)

    assert [one.code for one in found if one.severity is not gdl.Severity.NOTE] == expected


def test_facts_of_the_first_state_that_are_forgotten_are_named() -> None:
    """Rules ask for a value that only `init` can bring."""
    rules = f"{SOUND}(<= (next (box x)) (does x go))(<= (goal x 50) (true (box nobody)))"

    [found] = [one for one in gdl.check(rules) if one.code == "undefined-value"]

    assert "no 'init' makes a fact 'box'; write those of the first state" in found.message

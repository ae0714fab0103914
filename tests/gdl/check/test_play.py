"""The findings of playing at random."""

from __future__ import annotations

import time
from itertools import combinations

import pytest

import gdl
from tests.gdl.check.examples import SOUND

STUCK = """\
(role x)
(role y)
(init (step 0))
(<= (legal ?r go) (role ?r) (true (step 0)))
(legal x wait)
(next (step 1))
(<= terminal (true (step 2)))
(<= (goal ?r 100) (role ?r))
"""
TWO_GOALS = """\
(role x)
(role random)
(legal x go)
(legal random go)
(next done)
(<= terminal (true done))
(goal x 0)
(<= (goal x 100) (true done))
"""
ENDLESS = """\
(role x)
(legal x go)
(<= terminal (true done))
(<= (next done) (true done))
(goal x 0)
"""
GROWING = """\
(role x)
(legal x go)
(init (p a))
(<= (next (p ?x)) (grown ?x))
(grown a)
(<= (grown (f ?x)) (grown ?x))
(<= terminal (true (p b)))
(goal x 0)
"""
COUNTING = """\
(role x)
(legal x go)
(init (count zero))
(<= (next (count (s ?x))) (true (count ?x)))
(<= terminal (true (count done)))
(goal x 0)
"""


def play(text: str, limits: gdl.PlayLimits | None = None) -> list[str]:
    """The findings, each with its code in front."""
    findings = gdl.check_play(gdl.read_kif(text, "it.kif"), limits)
    return [f"{found.code} {found}" for found in findings]


def test_role_without_a_move_is_found_at_its_legal_rule() -> None:
    """The message names the role, the playout and the step; others have moves to choose from."""
    found = play(STUCK + "(legal x run)", gdl.PlayLimits(playouts=1))

    assert found == [
        (
            "play-no-move it.kif:4:6: error: role 'y' has no legal move after 1 steps of "
            "playout 1, but the game is not over; give it one, such as 'noop'"
        )
    ]


TURNS = """\
(role red)
(role blue)
(init (control red))
(<= (legal ?p left) (true (control ?p)))
(<= (legal ?p right) (true (control ?p)))
(<= (next (control blue)) (true (control red)))
(<= terminal (true (control blue)))
(<= (goal ?p 50) (role ?p))
"""


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        (TURNS, "(true (control red))"),
        (TURNS + "(role green)(legal green go)", "(true (control ?other)) (distinct ?other blue)"),
        (TURNS + "(init (control blue))(legal red wait)", None),
        (TURNS.replace("control", "at"), None),
    ],
)
def test_a_role_whose_turn_it_is_not_can_be_given_a_move(text: str, conditions: str | None) -> None:
    """A quick fix, where one fact says whose turn it is."""
    document = gdl.document(text)
    found = gdl.check_play(gdl.read_kif(text), gdl.PlayLimits(playouts=1))

    titles = [cure.title for one in found for cure in document.cures(one)]

    assert titles == ([f"Add (<= (legal blue noop) {conditions})"] if conditions else [])


@pytest.mark.parametrize(
    ("text", "who"),
    [
        (STUCK, "role 'y' has no legal move after 1 steps of playout 1, and no other has a ch"),
        (STUCK.replace("(legal x wait)", ""), "no role has a legal move after 1 steps of playout"),
    ],
)
def test_where_nobody_has_a_choice_the_game_may_be_over(text: str, who: str) -> None:
    """Another move would make a game that never ends."""
    [found] = play(text, gdl.PlayLimits(playouts=2))

    assert f":5: error: {who}" in found  # at the rule for the end
    assert "if the game should end there, add a rule for 'terminal' that holds; if not" in found


def test_a_game_that_goes_on_without_a_choice_may_be_over() -> None:
    """The steps of a game that is decided need not be counted."""
    text = STUCK.replace("(true (step 0))", "").replace("(legal x wait)", "")
    text += "(<= (legal x wait) (true (step 0)))"

    [found] = play(text, gdl.PlayLimits(playouts=1, steps=20))

    assert "no role has had a choice since step 1; if the game should end" in found


def test_a_game_that_is_over_at_once_is_found_at_the_rule_that_holds() -> None:
    """Not rules that have no other state."""
    text = SOUND + "(<= terminal (not (role x)))\n(<= terminal (not (true (step 2))))"

    found = play(text, gdl.PlayLimits(playouts=2))
    still = play("(role x)(legal x go)(goal x 0)\n(<= terminal (role x))")

    [over] = [one for one in found if one.startswith("play-over")]
    assert over.startswith("play-over it.kif:15:5: warning: the game is over before the first")
    assert still == []


def test_two_goal_values_at_the_end_are_found() -> None:
    """Each role has exactly one value at the end; the role of chance needs none."""
    found = play(TWO_GOALS, gdl.PlayLimits(playouts=3))

    assert found == [
        (
            "play-goals it.kif:7:2: warning: role 'x' does not have exactly one goal value from 0 "
            "to 100 at the end of playout 1, after 1 steps: it has 0 and 100 (in 3 of 3 playouts)"
        )
    ]


@pytest.mark.parametrize(("steps", "is_found"), [(1, False), (0, True)])
def test_game_that_ends_with_the_last_step_has_ended(steps: int, is_found: bool) -> None:
    """A bound of n steps allows n joint moves."""
    found = play(TWO_GOALS, gdl.PlayLimits(playouts=1, steps=steps))

    assert any(one.startswith("play-endless") for one in found) is is_found


def test_game_that_does_not_end_is_found_at_its_terminal_rule() -> None:
    """The message names the bound of steps."""
    found = play(ENDLESS, gdl.PlayLimits(playouts=2, steps=30))

    assert found == [
        (
            "play-endless it.kif:3:5: warning: "
            "playout 1 is not over after 30 steps; a game must end, so count the steps in the "
            "state, or allow more steps for the check (in 2 of 2 playouts)"
        )
    ]


def test_rules_that_grow_without_bound_are_an_error_and_not_a_hang() -> None:
    """Giving up in the interpreter is a finding."""
    found = play(GROWING, gdl.PlayLimits(playouts=1))

    assert [" ".join(one.split()[:2]) for one in found] == ["play-failed it.kif:6:6:"]


def test_a_counter_that_grows_is_told_soon_and_where() -> None:
    """Compiling such rules takes all the time that it is given; they fail without it at once."""
    start = time.monotonic()

    (found,) = play(COUNTING)

    assert time.monotonic() - start < 10
    assert found.startswith("play-failed it.kif:4:6: error: playout 1, after 199 steps: function")
    assert "terms of 'count' grow without bound" in found


def test_time_is_bounded_and_the_cut_is_told() -> None:
    """With no time at all the first playout stops before its first move."""
    found = play(ENDLESS, gdl.PlayLimits(playouts=2, seconds=0))

    assert [one.split()[0] for one in found] == ["play-time"]


PIGEONS = [f"?p{number}" for number in range(12)]  # in eleven holes
SLOW = (
    "(role x) (init (s 0)) (succ 0 1) (succ 1 2) (legal x go) (<= terminal (true (s 2)))"
    "(<= (next (s ?m)) (true (s ?n)) (succ ?n ?m)) (goal x 100)"
    + " ".join(f"(hole {number})" for number in range(11))
    + "(<= (slow ?p0)"
    + " ".join(f"(hole {one})" for one in PIGEONS)
    + " ".join(f"(distinct {one} {other})" for one, other in combinations(PIGEONS, 2))
    + ")"
)


@pytest.mark.parametrize("seconds", [0.2, pytest.param(7.0, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("part", ["init (s ?n)", "legal x ?n", "next (s ?n)", "sees x ?n"])
def test_all_parts_share_one_deadline(part: str, seconds: float) -> None:
    """Evaluating, compiling and grounding would each take minutes, and stop when time is over."""
    begin = time.monotonic()

    play(f"{SLOW}(<= ({part}) (slow ?n))", gdl.PlayLimits(seconds=seconds))

    assert time.monotonic() - begin < seconds + 8


def test_playing_is_repeatable() -> None:
    """The same seed gives the same findings."""
    limits = gdl.PlayLimits(playouts=4, seed=7)

    assert play(STUCK, limits) == play(STUCK, limits)


def test_sound_game_has_no_finding() -> None:
    """A well-formed game is played to its end in silence."""
    assert play(SOUND, gdl.PlayLimits(playouts=3)) == []


def test_progress_counts_playouts_and_steps() -> None:
    """A watcher sees every state of every playout."""
    seen: list[tuple[int, int]] = []

    gdl.check_play(gdl.read_kif(TWO_GOALS), gdl.PlayLimits(playouts=2), lambda *at: seen.append(at))

    assert seen == [(1, 0), (1, 1), (2, 0), (2, 1)]


@pytest.mark.parametrize("text", ["(role x) ()", "(p a)"])
def test_unplayable_rulesheet_is_not_played(text: str) -> None:
    """An error that `check` reports already is not reported twice."""
    assert play(text) == []


SEEING = """\
(role x)
(role y)
(role random)
(init (step 0))
(<= (legal ?r go) (role ?r))
(<= (next (step 1)) (true (step 0)))
(<= terminal (true (step 1)))
(goal x 50)
(goal y 50)
(side left)
{}
"""


AT = "(<= (sees {} (at ?n)) (role ?r) (true (step ?n)))\n"
DEAF = "2:1: warning: role 'y' can see nothing but its own moves: no 'sees' rule ever holds for it"
NEVER = "12:6: warning: this percept can never occur, because its conditions never hold together"
TICK = "12:6: warning: role 'y' sees tick after every move, so this percept tells the role nothing"


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (AT.format("x") + "(<= (sees y gone) (does x stay))", [DEAF, NEVER]),
        (AT.format("?r") + "(<= (sees x hi) (does y went))", [NEVER]),
        (AT.format("x") + "(<= (sees y tick) (side ?s) (not (true (step 7))))", [TICK]),
        # Chance may see what it likes, and what the text shows is not told again.
        (AT.format("?r") + "(<= (sees random hi) (not (true (step 7))))\n(sees y hi)", []),
    ],
)
def test_percepts_that_tell_nothing_are_named(rules: str, expected: list[str]) -> None:
    """The rules without variables show what can be seen in any state at all."""
    found = gdl.check_play(gdl.read_kif(SEEING.format(rules), "it.kif"))

    assert [str(one) for one in found if one.code == "play-sees"] == [
        f"it.kif:{text}" for text in expected
    ]


RARE = "(<= (sees x both) (true (step 0)) (true (light on)))\n"
LIGHT = "(init (light off))(<= (next (light on)) (true (light off)))"


@pytest.mark.parametrize(("playouts", "expected"), [(5, ["12:6: note"]), (4, [])])
def test_a_percept_that_no_game_has_shown_is_noted(playouts: int, expected: list[str]) -> None:
    """Its conditions do not hold together, and only playing shows it; a few games may miss it."""
    rules = SEEING.format(f"{AT.format('?r')}{RARE}{LIGHT}")

    found = gdl.check_play(gdl.read_kif(rules, "it.kif"), gdl.PlayLimits(playouts=playouts))

    assert [str(one).partition(": no role")[0] for one in found] == [
        f"it.kif:{text}" for text in expected
    ]


def test_percepts_of_rules_that_do_not_ground_are_not_looked_at() -> None:
    """They may be seen or not, and the check never raises."""
    rules = SEEING.format("(<= (next (p (f ?x))) (true (p ?x)))(init (p a))(<= (sees x b) (p c))")

    found = gdl.check_play(gdl.read_kif(rules), gdl.PlayLimits(playouts=1, seconds=0.1))

    assert "play-sees" not in {one.code for one in found}

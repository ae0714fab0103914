"""The ground program says what the interpreter says, however its clauses are rewritten."""

from __future__ import annotations

import pytest

import gdl
from gdl.ground import Budget, GroundingError, Reason
from gdl.ground.grounding import GroundingLimits, ground, prepare
from gdl.rulesheet import Relation
from ggp import games
from tests.gdl.ground import randomrules
from tests.gdl.ground.evaluate import Evaluator
from tests.gdl.ground.lockstep import assert_agrees
from tests.shared import require
from tests.thorough import KINDS, all_but

pytestmark = pytest.mark.usefixtures("kernels")

_CORPUS = (
    "2pttc",
    "beatMania",  # the random role
    "bomberman2p",
    "chinook",
    "dresden_Tetris",
    "hanoi",
    "linesOfAction",  # recursion inside a state
    "minichess",
    "nim1",  # function terms
    "tron_10x10",
    "wallmaze",
)


@pytest.mark.parametrize("name", all_but(KINDS, games.names()))
def test_bundled_games_agree_with_the_interpreter(name: str) -> None:
    """Legal moves, next states, ends and goals are the same in all states of random playouts."""
    rulesheet = gdl.read_rules(games.text(name), name)

    program = ground(rulesheet)

    assert assert_agrees(rulesheet, program, plies=40, seconds=3) > 0


@pytest.mark.parametrize("name", all_but(["hex", "nim"], games.names("epilog")))
def test_games_in_epilog_agree_with_the_interpreter(name: str) -> None:
    """The relations that come with Epilog (arithmetic, lists, counting) are grounded as well."""
    rulesheet = gdl.read_rules(games.text(name, "epilog"), name)

    program = ground(rulesheet)

    assert assert_agrees(rulesheet, program, plies=25, seconds=2) > 0


@pytest.mark.parametrize("name", all_but(["beatMania", "nim1"], _CORPUS))
def test_corpus_games_agree_with_the_interpreter(name: str) -> None:
    """So do rulesheets of other authors."""
    path = require("corpus", "rules", f"{name}.kif")
    rulesheet = gdl.read_rules(path.read_text(errors="replace"), name)

    program = ground(rulesheet)

    assert assert_agrees(rulesheet, program, plies=25, seconds=2) > 0


_STRANGE = """
(role Wei\u00df) (role |x|) (init (s-1 +)) (init (f (g +) 1.5)) (legal ?r (do ?r <=>))
(<= (next (f ?x ?y)) (true (f ?x ?y)) (not (true (s-1 -))))
(<= (next (s-1 -)) (or (true (s-1 +)) (true (f a b))) (or (does |x| ?m) (does Wei\u00df ?m)))
(<= (goal ?r 100) (role ?r) (true (s-1 ?z)) (not (distinct ?z -)))
(<= (goal ?r many) (role ?r))
(<= terminal (true (s-1 ?z)) (distinct ?z +) (not (none ?w)))
(<= (none ?w) (true (nothing ?w)))
"""

_SECRETS = """
(role a) (role random) (init (coin none))
(<= (legal random (toss ?s)) (side ?s)) (legal a wait) (side heads) (side tails)
(<= (next (coin ?s)) (does random (toss ?s)))
(<= (sees a (coin ?s)) (does random (toss ?s)))
(<= (sees a nothing) (true (coin none)))
(<= (goal a 100) (true (coin heads))) (goal a 0) (goal random 0)
(<= terminal (true (coin ?s)) (distinct ?s none))
"""

_ALWAYS = """
(role a) (init p) (next p) (next q) (legal a stay) (<= (legal a go) (true q)) (goal a 40)
(<= terminal (true p) (true q))
"""

# Nothing that random does is ever seen in what may be done, in the goals or in the end.
_HIDDEN_FOR_GOOD = """
(role a) (role random) (init (round 0)) (colour red) (colour blue)
(<= (legal random (arm ?c)) (colour ?c)) (legal a wait)
(<= (next (armed ?c)) (does random (arm ?c))) (<= (next (round 1)) (true (round 0)))
(<= (sees a ?c) (true (armed ?c)))
(goal a 50) (goal random 0) (<= terminal (true (round 5)))
"""

# A head that is open for who sees stands for every role.
_TOLD_TO_ALL = """
(role a) (role b) (init (turn a)) (next_player a b) (next_player b a) (claim high) (claim low)
(<= (legal ?p ?c) (true (turn ?p)) (claim ?c)) (<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
(<= (next (turn ?q)) (true (turn ?p)) (next_player ?p ?q))
(<= (sees ?q (does ?p ?m)) (does ?p ?m) (distinct ?m noop))
(goal a 50) (goal b 50) (<= terminal (true (turn c)))
"""

# No fact ever changes, and a wire that is cut in vain tells which one is armed.
_STILL = """
(role a) (role random) (init (armed red)) (colour red) (colour blue)
(legal random wait) (<= (legal a (cut ?c)) (colour ?c))
(<= (next (armed ?c)) (true (armed ?c)))
(<= (sees a safe) (does a (cut ?c)) (not (true (armed ?c))))
(<= (goal a 100) (true (armed blue))) (goal a 0) (goal random 0)
(<= terminal (true (armed blue)))
"""


# The relation `goal` depends on its own negation, no atom does.
_OTHERWISE = """
(role a) (init p) (<= (next p) (does a x)) (legal a x) (legal a y)
(<= (goal a 100) (true p)) (<= (goal a 0) (not (goal a 100))) (<= terminal (not (true p)))
"""


@pytest.mark.parametrize(
    "text", [_STRANGE, _SECRETS, _ALWAYS, _HIDDEN_FOR_GOOD, _TOLD_TO_ALL, _STILL, _OTHERWISE]
)
def test_odd_rulesheets_agree_with_the_interpreter(text: str) -> None:
    """Names of any shape, unsafe negation, goals without value, chance, percepts, plain facts."""
    rulesheet = gdl.read_kif(text)

    program = ground(rulesheet)

    assert assert_agrees(rulesheet, program, plies=12) == 12


def test_facts_of_a_game_keep_the_spelling_of_its_rulesheet() -> None:
    """Moves and facts are the interned terms of the rulesheet."""
    program = ground(gdl.read_kif("(role Me) (init (Cell 1 A)) (legal me (Go (to a)))"))

    assert [str(fact) for fact in program.bases] == ["(Cell 1 a)"]
    assert [(role, str(move)) for role, move in program.inputs] == [(0, "(Go (to a))")]


def test_inputs_of_a_role_stand_together() -> None:
    """Whatever order the rules have."""
    program = ground(gdl.read_kif("(role a) (role b) (legal b x) (legal a x) (legal b y)"))

    assert [role for role, _ in program.inputs] == [0, 1, 1]


def test_what_is_recursive_in_a_state_keeps_its_least_model() -> None:
    """A cycle of atoms does not support itself."""
    rulesheet = gdl.read_kif(
        "(role a) (init (at 1)) (legal a x) (<= (next (at ?n)) (reach ?n))"
        "(<= (reach ?n) (true (at ?n))) (<= (reach ?m) (reach ?n) (edge ?n ?m))"
        "(edge 1 2) (edge 2 3) (edge 3 2) (edge 4 5) (edge 5 4)"
    )
    evaluator = Evaluator(ground(rulesheet))

    after = evaluator.next(evaluator.model(evaluator.initial()))

    assert sorted(map(str, after)) == ["(at 1)", "(at 2)", "(at 3)"]


_ENDLESS = "(role a) (init (n z)) (legal a x) (<= (next (n (s ?x))) (true (n ?x)))"
_PAIRS = "(<= (next (n (p ?x ?y))) (true (n ?x)) (true (n ?y)))"
_DIGITS = " ".join(f"(digit {digit})" for digit in range(60))
_PRODUCT = (  # 60 to the 8th instances, and hardly any of them holds
    "(role a) (legal a x) (<= (next (n ?a)) (digit ?a) (digit ?b) (digit ?c) (digit ?d) (digit ?e)"
    "(digit ?f) (digit ?g) (digit ?h) (distinct (p ?a ?b ?c ?d) (p ?e ?f ?g ?h)) (true (n ?a))"
    "(not (true (q ?a ?b ?c ?d ?e ?f ?g ?h)))) (init (n 0)) (init (q 0 0 0 0 0 0 0 0))"
)


@pytest.mark.parametrize("rules", [_ENDLESS, _ENDLESS + _PAIRS, _PRODUCT + _DIGITS])
def test_a_game_without_end_exhausts_its_seconds(rules: str) -> None:
    """Whether it is without end because of many rounds or of many instances in one round."""
    with pytest.raises(GroundingError) as error:
        ground(gdl.read_kif(rules), Budget(seconds=0.1, memory=1 << 40))

    assert error.value.reason is Reason.TIME
    assert "0.1 s" in str(error.value)


@pytest.mark.parametrize("rules", [_ENDLESS + _PAIRS, _PRODUCT + _DIGITS])
def test_a_game_without_end_exhausts_its_memory(rules: str) -> None:
    """Whether there are many atoms or many instances of one clause."""
    with pytest.raises(GroundingError) as error:
        ground(gdl.read_kif(rules), Budget(seconds=120, memory=60 * 2**20))

    assert error.value.reason is Reason.MEMORY
    assert "60 MiB" in str(error.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(role a) (<= (init p) (true q))", Reason.STATELESS),
        ("(role a) (<= (legal a x) (does a y))", Reason.STATELESS),
        (
            "(role a) (init s) (legal a x) (<= (next p) q) (<= q (true s) (not r)) (<= r (not q))",
            Reason.UNSTRATIFIED,
        ),
        ("(role a) (<= (next p) (q ?x)) (<= (q ?y) (true p))", Reason.UNSAFE),
        ("(role a) (role b) (init p) (legal a x) (<= (legal b X) (q X)) (q y)", Reason.MOVELESS),
    ],
)
def test_rules_without_a_single_meaning_are_refused(text: str, reason: Reason) -> None:
    """The reason is told apart from a lack of time."""
    with pytest.raises(GroundingError) as error:
        ground(gdl.read_kif(text))

    assert error.value.reason is reason


def test_a_rulesheet_without_role_is_refused() -> None:
    """As every reasoner refuses it."""
    with pytest.raises(gdl.RulesheetError, match="no role"):
        ground(gdl.read_kif("(init p)"))


EVERYTHING = GroundingLimits(on_demand=1, gain=1, unfolded=1)


_SEEDS = range(16)


@pytest.mark.parametrize("seed", all_but(range(3), _SEEDS))
def test_relations_on_demand_agree_with_the_interpreter(seed: int) -> None:
    """Random rules: recursion, negation and open arguments, whatever can be on demand is."""
    rulesheet = gdl.read_kif(randomrules.rulesheet(seed))

    program = ground(rulesheet, limits=EVERYTHING)

    assert assert_agrees(rulesheet, program, plies=12) > 0


def test_the_random_rules_put_relations_on_demand() -> None:
    """Most of them do, so that the law above says something."""
    sheets = [gdl.read_kif(randomrules.rulesheet(seed)) for seed in _SEEDS]

    assert sum(bool(prepare(sheet, EVERYTHING).asked) for sheet in sheets) > len(_SEEDS) // 2


@pytest.mark.parametrize("seed", all_but(range(2), range(4)))
def test_rules_computed_as_a_whole_agree_with_the_interpreter(seed: int) -> None:
    """The same rules without demand."""
    rulesheet = gdl.read_kif(randomrules.rulesheet(seed))

    program = ground(rulesheet)

    assert assert_agrees(rulesheet, program, plies=12) > 0


_ON_DEMAND = ("chess_200", "checkers", "crisscross", "knightThrough", "minichess", "wargame03")


@pytest.mark.parametrize("name", all_but(["minichess"], _ON_DEMAND))
def test_corpus_games_on_demand_agree_with_the_interpreter(name: str) -> None:
    """Rulesheets of other authors."""
    path = require("corpus", "rules", f"{name}.kif")
    rulesheet = gdl.read_rules(path.read_text(errors="replace"), name)

    program = ground(rulesheet, limits=EVERYTHING)

    assert assert_agrees(rulesheet, program, plies=15, seconds=2) > 0


def test_what_threatens_in_chess_is_asked() -> None:
    """Otherwise its threats hold for every piece that could be left aside: it would not ground."""
    path = require("corpus", "rules", "chess.kif")
    rulesheet = gdl.read_rules(path.read_text(errors="replace"), "chess")

    plan = prepare(rulesheet)

    heads = [clause for clause in plan.clauses if clause.relation.name == "threatened_with_capture"]
    assert heads
    for clause in heads:
        assert Relation.of(clause.positive[0]) in plan.asked


def test_a_game_without_large_relations_is_only_split() -> None:
    """Nothing else is done to it."""
    rulesheet = gdl.read_kif(randomrules.rulesheet(0))

    assert not prepare(rulesheet).asked

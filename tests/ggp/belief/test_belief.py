"""Beliefs in games of incomplete information, on lanes and by the interpreter."""

from __future__ import annotations

import random
import threading
from typing import Final

import numpy as np
import pytest

import gdl
from ggp.belief import Belief, first_information
from ggp.belief.information import Words
from ggp.belief.plain_stepper import PlainStepper
from ggp.belief.worlds import Numbers, Weights
from ggp.clock import Deadline
from tests.ggp.belief.games import BOXES, COIN, DICE, HIDDEN, WORDS

pytestmark = pytest.mark.usefixtures("kernels")

ENGINES: Final[tuple[gdl.Engine, ...]] = ("interpreter", "scalar")

WAIT = gdl.Constant("wait")


def term(text: str) -> gdl.Term:
    """A term of any game."""
    return gdl.read_term(text)


def seen(*percepts: str) -> frozenset[gdl.Term]:
    """Percepts."""
    return frozenset(map(term, percepts))


def believed(engine: gdl.Engine, *percepts: str) -> tuple[gdl.Game, Belief]:
    """The guesser's belief after waiting and hearing something."""
    game = gdl.load(COIN, engine)
    belief = Belief(game, game.roles[0], seed=1)
    belief.advance(WAIT, seen(*percepts))
    return game, belief


def sides(game: gdl.Game, belief: Belief) -> set[str]:
    """The sides of the coin in the worlds held possible."""
    facts = {str(fact) for state in belief.worlds.states for fact in game.facts(state)}
    return {fact for fact in facts if fact.startswith("(lies")}


@pytest.mark.parametrize("engine", ENGINES)
def test_worlds_agree_with_what_was_seen(engine: gdl.Engine) -> None:
    """All of them, and no other, where they are few."""
    assert sides(*believed(engine, "clang")) == {"(lies edge)"}
    assert sides(*believed(engine, "tick")) == {"(lies heads)", "(lies tails)"}
    assert believed(engine, "tick")[1].is_complete


@pytest.mark.parametrize("engine", ENGINES)
def test_worlds_are_carried_on(engine: gdl.Engine) -> None:
    """The next turn starts from what was believed."""
    game, belief = believed(engine, "tick")

    belief.advance(term("(guess heads)"), frozenset())

    assert sides(game, belief) == {"(lies heads)", "(lies tails)"}
    assert belief.is_consistent
    assert [turn.own_move for turn in belief.turns] == [WAIT, term("(guess heads)")]


@pytest.mark.parametrize("engine", ENGINES)
def test_an_impossible_percept_leaves_a_world_to_play_in(engine: gdl.Engine) -> None:
    """Made up, and known to be."""
    for percepts in (("bang",), ("tick", "clang")):
        game, belief = believed(engine, *percepts)

        assert not belief.is_consistent
        assert not belief.is_complete
        assert game.legal_moves(belief.sample().state, game.roles[0])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_move_that_the_role_never_has_leaves_a_world_to_play_in(engine: gdl.Engine) -> None:
    """Whatever a manager says was made."""
    game = gdl.load(COIN, engine)
    belief = Belief(game, game.roles[0])

    belief.advance(term("(guess nothing)"), seen("tick"))

    assert not belief.is_consistent
    assert game.legal_moves(belief.sample().state, game.roles[0])


@pytest.mark.parametrize("engine", ENGINES)
def test_knowing_the_state_ends_all_doubt(engine: gdl.Engine) -> None:
    """A manager may tell more than percepts."""
    _, belief = believed(engine, "bang")
    state = belief.worlds.states[0]

    belief.know(state)

    assert list(belief.worlds.states) == [state]
    assert belief.is_consistent
    assert belief.is_complete
    assert belief.turns == ()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_joint_move_is_possible_if_it_is_legal_in_a_world(engine: gdl.Engine) -> None:
    """Legality tells moves from percepts in a message that does not."""
    game = gdl.load(COIN, engine)
    belief = Belief(game, game.roles[0], seed=1)
    edge = term("(throw edge)")

    assert belief.is_possible((WAIT, edge))
    assert not belief.is_possible((edge, WAIT))
    assert not belief.is_possible((WAIT, term("bang")))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_world_tells_the_joint_move_that_led_to_it(engine: gdl.Engine) -> None:
    """And none before the first turn."""
    game = gdl.load(COIN, engine)
    belief = Belief(game, game.roles[0])
    assert belief.sample().joint_move is None

    belief.advance(WAIT, seen("clang"))

    assert belief.sample().joint_move == (WAIT, term("(throw edge)"))


@pytest.mark.parametrize("engine", ENGINES)
def test_worlds_weigh_as_much_as_chance_makes_them_likely(engine: gdl.Engine) -> None:
    """Red is certain from the box of one card, and seen in two of three from the other."""
    game = gdl.load(BOXES, engine)
    belief = Belief(game, game.roles[0])
    belief.advance(WAIT, frozenset())

    belief.advance(WAIT, seen("red"))

    likely = {str(fact): share for fact, share in belief.probabilities().items()}
    assert likely == pytest.approx(
        {"(in one)": 0.6, "(in three)": 0.4, "(drawn a)": 0.8, "(drawn b)": 0.2}
    )


@pytest.mark.parametrize(
    ("engine", "num_samples", "tolerance"),
    [
        ("scalar", 60, 0.12),
        *(pytest.param(each, 200, 0.08, marks=pytest.mark.thorough) for each in ENGINES),
    ],
)
def test_a_sample_weighs_as_much_as_all_worlds_would(
    engine: gdl.Engine, num_samples: int, tolerance: float
) -> None:
    """Where there is room for two worlds only, the mean of many samples is right."""
    game = gdl.load(BOXES, engine)
    in_one = []
    for seed in range(num_samples):
        belief = Belief(game, game.roles[0], seed, max_worlds=2)
        belief.advance(WAIT, frozenset())
        belief.advance(WAIT, seen("red"))
        assert belief.worlds.num <= 2
        assert not belief.is_complete
        in_one.append(belief.probabilities().get(term("(in one)"), 0.0))

    assert np.mean(in_one) == pytest.approx(0.6, abs=tolerance)


@pytest.mark.parametrize("engine", ENGINES)
def test_what_percepts_name_is_found_among_many_joint_moves(engine: gdl.Engine) -> None:
    """One of 144 agrees in each of 35 turns. As in a backgammon that was lost so."""
    game = gdl.load(DICE, engine)
    belief, rng, state = Belief(game, game.roles[0], seed=1), random.Random(1), game.initial_state()
    for _ in range(35):
        moves = tuple(rng.choice(game.legal_moves(state, role)) for role in game.roles)
        percepts = frozenset(game.percepts(state, moves, game.roles[0]))
        state = game.next_state(state, moves)

        belief.advance(WAIT, percepts, Deadline.after(60))

        assert list(belief.worlds.states) == [state]
        assert belief.is_complete


@pytest.mark.parametrize("engine", ENGINES)
def test_moves_that_percepts_name_are_not_looked_for_among_all(engine: gdl.Engine) -> None:
    """One of 8,000 agrees in each turn, and only some hundred can be tried."""
    game = gdl.load(WORDS, engine)
    belief = Belief(game, game.roles[0], seed=1, max_worlds=16)
    rng, state = random.Random(1), game.initial_state()
    for _ in range(4):
        moves = tuple(rng.choice(game.legal_moves(state, role)) for role in game.roles)
        percepts = frozenset(game.percepts(state, moves, game.roles[0]))
        state = game.next_state(state, moves)

        belief.advance(WAIT, percepts, Deadline.after(60))

        assert list(belief.worlds.states) == [state]
        assert not belief.is_complete


@pytest.mark.parametrize(
    ("engine", "num_seeds"),
    [("scalar", 2), *(pytest.param(each, 4, marks=pytest.mark.thorough) for each in ENGINES)],
)
def test_a_sample_that_runs_dry_is_drawn_anew_from_earlier_turns(
    engine: gdl.Engine, num_seeds: int
) -> None:
    """900 worlds, room for 64, and a percept that only one of them agrees with."""
    game = gdl.load(HIDDEN, engine)
    num_found = 0
    for seed in range(num_seeds):
        belief = Belief(game, game.roles[0], seed, max_worlds=64)
        belief.advance(WAIT, frozenset())
        belief.advance(WAIT, frozenset())
        assert belief.worlds.num <= 64
        assert not belief.is_complete

        belief.advance(WAIT, seen(f"(first {seed})", "(second 7)"), Deadline.after(60))

        facts = set(map(str, belief.probabilities()))
        num_found += {f"(first {seed})", "(second 7)"} <= facts
        assert belief.is_consistent == ("(second 7)" in facts)

    assert num_found >= num_seeds - 1


@pytest.mark.parametrize("engine", ENGINES)
def test_a_sample_that_runs_dry_for_good_ends_in_time(engine: gdl.Engine) -> None:
    """Nothing agrees with what was seen: the deadline ends the search."""
    game = gdl.load(HIDDEN, engine)
    belief = Belief(game, game.roles[0], 1, max_worlds=64)
    for _ in range(2):
        belief.advance(WAIT, frozenset())
    deadline = Deadline.after(0.1)

    belief.advance(WAIT, seen("(first 1)", "(first 2)"), deadline)

    assert deadline.is_over()
    assert not belief.is_consistent
    assert belief.worlds.num == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_looking_for_more_ends_as_soon_as_somebody_wants_that(engine: gdl.Engine) -> None:
    """Without that it would not end."""
    game = gdl.load(HIDDEN, engine)
    belief = Belief(game, game.roles[0], 1, max_worlds=64)
    for percepts in (seen(), seen(), seen("(first 1)", "(first 2)")):
        belief.advance(WAIT, percepts, Deadline.after(-1))
    deadline = Deadline.never()
    threading.Timer(0.05, deadline.end).start()

    belief.widen(deadline)

    assert deadline.is_over()
    assert not belief.is_consistent


@pytest.mark.parametrize("engine", ENGINES)
def test_what_there_was_no_time_for_is_found_later(engine: gdl.Engine) -> None:
    """Though no world was found before, and however often it is broken off too early."""
    game = gdl.load(HIDDEN, engine)
    belief = Belief(game, game.roles[0], 1)
    for percepts in (seen(), seen(), seen("(first 3)", "(second 7)")):
        belief.advance(WAIT, percepts, Deadline.after(-1))
    assert belief.is_thin == (engine == "interpreter")

    for seconds in (0, 0.01, 60):
        belief.widen(Deadline.after(seconds))

    assert belief.is_complete
    assert {"(first 3)", "(second 7)"} <= set(map(str, belief.probabilities()))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_belief_moves_to_another_reasoner(engine: gdl.Engine) -> None:
    """What was learned is learned again there."""
    game, belief = believed(engine, "tick")
    for other_engine in ENGINES:
        other_game = gdl.load(COIN, other_engine)

        other = belief.on(other_game, Deadline.after(10))

        assert sides(other_game, other) == sides(game, belief)
        assert other.turns == belief.turns
        assert other.is_complete


def test_there_is_more_room_on_the_compiled_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter holds fewer worlds, lanes as many as were asked for."""
    monkeypatch.setattr(PlainStepper, "room", 64)
    rules = COIN.replace("(side edge)", "".join(f"(side s{n}) " for n in range(50)))
    slow, fast = (gdl.load(rules, engine) for engine in ENGINES)
    belief = Belief(slow, slow.roles[0])
    belief.advance(WAIT, seen("tick"), Deadline.after(20))
    assert belief.worlds.num == 16
    assert not belief.is_complete

    other = belief.on(fast, Deadline.after(20))

    assert other.worlds.num == 52
    assert other.is_complete


@pytest.mark.parametrize("engine", ENGINES)
def test_worlds_in_which_the_game_is_over_go_when_it_is_not(engine: gdl.Engine) -> None:
    """Whoever is asked for a move knows that much."""
    rules = COIN + "(<= terminal (true (lies edge)))"
    rules = rules.replace("(<= (sees guesser clang)", "(<= (sees guesser tick)")
    game = gdl.load(rules, engine)
    belief = Belief(game, game.roles[0])
    belief.advance(WAIT, seen("tick"))
    assert belief.worlds.num == 3

    belief.assume(is_over=False)

    assert sides(game, belief) == {"(lies heads)", "(lies tails)"}
    assert belief.worlds.weights.tolist() == pytest.approx([0.5, 0.5])
    assert belief.turns[-1].is_over is False
    belief.assume(is_over=True)
    assert belief.worlds.num == 2  # nobody says why


@pytest.mark.parametrize("engine", ENGINES)
def test_the_end_of_the_game_is_known_if_it_is_told(engine: gdl.Engine) -> None:
    """Only worlds remain that agree with that."""
    game = gdl.load(COIN + "(<= terminal (true (lies heads)))", engine)
    for is_over, expected in ((True, {"(lies heads)"}), (False, {"(lies tails)"})):
        belief = Belief(game, game.roles[0])

        belief.advance(WAIT, seen("tick"), is_over=is_over)

        assert sides(game, belief) == expected


def test_the_others_moves_are_as_likely_as_a_model_says() -> None:
    """Chance stays as it is."""
    rules = """
        (role me) (role you) (role random) (init start)
        (legal me wait) (legal you a) (legal you b) (legal random x) (legal random y)
        (<= (next (made ?role ?m)) (does ?role ?m)) (sees me nothing)
        (<= terminal (true (made ?role ?m))) (goal me 0) (goal you 0) (goal random 0)
    """
    game = gdl.load(rules, "scalar")
    belief = Belief(game, game.roles[0])
    asked = []

    def model(role: int, known: Words, moves: Numbers) -> Weights:
        asked.append((role, set(known.tolist())))
        return np.where(moves == 0, 1.8, 0.2)

    belief.trust(model)
    belief.advance(WAIT, seen("nothing"))

    likely = {str(fact): share for fact, share in belief.probabilities().items()}
    assert likely == pytest.approx(
        {
            "(made me wait)": 1,
            "(made you a)": 0.9,
            "(made you b)": 0.1,
            "(made random x)": 0.5,
            "(made random y)": 0.5,
        }
    )
    assert asked == [(1, {first_information(1)})]


def test_what_the_others_know_tells_worlds_apart() -> None:
    """Two worlds with the same state are two if another role saw different things."""
    rules = """
        (role me) (role you) (role random) (init (turn 1))
        (legal me wait) (legal you wait) (legal random (say a)) (legal random (say b))
        (<= (next (turn 2)) (true (turn 1)))
        (<= (sees you ?x) (does random (say ?x)))
        (<= terminal (true (turn 2))) (goal me 0) (goal you 0) (goal random 0)
    """
    game = gdl.load(rules, "scalar")
    roomy, narrow = (Belief(game, game.roles[0], 1, max_worlds) for max_worlds in (2, 1))

    roomy.advance(WAIT, frozenset())
    narrow.advance(WAIT, frozenset())

    assert len(set(roomy.worlds.states)) == 1
    assert roomy.worlds.num == 2
    assert len({tuple(row) for row in roomy.worlds.known.tolist()}) == 2
    assert len(set(roomy.worlds.known[:, 0].tolist())) == 1
    assert narrow.worlds.num == 1
    assert narrow.is_complete  # there is one state

"""OpenSpiel's algorithms on rulesheets find what is known of these games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, mcts

import gdl
from ggp import games
from ggp.environments import openspiel

pytestmark = pytest.mark.usefixtures("kernels")

KUHN = games.path("kuhnPoker")
KUHN_VALUE = -1 / 18  # of the first player
ROUNDS = games.text("rockPaperScissors")
TWO_ROUNDS = ROUNDS.replace("(true (round 6))", "(true (round 3))")


def kuhn() -> Any:
    """Kuhn poker, with the stakes of the literature."""
    return openspiel.load(KUHN, utility=(-2, 2))


def test_rules_of_kuhn_poker_are_sound() -> None:
    """`gdl.check` has nothing to say."""
    assert gdl.check(KUHN.read_text(encoding="utf-8")) == ()


def test_uniform_kuhn_poker_is_as_exploitable_as_openspiels() -> None:
    """The number is 11/24."""
    theirs, ours = pyspiel.load_game("kuhn_poker"), kuhn()

    expected = exploitability.exploitability(theirs, policy.UniformRandomPolicy(theirs))
    found = exploitability.exploitability(ours, policy.UniformRandomPolicy(ours))

    assert found == pytest.approx(expected) == pytest.approx(11 / 24)
    assert pyspiel.exploitability(ours, pyspiel.UniformRandomPolicy(ours)) == pytest.approx(found)


def test_kuhn_poker_has_as_many_information_states_as_openspiels() -> None:
    """Six of each player."""
    theirs, ours = pyspiel.load_game("kuhn_poker"), kuhn()

    found = policy.TabularPolicy(ours).states_per_player

    assert list(map(len, found)) == [6, 6]
    assert list(map(len, found)) == list(map(len, policy.TabularPolicy(theirs).states_per_player))


def test_cfr_in_cpp_finds_an_equilibrium_of_kuhn_poker() -> None:
    """By OpenSpiel's solver, which calls ours for each state."""
    game = kuhn()
    solver = pyspiel.CFRSolver(game)

    for _ in range(150):
        solver.evaluate_and_update_policy()

    assert pyspiel.exploitability(game, solver.average_policy()) < 0.01


@pytest.mark.parametrize(
    ("num_steps", "bound"), [(20, 0.1), pytest.param(150, 0.01, marks=pytest.mark.thorough)]
)
def test_cfr_in_python_finds_the_value_of_kuhn_poker(num_steps: int, bound: float) -> None:
    """It comes near an equilibrium, whose value is known."""
    game = kuhn()
    solver = cfr.CFRSolver(game)

    for _ in range(num_steps):
        solver.evaluate_and_update_policy()

    found = solver.average_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [found] * 2)
    assert values[0] == pytest.approx(KUHN_VALUE, abs=bound / 5)
    assert exploitability.exploitability(game, found) < bound


def test_uniform_choice_of_rock_paper_scissors_cannot_be_exploited() -> None:
    """Two rounds; as in OpenSpiel's matrix game."""
    matrix = pyspiel.convert_to_turn_based(pyspiel.load_game("matrix_rps"))
    game = openspiel.load(TWO_ROUNDS, dynamics="sequential")

    for each in (matrix, game):
        uniform = policy.UniformRandomPolicy(each)
        assert exploitability.nash_conv(each, uniform) == pytest.approx(0)


def test_rock_paper_scissors_is_turned_by_openspiel_as_by_us() -> None:
    """A first player who always shows the same thing is exploited by as much."""
    ours = openspiel.load(TWO_ROUNDS, dynamics="sequential")
    theirs = pyspiel.convert_to_turn_based(openspiel.load(TWO_ROUNDS))

    for each in (ours, theirs):
        first = policy.FirstActionPolicy(each)
        assert exploitability.nash_conv(each, first) == pytest.approx(2 * 2 / 5)


def test_tree_search_makes_the_winning_move() -> None:
    """Monte-Carlo tree search in tic-tac-toe."""
    game, rng = openspiel.load("ticTacToe"), np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 200, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = game.new_initial_state()
    for move in ("(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"):
        names = {state.action_to_string(action): action for action in state.legal_actions()}
        state.apply_action(names[move])

    assert state.action_to_string(bot.step(state)) == "(mark 1 3)"


@pytest.mark.parametrize("rules", ["ticTacToe", "goofspiel", "pig", KUHN], ids=str)
def test_learners_find_what_they_ask_of_an_environment(rules: str) -> None:
    """OpenSpiel's environment for learners plays an episode."""
    environment = rl_environment.Environment(openspiel.load(rules))
    rng = np.random.RandomState(1)

    step = environment.reset()
    while not step.last():
        legal = step.observations["legal_actions"]
        players = range(environment.num_players) if environment.is_turn_based is False else [0]
        if environment.is_turn_based:
            players = [step.observations["current_player"]]
        step = environment.step([rng.choice(legal[player]) for player in players])

    assert len(step.rewards) == environment.num_players
    sizes = environment.observation_spec()["info_state"]
    assert len(step.observations["info_state"][0]) == sizes[0]

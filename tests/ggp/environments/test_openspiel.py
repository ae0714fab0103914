"""Rulesheets as games of OpenSpiel: what it is told of them, and how they are played there."""

from __future__ import annotations

import copy
import importlib
import pickle
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr

import gdl
from ggp import games
from ggp.environments import openspiel
from ggp.environments.openspiel import GdlGame, GdlState
from ggp.errors import WrongUseError
from tests.ggp.environments.rulesheets import GUESS, LOCK, ONE_ROUND
from tests.shared import SHARED, require
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

KUHN = games.path("kuhnPoker")
HIDDEN = sorted((SHARED / "corpus_gdl2").glob("*.gdl"))
QUICK = [path for path in HIDDEN if path.stem == "sjl_montyhall"]

STUCK = "(role me) (init start) (<= (legal me ?x) (true start) (x ?x)) (x 1) (x 2) (goal me 100)"


@pytest.fixture
def register() -> Callable[..., GdlGame]:
    """Registers a game and loads it as OpenSpiel does."""

    def registered(*args: object, **options: object) -> GdlGame:
        name = openspiel.register(*args, **options)  # type: ignore[arg-type]
        game = pyspiel.load_game(name)
        assert isinstance(game, GdlGame)
        return game

    return registered


def act(state: GdlState, *moves: str) -> GdlState:
    """The state after some choices, each named by its move."""
    for move in moves:
        names = {state.action_to_string(action): action for action in state.legal_actions()}
        state.apply_action(names[move])
    return state


def average_policy(solver: cfr.CFRSolver) -> list[list[float]]:
    """The probabilities of all actions in all information states."""
    found: list[list[float]] = solver.average_policy().action_probability_array.tolist()
    return found


def all_states(state: GdlState) -> Iterator[GdlState]:
    """The states that can follow, this one included."""
    yield state
    for action in state.legal_actions():
        yield from all_states(state.child(action))


class TestOpenSpielsOwnTest:
    """`random_sim_test` plays games, with all that OpenSpiel demands of a state."""

    @pytest.mark.parametrize("name", all_but(("goofspiel", "pig", "ticTacToe"), games.names()))
    def test_passes_on_a_bundled_game(self, register: Callable[..., GdlGame], name: str) -> None:
        pyspiel.random_sim_test(register(name), 2, serialize=True, verbose=False)

    @pytest.mark.parametrize("path", all_but(QUICK, HIDDEN), ids=lambda path: path.stem)
    def test_passes_on_games_with_hidden_facts(
        self, register: Callable[..., GdlGame], path: Path
    ) -> None:
        require("corpus_gdl2")

        pyspiel.random_sim_test(register(path), 2, serialize=True, verbose=False)

    @pytest.mark.parametrize("name", ["rockPaperScissors", "prisonersDilemma"])
    def test_passes_where_choices_are_made_in_turn(
        self, register: Callable[..., GdlGame], name: str
    ) -> None:
        game = register(name, f"ggp_{name}_in_turns", dynamics="sequential")

        pyspiel.random_sim_test(game, 2, serialize=True, verbose=False)

    def test_passes_on_an_interpreted_game(self, register: Callable[..., GdlGame]) -> None:
        game = register("ticTacToe", "ggp_interpreted", engine="interpreter")

        pyspiel.random_sim_test(game, 1, serialize=True, verbose=False)

    def test_passes_with_boards_in_planes(self, register: Callable[..., GdlGame]) -> None:
        game = register("ticTacToe", "ggp_in_planes", observation="planes", view="mover")

        pyspiel.random_sim_test(game, 1, serialize=True, verbose=False)
        channels, height, width = game.observation_tensor_shape()
        assert (height, width) == (3, 3)
        assert channels > 1


class TestWhatOpenSpielIsTold:
    """Kinds, sizes and bounds of games."""

    @pytest.mark.parametrize(
        ("rules", "dynamics", "chance", "utility", "information"),
        [
            ("ticTacToe", "SEQUENTIAL", "DETERMINISTIC", "ZERO_SUM", "PERFECT_INFORMATION"),
            pytest.param(
                *("pacMan", "SEQUENTIAL", "DETERMINISTIC", "ZERO_SUM", "PERFECT_INFORMATION"),
                marks=pytest.mark.thorough,
            ),
            ("pig", "SEQUENTIAL", "EXPLICIT_STOCHASTIC", "ZERO_SUM", "PERFECT_INFORMATION"),
            ("goofspiel", "SIMULTANEOUS", "DETERMINISTIC", "ZERO_SUM", "PERFECT_INFORMATION"),
            ("prisonersDilemma", "SIMULTANEOUS", "DETERMINISTIC", "GENERAL_SUM", None),
            ("lightsOut", "SEQUENTIAL", "DETERMINISTIC", "GENERAL_SUM", "PERFECT_INFORMATION"),
            (KUHN, "SEQUENTIAL", "EXPLICIT_STOCHASTIC", "ZERO_SUM", "IMPERFECT_INFORMATION"),
        ],
        ids=str,
    )
    def test_kind_follows_from_the_game(
        self, rules: str, dynamics: str, chance: str, utility: str, information: str | None
    ) -> None:
        kind = openspiel.load(rules).get_type()

        assert kind.dynamics.name == dynamics
        assert kind.chance_mode.name == chance
        assert kind.utility.name == utility
        assert kind.information.name == (information or "PERFECT_INFORMATION")

    def test_length_of_a_small_game_is_exact(self) -> None:
        assert openspiel.load("rockPaperScissors").max_game_length() == 5
        assert openspiel.load("rockPaperScissors", dynamics="sequential").max_game_length() == 10

    def test_name_is_that_of_the_file_or_of_the_rules(self) -> None:
        assert openspiel.load("ticTacToe").get_type().short_name == "ggp_ticTacToe"
        assert openspiel.load(KUHN).get_type().short_name == "ggp_kuhnPoker"
        digest = gdl.read_rules(GUESS).digest
        assert openspiel.load(GUESS).get_type().short_name == f"ggp_{digest[:8]}"
        assert openspiel.load(GUESS, "guess").get_type().short_name == "guess"

    def test_registered_game_is_found_by_its_name(self) -> None:
        name = openspiel.register("ticTacToe", "my_game")

        assert name == "my_game"
        assert "my_game" in pyspiel.registered_names()
        assert str(pyspiel.load_game("my_game")) == "my_game()"


class TestPlay:
    """Choices, chance and ends."""

    def test_forced_moves_are_made(self) -> None:
        """After the cards are dealt, nobody says noop."""
        game = openspiel.load(KUHN)
        moves = {
            state.action_to_string(action)
            for state in all_states(game.new_initial_state())
            if not state.is_chance_node()
            for action in state.legal_actions()
        }

        assert moves == {"pass", "bet"}

    def test_chance_comes_after_the_choices_of_players(self) -> None:
        state = act(openspiel.load(GUESS).new_initial_state(), "heads")

        assert state.is_chance_node()
        assert state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
        assert act(state.clone(), "heads").returns() == [1]
        assert act(state, "tails").returns() == [0]

    def test_copy_goes_its_own_way(self) -> None:
        state = act(openspiel.load("ticTacToe").new_initial_state(), "(mark 2 2)")
        other = state.clone()
        act(other, "(mark 1 1)")

        assert str(state) != str(other)
        assert state.history() == other.history()[:1]
        assert copy.deepcopy(state).history() == copy.copy(state).history() == state.history()

    def test_state_can_be_stored(self, register: Callable[..., GdlGame]) -> None:
        """If its game is registered; by OpenSpiel's own means, and by Python's."""
        game = register(KUHN)
        state = act(game.new_initial_state(), "(deal jack queen)", "bet")

        text = pyspiel.serialize_game_and_state(game, state)
        assert str(pyspiel.deserialize_game_and_state(text)[1]) == str(state)
        other = pickle.loads(pickle.dumps(state))

        assert pickle.loads(pickle.dumps(game)) is game
        assert str(other) == str(state)
        assert other.history() == state.history()
        assert other.information_state_string(1) == state.information_state_string(1)
        assert act(other, "bet").returns() == act(state, "bet").returns() == [-1, 1]

    def test_copy_of_a_game_is_the_game(self) -> None:
        """It need not be registered; what holds it can be copied, and learns on by itself."""
        game = openspiel.load(KUHN)
        solver = cfr.CFRSolver(game)
        solver.evaluate_and_update_policy()
        other = copy.deepcopy(solver)
        before = average_policy(solver)

        assert copy.copy(game) is copy.deepcopy({"game": game})["game"] is game
        other.evaluate_and_update_policy()
        assert average_policy(solver) == before != average_policy(other)
        solver.evaluate_and_update_policy()
        assert average_policy(solver) == average_policy(other)

    def test_pickle_says_that_its_game_is_to_be_registered(
        self, register: Callable[..., GdlGame]
    ) -> None:
        """A pickle holds the name alone: another game of that name is not taken for it."""
        unknown = openspiel.load(KUHN, "nobody_registers_this")
        register(ONE_ROUND, "one_round")
        other = openspiel.load(ONE_ROUND, "one_round", dynamics="sequential")

        for each, wrong in (
            (unknown, "nobody_registers_this is not registered in this process"),
            (other, "one_round is registered in this process with other rules or options"),
        ):
            for stored in map(pickle.dumps, (each, each.new_initial_state())):
                hint = "register the game in this process as well"
                with pytest.raises(pyspiel.SpielError, match=f"{wrong}: .* {hint}"):
                    pickle.loads(stored)

    def test_copy_of_an_observer_observes(self, register: Callable[..., GdlGame]) -> None:
        """The parts of the copy are views of its own tensor."""
        game = register(KUHN)
        state = act(game.new_initial_state(), "(deal jack queen)", "bet")
        recall = pyspiel.IIGObservationType(perfect_recall=True)
        observer: Any = game.make_py_observer(recall)
        observer.set_from(state, 0)

        for other in (copy.deepcopy(observer), pickle.loads(pickle.dumps(observer))):
            assert np.array_equal(other.tensor, observer.tensor)
            other.set_from(state, 1)
            assert not np.array_equal(other.tensor, observer.tensor)
            assert all(np.shares_memory(part, other.tensor) for part in other.dict.values())

    def test_illegal_action_is_an_error_that_lists_the_legal_ones(self) -> None:
        state = act(openspiel.load(KUHN).new_initial_state(), "(deal jack queen)")

        with pytest.raises(gdl.IllegalMoveError, match=r"first: .*0 bet, 2 pass.*got 1"):
            state.apply_action(1)

        assert len(state.history()) == 1

    def test_number_of_no_action_is_an_error(self) -> None:
        state = openspiel.load("ticTacToe").new_initial_state()

        with pytest.raises(ValueError, match="xplayer: expected 0 to 9, got 10"):
            state.action_to_string(0, 10)

    def test_game_that_takes_too_long_ends_undecided(self) -> None:
        game = openspiel.load("ticTacToe", max_game_length=1)

        state = act(game.new_initial_state(), "(mark 2 2)")

        assert state.is_terminal()
        assert state.returns() == [0, 0]
        assert str(state).endswith("undecided")

    def test_game_without_a_move_left_ends_undecided(self) -> None:
        state = act(openspiel.load(STUCK).new_initial_state(), "1")

        assert state.is_terminal()
        assert state.returns() == [0]

    def test_choice_that_random_play_did_not_find_is_an_error(self) -> None:
        state = openspiel.load(LOCK).new_initial_state()
        assert openspiel.load(LOCK).get_type().dynamics.name == "SEQUENTIAL"

        with pytest.raises(ValueError, match=r'thief and owner .*dynamics="simultaneous"'):
            act(state, "7", "7", "7", "7")

    def test_sum_that_random_play_did_not_find_is_an_error(self) -> None:
        game = openspiel.load(LOCK, dynamics="simultaneous", zero_sum=True)
        state = act(game.new_initial_state(), "7", "7", "7", "7")
        state.apply_actions([state.legal_actions(player)[0] for player in (0, 1)])

        with pytest.raises(ValueError, match="zero_sum=False"):
            state.returns()


class TestUtilities:
    """What goals are worth."""

    def test_players_of_a_constant_sum_share_zero(self) -> None:
        game = openspiel.load("ticTacToe")
        moves = ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)", "(mark 1 3)"]

        assert act(game.new_initial_state(), *moves).returns() == [1, -1]
        assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1, 1, 0)

    def test_others_get_a_hundredth_of_the_goal(self) -> None:
        game = openspiel.load("lightsOut")

        assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (0, 1, None)

    def test_utility_is_that_of_the_caller(self) -> None:
        line = openspiel.load(KUHN, utility=(-2, 2))
        each = openspiel.load(KUHN, utility=lambda goal: (goal - 50) / 25)
        moves = ["(deal king queen)", "bet", "bet"]

        for game in (line, each):
            assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-2, 2, 0)
            assert act(game.new_initial_state(), *moves).returns() == [2, -2]

    def test_sum_need_not_be_constant(self) -> None:
        game = openspiel.load("ticTacToe", zero_sum=False)

        assert game.get_type().utility.name == "GENERAL_SUM"
        assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (0, 1, None)


class TestKnowledge:
    """Information states and observations."""

    def test_others_cards_are_never_told(self) -> None:
        """In no state, by no string and by no number."""
        game = openspiel.load(KUHN)
        for state in all_states(game.new_initial_state()):
            if state.is_chance_node():
                continue
            dealt = state.action_to_string(pyspiel.PlayerId.CHANCE, state.history()[0])
            own, other = dealt.strip("()").split()[1:]
            swapped = ({"jack", "queen", "king"} - {own, other}).pop()
            twin = act(game.new_initial_state(), f"(deal {own} {swapped})")
            for action in state.history()[1:]:
                twin.apply_action(action)

            assert own in state.information_state_string(0)
            assert other not in state.information_state_string(0)
            assert state.information_state_string(0) == twin.information_state_string(0)
            assert state.information_state_tensor(0) == twin.information_state_tensor(0)
            assert state.observation_string(0) == twin.observation_string(0)
            assert state.observation_tensor(0) == twin.observation_tensor(0)
            assert state.information_state_string(1) != twin.information_state_string(1)
            assert state.information_state_tensor(1) != twin.information_state_tensor(1)

    def test_choice_of_the_first_is_hidden_from_the_second(self) -> None:
        game = openspiel.load(ONE_ROUND, dynamics="sequential")
        states = [act(game.new_initial_state(), move) for move in ("rock", "paper", "scissors")]

        assert {state.current_player() for state in states} == {1}
        for what in ("information_state_string", "observation_string"):
            assert len({getattr(state, what)(1) for state in states}) == 1
            assert len({getattr(state, what)(0) for state in states}) == 3
        for what in ("information_state_tensor", "observation_tensor"):
            assert len({tuple(getattr(state, what)(1)) for state in states}) == 1

    def test_all_moves_are_remembered(self) -> None:
        state = act(openspiel.load("ticTacToe").new_initial_state(), "(mark 2 2)", "(mark 1 1)")

        assert state.information_state_string(0) == "xplayer: (mark 2 2) noop; noop (mark 1 1)"

    def test_observation_is_the_facts(self) -> None:
        game = openspiel.load("ticTacToe")
        state = act(game.new_initial_state(), "(mark 2 2)")

        assert state.observation_string(0) == f"xplayer: {state}"
        assert sum(state.observation_tensor(0)) == len(str(state).split(") ("))

    def test_part_that_is_not_asked_for_is_empty(self) -> None:
        state = openspiel.load(KUHN).new_initial_state()
        public, secret = (
            pyspiel.IIGObservationType(perfect_recall=False, private_info=private)
            for private in (pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.ALL_PLAYERS)
        )
        game = state.get_game()

        observer = game.make_py_observer(public)
        observer.set_from(state, 0)

        assert observer.tensor is None
        assert observer.string_from(state, 0) == ""
        with pytest.raises(ValueError, match="ALL_PLAYERS"):
            game.make_py_observer(secret)


class TestWrongUse:
    """Bad input gets a clear error."""

    @pytest.mark.parametrize(
        ("options", "says"),
        [
            ({"dynamics": "parallel"}, "dynamics: expected one of auto"),
            ({"short_name": "a(b)"}, "short_name: expected an ASCII letter"),
            ({"max_game_length": 0}, "max_game_length: expected at least 1"),
            ({"observation": "packed"}, "observation: expected facts or planes"),
            ({"view": "mover"}, "view"),
        ],
    )
    def test_option_that_is_none(self, options: dict[str, object], says: str) -> None:
        with pytest.raises(ValueError, match=says):
            openspiel.load("ticTacToe", **options)  # type: ignore[arg-type]

    def test_planes_of_hidden_facts(self) -> None:
        with pytest.raises(ValueError, match="game hides from the players"):
            openspiel.load(KUHN, observation="planes")

    def test_sum_that_is_none(self) -> None:
        with pytest.raises(ValueError, match="do not always have the same sum"):
            openspiel.load("prisonersDilemma", zero_sum=True)

    def test_game_of_nobody(self) -> None:
        rules = STUCK.replace("me", "random")

        with pytest.raises(ValueError, match="only the role random"):
            openspiel.load(rules)

    def test_game_that_is_not_there(self) -> None:
        with pytest.raises(WrongUseError, match="did you mean ticTacToe"):
            openspiel.load("tictactoe")

    def test_missing_package_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in [name for name in sys.modules if name.startswith("ggp.environments.openspiel")]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, "pyspiel", None)

        with pytest.raises(ImportError, match=r"pip install 'ggp-agent\[rl\]'"):
            importlib.import_module("ggp.environments.openspiel")

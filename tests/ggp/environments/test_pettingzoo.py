"""The environments of PettingZoo: its own tests pass, and games are played by the rules."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

import gdl
from ggp import environments, games
from ggp.environments.pettingzoo import MASK_IN, AecEnvironment, MaskIn, ParallelEnvironment
from ggp.environments.task import load_game
from tests.ggp.environments.rulesheets import CORPUS, QUICK, whole_state
from tests.shared import require
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

CYCLES = 30
ITS_OWN = "tictactoe_v3"
"""Dictionaries are no surprise to PettingZoo's test in the games that it knows by name."""

STUCK = """
(role me) (role you) (init (s 0)) (<= (legal me ?x) (true (s 0)) (go ?x)) (go a) (go b)
(legal you wait) (<= (next (s 1)) (does me a)) (<= (next (s 2)) (does me b))
(<= terminal (true (s 2))) (goal me 100) (goal you 0)
"""
EMPTY = """
(role me) (legal me one) (legal me two) (<= (next a) (does me one)) (<= (next b) (does me two))
(<= terminal (true a)) (<= terminal (true b)) (goal me 50)
"""
OVER = "(role me) (init (s 0)) (legal me a) (legal me b) (<= terminal (true (s 0))) (goal me 40)"


def put_to_the_tests(rules: str) -> None:
    """All of PettingZoo's; a warning is an error here."""
    game = load_game(rules)
    for mask_in in MASK_IN:
        env = AecEnvironment(game, mask_in=mask_in)
        if mask_in == "observation":
            env.metadata["name"] = ITS_OWN
        api_test(env, num_cycles=CYCLES)
    parallel_api_test(ParallelEnvironment(game), num_cycles=CYCLES)
    seed_test(partial(AecEnvironment, game), num_cycles=CYCLES)
    # It does not look at masks.
    parallel_seed_test(partial(ParallelEnvironment, game, on_illegal="lose"), num_cycles=CYCLES)


@pytest.mark.parametrize("name", all_but(("goofspiel", "pig", "ticTacToe"), games.names()))
def test_pettingzoo_has_nothing_to_object_to(name: str) -> None:
    """On bundled games, wherever the mask is."""
    put_to_the_tests(name)


@pytest.mark.parametrize("name", all_but(QUICK, CORPUS))
def test_pettingzoo_has_nothing_to_object_to_in_rulesheets_of_others(name: str) -> None:
    """The same on some of the corpus."""
    put_to_the_tests(str(require("corpus", "rules", f"{name}.kif")))


@pytest.mark.parametrize("name", all_but(("goofspiel", "pig", "ticTacToe"), games.names()))
def test_one_after_another_or_all_at_once_it_is_the_interpreter_s_game(name: str) -> None:
    """With the same joint moves, facts, legal actions, goals and the end are the same."""
    options: Any = {"observation": whole_state(name)}
    aec, parallel = AecEnvironment(name, **options), ParallelEnvironment(name, **options)
    slow = load_game(name, "interpreter")
    for seed in range(2):
        followed = Follower(slow, aec)
        followed.go(aec, seed)
        _go_parallel(Follower(slow, parallel), parallel, seed)


class Follower:
    """Plays in the interpreter what an environment says was played, and compares."""

    def __init__(self, slow: gdl.Game, env: AecEnvironment | ParallelEnvironment) -> None:
        self.slow, self.env = slow, env
        self.state = slow.initial_state()

    def make(self, joint: tuple[str, ...]) -> None:
        """Make a joint move."""
        self.state = self.slow.next_state(self.state, [gdl.read_term(move) for move in joint])

    def compare(self, agent: str, seen: dict[str, Any], is_over: bool) -> None:
        """What an agent is shown is true."""
        names = self.env.observation_names
        facts = {names[i] for i in np.flatnonzero(seen["observation"]).tolist()}
        assert facts == set(map(str, self.slow.facts(self.state)))
        assert is_over == self.slow.is_terminal(self.state)
        if not is_over:
            actions = self.env.action_names(agent)
            legal = [actions[i] for i in np.flatnonzero(seen["action_mask"]).tolist()]
            moves = self.slow.legal_moves(self.state, self.role(agent))
            assert sorted(legal) == sorted(map(str, moves))

    def role(self, agent: str) -> gdl.Role:
        """The role of an agent."""
        [role] = [one for one in self.slow.roles if str(one) == self.env.role_names[agent]]
        return role

    def go(self, env: AecEnvironment, seed: int) -> None:
        """Play a game of random legal actions, one agent after another."""
        env.reset(seed=seed)
        rng = random.Random(seed)
        moves: tuple[str, ...] = ()
        rewards = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, is_over, is_truncated, info = env.last()
            if info["moves"] is not moves and info["moves"]:
                moves = info["moves"]
                self.make(moves)
            self.compare(agent, seen, is_over)
            assert not is_truncated
            rewards[agent] += reward
            legal = np.flatnonzero(seen["action_mask"]).tolist()
            env.step(None if is_over else rng.choice(legal))
        goals = {agent: self.slow.goal(self.state, self.role(agent)) / 100 for agent in rewards}
        assert rewards == goals


def _go_parallel(followed: Follower, env: ParallelEnvironment, seed: int) -> None:
    rng = random.Random(seed)
    seen, _ = env.reset(seed=seed)
    rewards: dict[str, float] = {}
    while env.agents:
        legal = {agent: np.flatnonzero(one["action_mask"]).tolist() for agent, one in seen.items()}
        seen, rewards, ends, truncations, infos = env.step(
            {agent: rng.choice(actions) for agent, actions in legal.items()}
        )
        followed.make(infos["player_0"]["moves"])
        for agent, one in seen.items():
            followed.compare(agent, one, ends[agent])
        assert not any(truncations.values())
    goals = {
        agent: followed.slow.goal(followed.state, followed.role(agent)) / 100 for agent in rewards
    }
    assert rewards == goals


def test_agents_are_the_roles_but_for_random() -> None:
    """Numbered, since PettingZoo wants it so; what they are called in the rules is told."""
    env = AecEnvironment("pig")
    env.reset(seed=1)

    roles = [role for role in games.catalogue()["pig"].roles if role != "random"]

    assert env.possible_agents == [f"player_{i}" for i in range(len(roles))]
    assert list(env.role_names.values()) == roles


@pytest.mark.parametrize("door", [environments.aec, environments.parallel])
def test_all_agents_have_the_same_spaces(door: Any) -> None:
    """In a game in which one role has more moves than the other."""
    env = door("foxAndHounds")

    first, second = env.possible_agents

    assert len(env.action_names(first)) != len(env.action_names(second))
    assert env.action_space(first) == env.action_space(second)
    assert env.observation_space(first) == env.observation_space(second)


def test_nobody_sees_what_others_choose_at_the_same_time() -> None:
    """The second is shown what the first was, and the state moves on after both."""
    env = environments.aec("rockPaperScissors")
    env.reset(seed=1)
    before = env.observe("player_1")["observation"]
    assert env.agent_selection == "player_0"

    env.step(0)

    assert env.agent_selection == "player_1"
    assert (env.observe("player_1")["observation"] == before).all()
    assert env.infos["player_1"]["moves"] == ()
    env.step(1)
    joint = (env.action_names("player_0")[0], env.action_names("player_1")[1])
    assert env.infos[env.agents[0]]["moves"] == joint


@pytest.mark.parametrize("mask_in", MASK_IN)
def test_masks_are_in_observations_or_in_infos(mask_in: MaskIn) -> None:
    """In infos they are always."""
    env = AecEnvironment("ticTacToe", mask_in=mask_in)
    env.reset(seed=1)

    seen, _, _, _, info = env.last()

    assert info["action_mask"].sum() == 9
    if mask_in == "observation":
        assert (seen["action_mask"] == info["action_mask"]).all()
    else:
        assert seen.shape == (len(env.observation_names),)
    assert (env.state() == (seen["observation"] if mask_in == "observation" else seen)).all()


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        (EMPTY, ("a", "b", "always")),
        (EMPTY.replace("(true b)", "(true a)").replace("(next b)", "(next a)"), ("a", "always")),
    ],
    ids=["no fact at first", "one fact"],
)
def test_an_observation_is_never_nothing(rules: str, names: tuple[str, ...]) -> None:
    """PettingZoo objects to empty ones, to single numbers and to zeros only."""
    env = AecEnvironment(rules)
    env.reset(seed=1)

    assert env.observation_names == names
    assert env.observe("player_0")["observation"].tolist() == [0] * (len(names) - 1) + [1]
    put_to_the_tests(rules)


def test_one_after_another_an_illegal_action_is_an_error() -> None:
    """And nothing has happened."""
    env = AecEnvironment("ticTacToe")
    env.reset(seed=1)
    env.step(_legal(env))
    illegal = _illegal(env)

    with pytest.raises(gdl.IllegalMoveError, match="oplayer: expected a legal one"):
        env.step(illegal)

    assert env.agent_selection == "player_1"
    env.step(_legal(env))
    assert env.agent_selection == "player_0"


def test_one_after_another_an_illegal_action_may_lose() -> None:
    """All get 0, the game is over for all, and infos tell by whose fault."""
    env = AecEnvironment("ticTacToe", on_illegal="lose")
    env.reset(seed=1)

    env.step(_illegal(env))

    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 0.0, "player_1": 0.0}
    assert env.infos["player_0"]["illegal_action"]
    assert "illegal_action" not in env.infos["player_1"]
    for _ in env.agent_iter():
        env.step(None)
    with pytest.raises(ValueError, match="the game is over"):
        env.step(None)


def test_pettingzoo_s_own_wrapper_may_punish() -> None:
    """It finds the mask, and the reward is the one that it was given."""
    env = TerminateIllegalWrapper(AecEnvironment("ticTacToe"), illegal_reward=-1)
    env.reset(seed=1)

    env.step(_illegal(env))

    assert env.rewards == {"player_0": -1.0, "player_1": 0}


def test_all_at_once_an_illegal_action_is_an_error_or_loses() -> None:
    """A missing one is illegal where there is a choice."""
    strict, lenient = (
        ParallelEnvironment("rockPaperScissors", on_illegal=mode) for mode in ("error", "lose")
    )
    strict.reset(seed=1)
    lenient.reset(seed=1)
    for wrong in ({"player_0": 0, "player_1": 99}, {"player_0": 0}):
        with pytest.raises(gdl.IllegalMoveError, match="expected a legal one"):
            strict.step(wrong)
    assert strict.agents == ["player_0", "player_1"]

    _, rewards, ends, truncations, infos = lenient.step({"player_0": 0, "player_1": 99})

    assert rewards == {"player_0": 0.0, "player_1": 0.0}
    assert ends == {"player_0": True, "player_1": True}
    assert not any(truncations.values())
    assert ["illegal_action" in infos[agent] for agent in infos] == [False, True]
    assert lenient.agents == []
    assert lenient.step({}) == ({}, {}, {}, {}, {})


def test_all_at_once_those_without_a_choice_may_be_left_out() -> None:
    """They have one move, and make it."""
    env = ParallelEnvironment("ticTacToe")
    seen, _ = env.reset(seed=1)
    assert [one["action_mask"].sum() for one in seen.values()] == [9, 1]

    seen, *_ = env.step({"player_0": int(np.flatnonzero(seen["player_0"]["action_mask"])[0])})

    assert [one["action_mask"].sum() for one in seen.values()] == [1, 8]


@pytest.mark.parametrize("door", [environments.aec, environments.parallel])
def test_wrong_use_is_told(door: Any) -> None:
    """In words."""
    env = door("ticTacToe")

    with pytest.raises(ValueError, match="call reset"):
        env.observe("player_0")
    with pytest.raises(ValueError, match="mask_in: expected one of observation, infos"):
        door("ticTacToe", mask_in="nowhere")
    with pytest.raises(ValueError, match="render_mode: expected"):
        door("ticTacToe", render_mode="smell")


@pytest.mark.parametrize("door", [environments.aec, environments.parallel])
def test_an_agent_that_does_not_exist_is_told_of_those_that_do(door: Any) -> None:
    """Numbers and names of roles are none."""
    env = door("ticTacToe")
    env.reset(seed=1)
    for ask in (env.action_names, env.legal_actions, env.action_space, env.observation_space):
        for stranger in (0, "xplayer"):
            with pytest.raises(ValueError, match="agent: expected one of player_0, player_1, got"):
                ask(stranger)


def test_agents_that_do_not_exist_cannot_act() -> None:
    """Nor can anything act that is no number."""
    env = environments.parallel("ticTacToe")
    env.reset(seed=1)

    with pytest.raises(
        ValueError, match="expected actions of the agents player_0, player_1, got 'xplayer'"
    ):
        env.step({"xplayer": 0})
    with pytest.raises(TypeError, match="expected a whole number"):
        env.step({"player_0": "mark"})


def test_a_role_without_a_move_truncates() -> None:
    """Faulty rules end nothing; rewards are 0."""
    aec, parallel = AecEnvironment(STUCK), ParallelEnvironment(STUCK)
    aec.reset(seed=1)
    parallel.reset(seed=1)

    aec.step(0)
    _, rewards, ends, truncations, _ = parallel.step({"player_0": 0})

    assert aec.truncations == truncations == {"player_0": True, "player_1": True}
    assert aec.terminations == ends == {"player_0": False, "player_1": False}
    assert aec.rewards == rewards == {"player_0": 0.0, "player_1": 0.0}


def test_a_game_that_is_over_from_the_start_ends_with_the_first_action() -> None:
    """Nothing can be told of its end before; any action will do."""
    aec, parallel = AecEnvironment(OVER), ParallelEnvironment(OVER)
    aec.reset(seed=1)
    parallel.reset(seed=1)

    aec.step(1)
    _, rewards, ends, _, _ = parallel.step({})

    assert aec.rewards == rewards == {"player_0": 0.4}
    assert aec.terminations == ends == {"player_0": True}


def test_the_same_seed_is_the_same_game() -> None:
    """Of chance, too; and one without a seed goes on in the series."""
    env = ParallelEnvironment("pig")

    def moves(seed: int | None) -> list[Any]:
        found = []
        seen, _ = env.reset(seed=seed)
        while env.agents:
            seen, *_, infos = env.step(
                {a: int(np.flatnonzero(one["action_mask"])[0]) for a, one in seen.items()}
            )
            found.append(infos["player_0"]["moves"])
        return found

    first, second = moves(1), moves(None)

    assert first != second
    assert moves(1) == first
    assert moves(None) == second
    assert moves(2) != first


def _legal(env: Any) -> int:
    return int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[0])


def _illegal(env: Any) -> int:
    return int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"] == 0)[0])

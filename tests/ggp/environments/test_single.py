"""One environment of Gymnasium plays by the rules, whoever plays the other roles."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, Literal

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import gdl
from ggp import environments, games
from ggp.environments import environment_id
from ggp.environments.single import Environment
from ggp.environments.task import load_game
from ggp.errors import UnknownNameError
from ggp.players import PlayerSpecError
from tests.ggp.environments.playing import play
from tests.ggp.environments.rulesheets import CORPUS, QUICK, whole_state
from tests.shared import require
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

NOBODY_CHOOSES = """
(role me) (role you) (init (s 0)) (legal me wait) (<= (legal you ?x) (go ?x)) (go a) (go b)
(<= (next (s 1)) (true (s 0))) (<= (next (s 2)) (true (s 1)))
(<= terminal (true (s 2))) (goal me 70) (goal you 30)
"""
STUCK = """
(role me) (init (s 0)) (<= (legal me ?x) (true (s 0)) (go ?x)) (go a) (go b)
(<= (next (s 1)) (does me a)) (<= (next (s 2)) (does me b))
(<= terminal (true (s 2))) (goal me 100)
"""
ENDLESS = """
(role me) (role you) (init (s 0)) (<= (legal me a) (true (s 0))) (<= (legal me b) (true (s 0)))
(<= (legal me wait) (true (s 1))) (<= (legal you ?x) (go ?x)) (go a) (go b) (next (s 1))
(<= terminal (true (s 2))) (goal me 50) (goal you 50)
"""


UNGROUNDED = """
(role me) (init (s 0)) (legal me wait) (legal me stop)
(<= (odd ?y) (true (s 3)) (not (true (t ?y)))) (<= terminal (odd 3))
(<= (next (s 0)) (does me wait)) (<= (next over) (does me stop))
(<= terminal (true over)) (goal me 100)
"""

EACH = list(zip(games.names(), itertools.cycle(("random", "self"))))
ONE_OF_EACH = [case for case in EACH if case[0] in ("goofspiel", "pig", "ticTacToe")]


def made(name: str, **options: Any) -> Environment:
    """An environment with a spec, as Gymnasium's checker wants it."""
    found = gymnasium.make(name, **options).unwrapped
    assert isinstance(found, Environment)
    return found


@pytest.mark.parametrize("case", all_but(ONE_OF_EACH, EACH), ids="-".join)
def test_gymnasium_has_nothing_to_object_to(case: tuple[str, str]) -> None:
    """Its checker passes on bundled games, and a warning is an error here."""
    name, opponents = case

    check_env(made(environment_id(name), opponents=opponents, on_illegal="lose"))


@pytest.mark.parametrize("name", all_but(QUICK, CORPUS))
def test_gymnasium_has_nothing_to_object_to_in_rulesheets_of_others(name: str) -> None:
    """The same on some of the corpus, by the name for any rulesheet."""
    rules = str(require("corpus", "rules", f"{name}.kif"))

    check_env(made("ggp/Rulesheet-v0", rules=rules, on_illegal="lose"))


@pytest.mark.parametrize("case", all_but(ONE_OF_EACH, EACH), ids="-".join)
def test_an_episode_is_the_interpreter_s(case: tuple[str, str]) -> None:
    """With the same joint moves, facts, legal actions, goals and the end are the same."""
    name, opponents = case
    env = Environment(name, opponents=opponents, observation=whole_state(name))
    slow = load_game(name, "interpreter")
    state = slow.initial_state()
    for seed in range(2):
        state = slow.initial_state()
        for observation, reward, terminated, truncated, info in play(env, seed):
            for joint in info["moves"]:
                state = slow.next_state(state, [gdl.read_term(move) for move in joint])
            facts = {env.observation_names[i] for i in np.flatnonzero(observation).tolist()}
            assert facts == set(map(str, slow.facts(state)))
            assert terminated == slow.is_terminal(state)
            assert not truncated
            goals = [slow.goal(state, role) / 100 if terminated else 0.0 for role in slow.roles]
            assert info["rewards"].tolist() == goals
            if terminated:
                assert not info["action_mask"].any()
            else:
                moves = slow.legal_moves(state, slow.roles[info["role"]])
                names = env.action_names(info["role"])
                legal = [names[i] for i in np.flatnonzero(info["action_mask"]).tolist()]
                assert sorted(legal) == sorted(map(str, moves))
                assert reward == 0.0


def test_a_step_plays_on_until_there_is_a_choice() -> None:
    """The second player is asked after the first has moved, and then at each turn of its own."""
    env = Environment("ticTacToe", role="oplayer")

    steps = play(env, 1)

    for observation, _, terminated, _, info in steps:
        assert env.role_names[info["role"]] == "oplayer"
        facts = {env.observation_names[i] for i in np.flatnonzero(observation).tolist()}
        assert terminated or "(control oplayer)" in facts
    assert [len(joints) for *_, info in steps[:-1] for joints in [info["moves"]]] == (
        [1] + [2] * (len(steps) - 2)
    )


def test_alone_roles_choose_one_after_another() -> None:
    """In a game of turns each step is a joint move; the reward is that of the role that chose."""
    env = Environment("ticTacToe", opponents="self")

    steps = play(env, 3)

    assert [info["role"] for *_, info in steps[:-1]] == [i % 2 for i in range(len(steps) - 1)]
    last = steps[-1]
    assert last[1] == last[4]["rewards"][last[4]["role"]]
    assert last[4]["role"] == steps[-2][4]["role"]


def test_alone_nothing_is_seen_of_a_choice_at_the_same_time() -> None:
    """The state moves on when the last role has chosen."""
    env = Environment("rockPaperScissors", opponents="self")
    first, info = env.reset(seed=1)
    assert info["role"] == 0

    second, reward, terminated, _, info = env.step(0)

    assert (second == first).all()
    assert (reward, terminated, info["role"], info["moves"]) == (0.0, False, 1, ())
    _, _, _, _, info = env.step(1)
    [joint] = info["moves"]
    assert joint == (env.action_names(0)[0], env.action_names(1)[1])


def test_rewards_are_the_quotients_that_python_has() -> None:
    """A goal of 7 is `7 / 100` to the last bit, in each environment; `7 * 0.01` is more."""
    numbers = " ".join(f"(number {goal:03})" for goal in range(101))
    rules = f"""
        (role me) {numbers} (init start) (<= (legal me (take ?n)) (true start) (number ?n))
        (<= (next (taken ?n)) (does me (take ?n))) (<= terminal (not (true start)))
        {" ".join(f"(<= (goal me {goal}) (true (taken {goal:03})))" for goal in range(101))}
    """
    expected = [goal / 100 for goal in range(101)]
    single, aec = environments.make(rules), environments.aec(rules)
    parallel = environments.parallel(rules)
    many = environments.vector(rules, 101)
    found: dict[str, list[float]] = {"single": [], "aec": [], "parallel": []}
    for goal in range(101):
        single.reset()
        found["single"].append(single.step(goal)[1])
        aec.reset()
        aec.step(goal)
        found["aec"].append(aec.last()[1])
        parallel.reset()
        found["parallel"].append(parallel.step({"player_0": goal})[1]["player_0"])
    many.reset()
    found["many"] = many.step(np.arange(101))[1].tolist()

    assert found == dict.fromkeys(found, expected)


def test_rewards_are_goals() -> None:
    """From 0 to 1, or as the rules say it."""
    scaled = play(Environment(NOBODY_CHOOSES, opponents="self"), 1)[-1]
    raw = play(Environment(NOBODY_CHOOSES, opponents="self", reward="raw"), 1)[-1]

    assert scaled[4]["rewards"].tolist() == [0.7, 0.3]
    assert raw[4]["rewards"].tolist() == [70.0, 30.0]


def test_a_game_without_a_choice_ends_with_the_first_step() -> None:
    """Nothing can be told of its end before."""
    env = Environment(NOBODY_CHOOSES)

    _, info = env.reset(seed=1)

    assert len(info["moves"]) == 2
    assert not info["action_mask"].any()
    _, reward, terminated, _, info = env.step(0)
    assert reward == 0.7
    assert terminated
    assert info["moves"] == ()


def test_a_game_that_never_ends_hands_back() -> None:
    """A role that only waits is asked for its only move after a thousand."""
    env = Environment(ENDLESS)
    env.reset(seed=1)

    _, _, terminated, truncated, info = env.step(0)

    assert not terminated
    assert not truncated
    assert info["action_mask"].sum() == 1
    assert len(info["moves"]) > 1000


def test_a_role_without_a_move_truncates() -> None:
    """Faulty rules end nothing; the reward is 0."""
    env = Environment(STUCK)
    env.reset(seed=1)

    _, reward, terminated, truncated, _ = env.step(0)

    assert (reward, terminated, truncated) == (0.0, False, True)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_the_same_seed_is_the_same_series() -> None:
    """Of chance, of random opponents, and of players whose search is counted in rounds."""
    for opponents in ("random", "mcts:iterations=5"):
        env, other = (
            Environment("pig", opponents=opponents, think_seconds=60),
            Environment("pig", opponents=opponents, think_seconds=60),
        )
        series = [[play(one, seed) for seed in (1, 2)] for one in (env, other)]
        moves = [
            [[info["moves"] for *_, info in game] for game in one_series] for one_series in series
        ]
        assert moves[0] == moves[1]
        assert moves[0][0] != moves[0][1]


def test_a_reset_without_a_seed_goes_on_in_the_series() -> None:
    """The games after it differ, and are the same again with the same first seed."""
    env = Environment("pig")

    def series() -> list[Any]:
        _, info = env.reset(seed=5)
        found = [info["moves"]]
        for _ in range(4):
            env.step(int(np.flatnonzero(info["action_mask"])[0]))
            _, info = env.reset()
            found.append(env.step(int(np.flatnonzero(info["action_mask"])[0]))[4]["moves"])
        return found

    assert series() == series()


def test_an_illegal_action_is_an_error_that_names_legal_ones() -> None:
    """And nothing has happened: a legal one may follow."""
    env = Environment("ticTacToe")
    _, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])

    for action in (illegal, 10_000, -1):
        with pytest.raises(gdl.IllegalMoveError, match=r"xplayer: expected a legal one \(\d+ \("):
            env.step(action)

    assert not env.step(env.action_space.sample(info["action_mask"]))[2]


def test_an_illegal_action_may_lose_the_game() -> None:
    """The game is over, and all rewards are 0."""
    env = Environment("ticTacToe", on_illegal="lose")
    observation, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])

    after, reward, terminated, truncated, info = env.step(illegal)

    assert (after == observation).all()
    assert (reward, terminated, truncated, info["illegal_action"]) == (0.0, True, False, True)
    assert not info["rewards"].any()
    assert not info["action_mask"].any()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


@pytest.mark.parametrize("action", ["3", 1.0, None, np.array([1, 2])])
def test_an_action_is_a_number(action: object) -> None:
    """Anything else is wrong use, not an illegal action."""
    env = Environment("ticTacToe", on_illegal="lose")
    env.reset()

    with pytest.raises(TypeError, match="action: expected a whole number"):
        env.step(action)


def test_a_game_begins_with_reset() -> None:
    """Who forgets it is told."""
    env = Environment("ticTacToe")

    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        env.step(0)
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        env.action_masks()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"role": "zplayer"}, UnknownNameError, "did you mean"),
        ({"role": "xplayer", "opponents": "self"}, ValueError, "the caller plays all"),
        ({"opponents": "mtcs"}, PlayerSpecError, "mcts"),
        ({"opponents": "mcts:c=x"}, PlayerSpecError, "c"),
        (
            {"opponents": {"xplayer": "random"}},
            ValueError,
            "expected names of roles that opponents play",
        ),
        ({"think_seconds": 0}, ValueError, "expected more than 0"),
        ({"reward": "goal"}, ValueError, "expected one of scaled, raw"),
        ({"on_illegal": "ignore"}, ValueError, "expected one of error, lose"),
        ({"observation": "pixels"}, ValueError, "observation: expected"),
        ({"render_mode": "smell"}, ValueError, "render_mode: expected"),
    ],
)
def test_wrong_options_are_refused(
    options: Mapping[str, Any], error: type[Exception], message: str
) -> None:
    """Before a game begins, in words."""
    with pytest.raises(error, match=message):
        Environment("ticTacToe", **options)


def test_a_game_of_chance_alone_has_nobody_to_learn_it() -> None:
    """It is refused."""
    with pytest.raises(ValueError, match="a role for a player"):
        Environment("(role random) (init s) (legal random go) (<= terminal (true s))")


def test_a_state_is_rendered_as_the_mode_says() -> None:
    """Text with the joint move above it, or a picture; without a mode nothing."""
    ansi, svg, none = (Environment("ticTacToe", render_mode=mode) for mode in ("ansi", "svg", None))
    for env in (ansi, svg, none):
        env.reset(seed=1)
        env.step(0)

    text, picture = ansi.render(), svg.render()

    assert isinstance(text, str)
    assert text.startswith("xplayer: ")
    assert "x" in text.partition("\n")[2]
    assert str(picture).startswith("<svg")
    assert none.render() is None


@pytest.mark.parametrize("view", ["fixed", "mover"])
def test_boards_are_observed_as_planes(view: Literal["fixed", "mover"]) -> None:
    """In the space that is promised."""
    env = Environment("ticTacToe", opponents="self", observation="planes", view=view)

    observation, _ = env.reset(seed=1)
    after, *_ = env.step(0)

    assert len(env.observation_names) == len(observation)
    assert observation.shape[1:] == (3, 3)
    assert observation in env.observation_space
    assert after in env.observation_space
    assert not (after == observation).all()


def test_rules_that_do_not_ground_are_played_by_the_interpreter() -> None:
    """Facts are hashed, and what an action means is told in each state."""
    with pytest.raises(gdl.GroundingError, match='use engine="interpreter"'):
        Environment(UNGROUNDED)

    env = Environment(UNGROUNDED, engine="interpreter")
    observation, info = env.reset(seed=1)

    assert observation.sum() == 1
    assert info["action_mask"].sum() == 2
    assert env.legal_actions() == {0: "stop", 1: "wait"}
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["moves"]) == (1.0, True, (("stop",),))


def test_gymnasium_makes_vectors_of_it() -> None:
    """Infos of several are put together."""
    envs = gymnasium.make_vec("ggp/ticTacToe-v0", num_envs=3, vectorization_mode="sync")

    _, infos = envs.reset(seed=1)

    assert infos["action_mask"].shape[0] == 3
    _, rewards, *_ = envs.step([int(np.flatnonzero(mask)[0]) for mask in infos["action_mask"]])
    assert rewards.shape == (3,)
    envs.close()


def test_the_door_makes_it() -> None:
    """`make` stands in the facade."""
    env = environments.make("ticTacToe")

    assert isinstance(env, Environment)
    assert env.reset(seed=1)[0].shape == (len(env.observation_names),)

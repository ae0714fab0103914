"""Vector environments go where the interpreter goes by the same actions."""

from __future__ import annotations

import itertools
import re
from functools import cache, lru_cache
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import gdl
from ggp import environments, games
from ggp.environments.vector_environment import VectorEnvironment
from ggp.errors import GgpError
from tests.ggp.environments.rulesheets import whole_state
from tests.thorough import KINDS, all_but

pytestmark = pytest.mark.usefixtures("kernels")

NUM, STEPS = 70, 40
ROWS = (0, 1, 63, 64, 69)
MODES = ("next_step", "same_step", "disabled")
OPPONENTS = ("self", "random")
OF_EACH_KIND = [
    (name, MODES[(place + shift) % len(MODES)], opponents)
    for place, name in enumerate(KINDS)
    for shift, opponents in enumerate(OPPONENTS)
]
"""Each kind of game with both opponents, each mode with both."""
QUICK = [OF_EACH_KIND[2 * place + place % 2] for place in range(len(KINDS))]
"""Each kind of game once; each mode with both opponents."""
WAYS = list(itertools.product(MODES, OPPONENTS))
EPISODES = OF_EACH_KIND + [
    (name, *WAYS[place % len(WAYS)])
    for place, name in enumerate(name for name in games.names() if name not in KINDS)
]
"""These, and each other game in one mode with one opponent, in turns."""


def make(name: str, **options: Any) -> VectorEnvironment:
    """Environments on lanes."""
    env = environments.vector(name, NUM, **options)
    assert isinstance(env, VectorEnvironment)
    return env


def sample(env: VectorEnvironment, infos: dict[str, Any], rng: np.random.Generator) -> Any:
    """Legal actions at random."""
    masks = infos["action_mask"]
    found = [
        (rng.random(mask.shape) * mask).argmax(axis=1)
        for mask in (masks if isinstance(masks, tuple) else (masks,))
    ]
    return np.stack(found, axis=1) if isinstance(masks, tuple) else found[0]


@lru_cache(maxsize=1)  # the tests of a game follow each other
def interpreter(name: str) -> gdl.Game:
    """A game as the interpreter plays it, which answers the same question once.

    Until a game is over its states are the same in all modes.
    """
    machine = gdl.load(games.text(name), "interpreter")
    machine.is_terminal = cache(machine.is_terminal)  # type: ignore[method-assign]
    machine.legal_moves = cache(machine.legal_moves)  # type: ignore[method-assign]
    machine.next_state = cache(machine.next_state)  # type: ignore[method-assign]
    return machine


class Mirror:
    """The games of some rows, played by the interpreter with the moves that the batch makes."""

    def __init__(self, env: VectorEnvironment, name: str) -> None:
        self.env, self.mode = env, env.metadata["autoreset_mode"]
        self.machine = interpreter(name)
        self.begin(np.ones(NUM, np.bool_))
        step = env.batch.step

        def follow(actions: Any, which: Any = None) -> None:
            over = env.batch.is_terminal.copy()
            joint = np.array(actions)
            for role, mask in enumerate(env.batch.masks):
                first = mask.argmax(axis=1)
                joint[:, role] = np.where(joint[:, role] == -1, first, joint[:, role])
            step(actions, which)
            for row in ROWS:
                if which is None or which[row]:
                    self.follow(row, joint[row].tolist(), bool(over[row]))

        env.batch.step = follow  # type: ignore[method-assign]

    def begin(self, which: Any) -> None:
        for row in ROWS:
            if which[row]:
                self.states = {**getattr(self, "states", {}), row: self.machine.initial_state()}
        self.finals: dict[int, gdl.State] = {}

    def follow(self, row: int, actions: list[int], over: bool) -> None:
        machine = self.machine
        if over and self.mode is AutoresetMode.NEXT_STEP:
            self.states[row] = machine.initial_state()
            return
        moves = self.env.batch.moves
        joint = tuple(known[action] for known, action in zip(moves, actions, strict=True))
        self.states[row] = machine.next_state(self.states[row], joint)
        if machine.is_terminal(self.states[row]) and self.mode is AutoresetMode.SAME_STEP:
            self.finals[row] = self.states[row]
            self.states[row] = machine.initial_state()

    def facts(self, observation: Any) -> set[str]:
        return {self.env.observation_names[fact] for fact in np.flatnonzero(observation)}

    def check(self, observations: Any, infos: dict[str, Any]) -> None:
        """The rows show the interpreter's states; masks are those of the roles that choose."""
        for row in ROWS:
            state, machine = self.states[row], self.machine
            assert self.facts(observations[row]) == set(map(str, machine.facts(state)))
            if machine.is_terminal(state) or isinstance(infos["action_mask"], tuple):
                continue
            role = int(infos["role"][row])
            names = self.env.action_names(role)
            legal = {names[action] for action in np.flatnonzero(infos["action_mask"][row])}
            assert legal == set(map(str, machine.legal_moves(state, machine.roles[role])))


@pytest.mark.parametrize("case", all_but(QUICK, EPISODES, is_whole=True), ids="-".join)
def test_episodes_are_those_of_the_interpreter(case: tuple[str, str, str]) -> None:
    """State by state, mask by mask, and the goals at the end are the rewards."""
    name, mode, opponents = case
    observation = whole_state(name)
    env = make(name, autoreset_mode=mode, opponents=opponents, observation=observation)
    mirror, rng = Mirror(env, name), np.random.default_rng(3)
    observations, infos = env.reset(seed=1)
    for _ in range(STEPS):
        mirror.check(observations, infos)
        mirror.finals = {}
        chosen = infos["role"]
        observations, rewards, terminated, truncated, infos = env.step(sample(env, infos, rng))
        for row in ROWS:
            check_end(mirror, row, terminated[row], infos)
            role = max(0, int(chosen[row]))
            assert rewards[row] == infos["rewards"][row, role]
        over = terminated | truncated
        if mode == "disabled" and over.any():
            mirror.begin(over)
            observations, infos = env.reset(options={"reset_mask": over})


def check_end(mirror: Mirror, row: int, is_over: bool, infos: dict[str, Any]) -> None:
    """A game is over when the interpreter says so, with its goals."""
    machine = mirror.machine
    if mirror.mode is AutoresetMode.SAME_STEP:
        state = mirror.finals.get(row)
        if state is not None:
            assert mirror.facts(infos["final_obs"][row]) == set(map(str, machine.facts(state)))
    else:
        state = mirror.states[row] if machine.is_terminal(mirror.states[row]) else None
    assert is_over == (state is not None)
    goals = [0.0 if state is None else machine.goal(state, role) / 100 for role in machine.roles]
    assert infos["rewards"][row].tolist() == goals


@pytest.mark.parametrize("mode", MODES)
def test_an_illegal_action_may_lose_the_game(mode: str) -> None:
    """The others' games go on; the lost one is over with no reward, and begins anew."""
    env = make("ticTacToe", autoreset_mode=mode, on_illegal="lose", opponents="self")
    first, infos = env.reset(seed=1)
    actions = sample(env, infos, np.random.default_rng(1))
    second, _, _, _, infos = env.step(actions)
    illegal = infos["action_mask"][5].argmin()
    actions = sample(env, infos, np.random.default_rng(1))
    actions[5], actions[6] = illegal, -7
    observations, rewards, terminated, truncated, infos = env.step(actions)
    assert np.flatnonzero(terminated).tolist() == [5, 6]
    assert np.flatnonzero(infos["illegal_action"]).tolist() == [5, 6]
    assert not truncated.any()
    assert not rewards.any()
    lost = infos["final_obs"][5] if mode == "same_step" else observations[5]
    assert (lost == second[5]).all()
    if mode == "disabled":
        observations, infos = env.reset(options={"reset_mask": terminated})
    elif mode == "next_step":
        observations = env.step(sample(env, infos, np.random.default_rng(1)))[0]
    assert (observations[5] == first[5]).all()
    assert (observations[4] != first[4]).any()


def test_an_illegal_action_is_an_error_that_changes_nothing() -> None:
    """The error says which game and what is legal."""
    env = make("ticTacToe", role="xplayer")
    before, infos = env.reset(seed=1)
    actions = sample(env, infos, np.random.default_rng(1))
    for action in (infos["action_mask"][9].argmin(), 99, -1):
        actions[9] = action
        with pytest.raises(gdl.IllegalMoveError, match="xplayer in state 9: expected a legal one"):
            env.step(actions)
        assert (env.batch.observations == before).all()


@pytest.mark.parametrize(
    "actions", [[0] * (NUM - 1), np.zeros(NUM), np.zeros((NUM, 2), int), [["a"] * NUM]]
)
def test_actions_of_another_shape_or_type_are_an_error(actions: Any) -> None:
    """It says what was expected."""
    env = make("ticTacToe")
    env.reset()
    with pytest.raises(ValueError, match=f"actions: expected {NUM} integers, got"):
        env.step(actions)


def test_a_game_that_is_over_must_be_reset_if_nobody_else_does() -> None:
    """A step says which game was forgotten."""
    env = make("rockPaperScissors", autoreset_mode="disabled")
    _, infos = env.reset(seed=1)
    actions = sample(env, infos, np.random.default_rng(1))
    over = np.zeros(NUM, np.bool_)
    while not over.all():  # all games take equally long
        over = env.step(actions)[2]
    with pytest.raises(gymnasium.error.ResetNeeded, match="game 0 is over"):
        env.step(actions)
    over[3] = False
    env.reset(options={"reset_mask": over})
    with pytest.raises(gymnasium.error.ResetNeeded, match="game 3 is over"):
        env.step(actions)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("ticTacToe", {"opponents": "mcts:iterations=5,tree=python", "think_seconds": 60}),
        ("ticTacToe", {"engine": "interpreter"}),
        ("kuhnPoker", {}),
    ],
)
def test_games_that_go_on_keep_their_infos_when_others_are_reset(
    name: str, options: dict[str, Any]
) -> None:
    """Also where games are played one after the other: opponents that search, hidden information.

    The caller's options stay as they are.
    """
    env: Any = environments.vector(name, 3, autoreset_mode="disabled", **options)
    given = {"reset_mask": np.array([False, True, False])}
    _, infos = env.reset(seed=1)
    before = env.step(infos["action_mask"].argmax(axis=1))
    observations, infos = env.reset(options=given)

    assert list(given) == ["reset_mask"]
    for row in (0, 2):
        assert (observations[row] == before[0][row]).all()
        assert (infos["action_mask"][row] == before[4]["action_mask"][row]).all()
        assert infos["moves"][row] == before[4]["moves"][row]
    assert infos["_action_mask"].all()
    goes_on = ~(before[2] | before[3])
    assert infos["action_mask"].any(axis=1).tolist() == [goes_on[0], True, goes_on[2]]


def test_all_games_must_have_begun_before_some_are_reset() -> None:
    """The others have nothing that could stay."""
    env: Any = environments.vector("ticTacToe", 2, opponents="legal")

    with pytest.raises(gymnasium.error.ResetNeeded, match="no game is being played: call reset"):
        env.reset(options={"reset_mask": np.array([True, False])})


def test_the_same_seed_gives_the_same_games() -> None:
    """With the same actions, dice and all."""

    def series(seed: int) -> list[int]:
        env, rng = make("pig"), np.random.default_rng(1)
        _, infos = env.reset(seed=seed)
        seen = []
        for _ in range(10):
            observations, *_, infos = env.step(sample(env, infos, rng))
            seen.append(int(observations.sum(dtype=np.int64)) + hash(observations.tobytes()))
        return seen

    assert series(4) == series(4) != series(5)


def test_observations_are_copies_unless_that_is_not_wanted() -> None:
    """Then a step writes over them."""
    env = make("ticTacToe", copy=False)
    shared, infos = env.reset(seed=1)
    before = shared.copy()
    env.step(sample(env, infos, np.random.default_rng(1)))
    assert (shared != before).any()


@pytest.mark.parametrize(("kind", "shape"), [("packed", (1,)), ("planes", (5, 3, 3))])
def test_observations_of_other_kinds(kind: str, shape: tuple[int, ...]) -> None:
    """Packed facts and planes, the last ones of a game too."""
    env = make("ticTacToe", observation=kind, autoreset_mode="same_step", opponents="self")
    observations, infos = env.reset(seed=1)
    rng = np.random.default_rng(1)
    while "final_obs" not in infos:
        assert observations.shape == (NUM, *shape)
        assert observations in env.observation_space
        observations, *_, infos = env.step(sample(env, infos, rng))
    assert next(one for one in infos["final_obs"] if one is not None).shape == shape


def test_players_as_opponents_play_one_game_after_the_other() -> None:
    """One that sees two plies ahead is hardly ever beaten by random moves."""
    env = environments.vector(
        "ticTacToe", 2, opponents="alphabeta:depth=2", autoreset_mode="same_step", role="oplayer"
    )
    assert isinstance(env, SyncVectorEnv)
    _, infos = env.reset(seed=1)
    rng, total = np.random.default_rng(1), 0.0
    for _ in range(8):
        actions = (rng.random((2, 10)) * infos["action_mask"]).argmax(axis=1)
        _, rewards, *_, infos = env.step(actions)
        total += rewards.sum()
    assert total < 2


def test_rules_that_do_not_ground_are_played_by_the_interpreter() -> None:
    """A counter that has no end."""
    rules = (
        "(role me) (init (n z)) (legal me go) (legal me stay) (<= (next (n (s ?x))) (does me go)"
        " (true (n ?x))) (<= (next (n ?x)) (does me stay) (true (n ?x)))"
        "(<= terminal (true (n (s (s z))))) (<= (goal me 100) (true (n (s (s z)))))"
    )
    env = environments.vector(rules, 2, engine="interpreter")
    env.reset(seed=1)
    env.step(np.array([0, 1]))
    _, rewards, terminated, _, _ = env.step(np.array([0, 0]))
    assert rewards.tolist() == [1, 0]
    assert terminated.tolist() == [True, False]


def test_all_games_are_rendered() -> None:
    """Each in the state that it is in."""
    env = make("ticTacToe", render_mode="ansi", opponents="self")
    _, infos = env.reset(seed=1)
    env.step(sample(env, infos, np.random.default_rng(1)))
    shown = env.render()
    assert shown is not None
    assert len(shown) == NUM
    assert all(len(re.findall(r"\bx\b", str(text))) == 1 for text in shown)
    assert make("ticTacToe").render() is None


NIM = """
(role first) (role second) (init (heap 3)) (init (control first))
(less 1 3) (less 2 3) (less 1 2) (minus 3 1 2) (minus 3 2 1) (minus 3 3 0) (minus 2 1 1)
(minus 2 2 0) (minus 1 1 0)
(<= (legal ?r (take ?n)) (true (control ?r)) (true (heap ?h)) (minus ?h ?n ?rest))
(<= (legal first wait) (true (control second))) (<= (legal second wait) (true (control first)))
(<= (next (heap ?rest)) (does ?r (take ?n)) (true (heap ?h)) (minus ?h ?n ?rest))
(<= (next (control second)) (true (control first)))
(<= (next (control first)) (true (control second)))
(<= terminal (true (heap 0)))
(<= (goal second 100) (true (heap 0)) (true (control first)))
(<= (goal second 0) (true (heap 0)) (true (control second)))
(<= (goal first 100) (true (heap 0)) (true (control second)))
(<= (goal first 0) (true (heap 0)) (true (control first)))
"""


@pytest.mark.parametrize("mode", MODES)
def test_games_that_are_over_before_a_choice_count(mode: str) -> None:
    """The first player takes all three, or two, or one; then the second takes one or two.

    One of three games is over at once and lost; one is won by the only move that is left; in one
    the second has a choice, and wins or leaves one to the first. With one step for each: 1/2.
    """
    env = environments.vector(NIM, 900, role="second", autoreset_mode=mode)
    assert isinstance(env, VectorEnvironment)
    _, infos = env.reset(seed=1)
    rng = np.random.default_rng(1)
    rewards, num_over = 0.0, 0
    for _ in range(12):
        waits = np.flatnonzero(infos["action_mask"][0] == 1)
        assert len(waits) > 0
        observations, gained, over, _, infos = env.step(sample(env, infos, rng))
        rewards, num_over = rewards + gained.sum(), num_over + int(over.sum())
        assert not (gained[~over]).any()
        if mode == "same_step":
            finals = [facts for facts in infos["final_obs"] if facts is not None]
            heap = env.observation_names.index("(heap 0)")
            assert all(facts[heap] for facts in finals)
        elif mode == "disabled":
            observations, infos = env.reset(options={"reset_mask": over})
        assert over.all() or (mode == "next_step" and num_over % 900 == 0)
    assert observations.shape == (900, len(env.observation_names))
    assert num_over == (5400 if mode == "next_step" else 10_800)
    assert rewards / num_over == pytest.approx(0.5, abs=0.03)


def test_a_role_without_a_move_truncates_its_games() -> None:
    """Faulty rules, the first that a beginner meets; as in single environments."""
    env = environments.vector("(role a) (init (on)) (<= (legal a go) (true (on)))", 2)
    env.reset(seed=1)

    _, rewards, terminated, truncated, _ = env.step(np.zeros(2, np.int64))

    assert not rewards.any()
    assert not terminated.any()
    assert truncated.all()


def test_a_role_that_never_has_a_move_is_named() -> None:
    """Nothing could be learned of such rules."""
    with pytest.raises(gdl.GroundingError, match=r"role 'b' never has a legal move$"):
        environments.vector("(role a) (role b) (init (on)) (legal a go)", 2)


def test_a_step_before_the_first_reset_is_an_error() -> None:
    """As in single environments, and so is one after the end."""
    env = make("ticTacToe")
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        env.step(np.zeros(NUM, np.int64))
    env.reset(seed=1)
    env.close()
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        env.step(np.zeros(NUM, np.int64))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "num_envs: expected 1 to 4,194,304"),
        ({"num_envs": 2.5}, "num_envs: expected 1 to 4,194,304"),
        ({"threads": 0}, "threads: expected 1 to 1024"),
        ({"role": "nobody"}, "nobody"),
        ({"role": 1}, "role: expected a name"),
        ({"role": "xplayer", "opponents": "self"}, "role: expected none with opponents"),
        ({"opponents": None}, "opponents: expected random, self, a player"),
        ({"autoreset_mode": "never"}, "autoreset_mode: expected one of"),
        ({"engine": "steam"}, "engine: expected one of"),
        ({"rules": 5}, "rules: expected the name"),
        (
            {"rules": "tron", "observation": "planes", "view": "mover", "opponents": "self"},
            "view: expected",
        ),
    ],
)
def test_wrong_options_say_what_is_right(options: dict[str, Any], message: str) -> None:
    """Before anything is made."""
    rules = options.get("rules", "ticTacToe")
    others = {name: value for name, value in options.items() if name != "rules"}

    with pytest.raises((ValueError, TypeError, GgpError), match=message):
        environments.vector(rules, **{"num_envs": 2, **others})

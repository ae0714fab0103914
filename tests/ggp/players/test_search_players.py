"""Players that search: legal and in time, with a tree that lasts the match."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Mapping
from threading import Timer

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.players import Player, create
from ggp.players.mcts import MctsPlayer
from ggp.search.core.choices import goals_in
from ggp.search.core.playout import random_joint
from ggp.warming import kernels as warming
from tests.fakes.gametree import GameTreeMachine, decision, game_tree, terminal
from tests.ggp.players.test_live_learning import Once
from tests.thorough import KINDS, all_but

pytestmark = pytest.mark.usefixtures("kernels")

NEVER = Deadline.never()
PLAYERS = ("legal", "random", "greedy", "mcts")
CASES = [*itertools.product(KINDS, PLAYERS)] + [
    (name, PLAYERS[2 + place % 2])
    for place, name in enumerate(name for name in games.names() if name not in KINDS)
]
"""All players in games of each kind; those that search in turns in the others."""
QUICK = [
    case
    for place, case in enumerate(CASES[: len(PLAYERS) * len(KINDS)])
    if case[0] == "ticTacToe" or place % 5 in {0, 2}
]
"""All players in one game, some of them in each other kind."""


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    """Kernels in memory, as in an engine process, before a clock runs."""
    gdl.warm_up()
    warming.warm_up_tree()


def load(game: str) -> gdl.Game:
    """The machine of a bundled game."""
    return gdl.load(gdl.read_kif(games.text(game)))


def play(machine: gdl.Game, *specs: str, seed: int = 1, plies: int = 500) -> list[float]:
    """Goals after a match of at most so many plies; every move is checked to be legal."""
    players = [
        create(spec, machine, role, {}, seed=seed * 10 + index)
        for index, (spec, role) in enumerate(zip(specs, machine.roles, strict=True))
    ]
    state = machine.initial_state()
    for player in players:
        player.prepare(state, NEVER)
    while not machine.is_terminal(state) and plies:
        joint = tuple(player.choose(state, NEVER) for player in players)
        for move, role in zip(joint, machine.roles, strict=True):
            assert move in machine.legal_moves(state, role)
        state = machine.next_state(state, joint)
        for player in players:
            player.advance(joint, state)
        plies -= 1
    return list(goals_in(machine, state))


def position(machine: gdl.Game, *moves: str) -> gdl.State:
    """The state of a two-player game after moves made in turn."""
    state = machine.initial_state()
    for ply, text in enumerate(moves):
        joint = [machine.legal_moves(state, role)[0] for role in machine.roles]
        legal = machine.legal_moves(state, machine.roles[ply % 2])
        joint[ply % 2] = next(move for move in legal if str(move) == text)
        state = machine.next_state(state, joint)
    return state


@pytest.mark.parametrize("case", all_but(QUICK, CASES), ids="-".join)
def test_only_legal_moves_are_made(case: tuple[str, str]) -> None:
    """Some plies of every bundled game, whatever its number of roles."""
    game, player = case
    machine = load(game)
    spec = player if player in {"legal", "random"} else f"{player}:iterations=3"

    goals = play(machine, *[spec] * len(machine.roles), plies=6)

    assert len(goals) == len(machine.roles)


@pytest.mark.parametrize("spec", ["mcts:iterations=20", "greedy:iterations=20"])
def test_a_win_in_one_is_taken(spec: str) -> None:
    """X has two in the first row and moves."""
    machine = load("ticTacToe")
    moves = ("(mark 1 1)", "(mark 3 3)", "(mark 2 1)", "(mark 2 3)")
    state = position(machine, *moves)

    move = create(spec, machine, machine.roles[0], {}, seed=1).choose(state, NEVER)

    after = machine.next_state(state, (move, gdl.Constant("noop")))
    assert machine.is_terminal(after)
    assert machine.goal(after, machine.roles[0]) == 100


@pytest.mark.parametrize("spec", ["mcts:iterations=150", "greedy:iterations=150"])
def test_a_loss_in_one_is_blocked(spec: str) -> None:
    """X has two in the first row, and O moves."""
    machine = load("ticTacToe")
    state = position(machine, "(mark 1 1)", "(mark 2 2)", "(mark 2 1)")

    move = create(spec, machine, machine.roles[1], {}, seed=1).choose(state, NEVER)

    assert str(move) == "(mark 3 1)"


@pytest.mark.parametrize(
    ("opponent", "num_seeds"),
    [
        ("random", 1),
        pytest.param("random", 2, marks=pytest.mark.thorough),
        pytest.param("mcts:iterations=300", 2, marks=pytest.mark.thorough),
    ],
)
def test_mcts_does_not_lose_tic_tac_toe(opponent: str, num_seeds: int) -> None:
    """On either side, with a few hundred rounds a move."""
    machine, mcts, seeds = load("ticTacToe"), "mcts:iterations=300", range(num_seeds)

    goals = [play(machine, mcts, opponent, seed=seed)[0] for seed in seeds] + [
        play(machine, opponent, mcts, seed=seed)[1] for seed in seeds
    ]

    assert min(goals) >= 50


@pytest.mark.parametrize("game", ["eightPuzzle", "lightsOut"])
def test_mcts_solves_the_puzzles(game: str) -> None:
    """Alone, it searches breadth-first as well and plays the way found to its end."""
    assert play(load(game), "mcts:iterations=5000") == [100]


def test_greedy_solves_the_towers_of_hanoi() -> None:
    """The goal values of states lead it to the end."""
    assert play(load("towersOfHanoi"), "greedy:iterations=2000") == [100]


@pytest.mark.parametrize("spec", ["mcts", "greedy"])
def test_the_move_comes_by_the_deadline(spec: str) -> None:
    """However busy the machine is: the loops look at the clock every few ms of their own time."""
    machine = load("breakthrough")
    player = create(spec, machine, machine.roles[0], {}, seed=1)
    start = time.thread_time()

    player.choose(machine.initial_state(), Deadline.after(0.1))

    assert time.thread_time() - start < 1.5


@pytest.mark.parametrize("spec", ["mcts", "greedy"])
def test_the_only_legal_move_is_made_at_once(spec: str) -> None:
    """The second role has nothing to decide, so the clock is not used."""
    machine = load("connectFour")
    player = create(spec, machine, machine.roles[1], {}, seed=1)

    move = player.choose(machine.initial_state(), NEVER)

    assert str(move) == "noop"


@pytest.mark.parametrize("spec", ["mcts", "greedy"])
def test_a_proven_move_is_made_at_once(spec: str) -> None:
    """A win in one ends the thinking, without a deadline."""
    tree = decision(
        "max", a=decision("min", x=terminal(0, 100), y=terminal(100, 0)), b=terminal(100, 0)
    )
    machine = game_tree(("max", "min"), tree)

    move = create(spec, machine, machine.roles[0], {}, seed=1).choose(tree, NEVER)

    assert str(move) == "b"


def test_a_move_that_is_left_when_all_others_are_refuted_is_said_to_be_forced() -> None:
    """It is made at once, so what is said of its value is a first impression."""
    open_end = decision("min", x=terminal(30, 70), y=terminal(60, 40))
    tree = decision("max", a=terminal(0, 100), b=open_end, c=terminal(0, 100))
    machine = game_tree(("max", "min"), tree)
    player = create("mcts", machine, machine.roles[0], {}, seed=1)

    move = player.choose(tree, NEVER)

    assert str(move) == "b"
    assert player.thoughts["forced"] is True
    assert player.thoughts["lower"] != player.thoughts["upper"]


def test_reports_come_early_and_while_it_thinks() -> None:
    """The first report holds a legal move before any round, the last the move chosen."""
    machine = load("connectFour")
    player = create("mcts", machine, machine.roles[0], {}, seed=1)
    reports: list[tuple[gdl.Move, Mapping[str, object]]] = []
    deadline = Deadline.after(60)

    def listen(move: gdl.Move, thoughts: Mapping[str, object]) -> None:
        reports.append((move, thoughts))
        if len(reports) == 2:
            deadline.end()

    player.listener = listen
    move = player.choose(machine.initial_state(), deadline)

    assert len(reports) >= 3
    assert reports[0][1]["visits"] == 0
    assert reports[-1] == (move, player.thoughts)
    assert json.loads(json.dumps(player.thoughts)) == player.thoughts


def visits(player: Player) -> int:
    """Rounds that the player's last report counted."""
    count = player.thoughts["visits"]
    assert isinstance(count, int)
    return count


@pytest.mark.parametrize("spec", ["mcts:iterations=20", "greedy:iterations=20"])
def test_what_was_learned_in_the_startclock_is_used(spec: str) -> None:
    """Twenty rounds before the match and twenty on the first move are one tree."""
    machine = load("connectFour")
    player = create(spec, machine, machine.roles[0], {}, seed=1)

    player.prepare(machine.initial_state(), NEVER)
    player.choose(machine.initial_state(), NEVER)

    assert visits(player) == 40


def test_what_was_learned_on_the_opponents_time_is_used() -> None:
    """Pondering grows the tree whose subtree the next move starts from."""
    machine = load("connectFour")
    state, role = machine.initial_state(), machine.roles[1]
    player = create("mcts", machine, role, {}, seed=1)
    assert isinstance(player, MctsPlayer)
    player.ponder(state, Once(20))
    joint = random_joint(machine, state, player.rng)
    state = machine.next_state(state, joint)

    player.advance(joint, state)
    player.rounds = 1
    player.choose(state, NEVER)

    assert visits(player) > 1


def test_pondering_ends_when_another_thread_says_so() -> None:
    """The deadline is never, until the next message comes."""
    machine = load("connectFour")
    player = create("mcts", machine, machine.roles[1], {}, seed=1)
    deadline = Deadline.never()
    message = Timer(0.1, deadline.end)
    message.start()

    player.ponder(machine.initial_state(), deadline)

    message.join()
    assert deadline.is_over()


def test_the_end_of_the_game_is_no_place_to_ponder() -> None:
    """A game manager may be slow to send the last message."""
    game = game_tree(("me",), decision("me", a=terminal(0), b=terminal(100)))
    machine = game.machine
    assert isinstance(machine, GameTreeMachine)
    player = create("mcts", game, machine.roles[0], {}, seed=1)
    joint = (gdl.Constant("a"),)
    player.choose(machine.initial_state(), NEVER)
    state = machine.next_state(machine.initial_state(), joint)
    player.advance(joint, state)
    steps = machine.num_steps

    player.ponder(state, NEVER)

    assert machine.num_steps == steps


def test_counted_rounds_make_a_match_reproducible() -> None:
    """The same seeds give the same match, however fast the machine."""
    machine = load("tron")
    specs = ["mcts:iterations=10"] * len(machine.roles)

    assert play(machine, *specs, seed=4) == play(machine, *specs, seed=4)

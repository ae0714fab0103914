"""The players that look some plies ahead, as a match makes them: minimax, alphabeta, expectimax."""

from __future__ import annotations

import time

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.players import PlayerSpecError, create
from tests.fakes.gametree import decision, game_tree, terminal

pytestmark = pytest.mark.usefixtures("kernels")

NEVER = Deadline.never()
SPECS = (
    "minimax:iterations=2",
    "minimax:depth=2,paranoid=yes,quiescence=1,swing=30",
    "alphabeta:iterations=2",
    "alphabeta:depth=2,order=listed,table=0,eval=goal",
    "alphabeta:depth=2,order=random,killers=no,history=no",
    "alphabeta:depth=2,quiescence=1,secondary=1",
)

GAMES = ("connectFour", "eightPuzzle", "goofspiel", "pig", "threePlayerTicTacToe")
QUICK = [
    ("eightPuzzle", SPECS[0]),
    ("goofspiel", SPECS[2]),
    *(("eightPuzzle", spec) for spec in SPECS[2:]),
    *(("threePlayerTicTacToe", spec) for spec in SPECS[1:]),
]
"""Each way to search alone and among three; the slowest alone, and one where moves are secret."""

CHANCE_SPECS = (
    "expectimax:depth=1",
    "expectimax:model=minimax,d=1,p=0.5,iterations=1",
    "expectimax:model=adversarial:1+random:3,iterations=1",
    "expectiminimax:iterations=2",
)


def load(game: str) -> gdl.Game:
    """The machine of a bundled game, compiled for one state at a time."""
    return gdl.load(games.text(game), "scalar")


@pytest.mark.parametrize(
    ("game", "spec"),
    [
        pytest.param(game, spec, marks=() if (game, spec) in QUICK else pytest.mark.thorough)
        for game in GAMES
        for spec in SPECS
    ],
)
def test_it_makes_a_legal_move(game: str, spec: str) -> None:
    """One role and three, in turns and at once, with dice."""
    machine = load(game)
    state = machine.initial_state()
    player = create(spec, machine, machine.roles[0], {}, seed=1)

    player.prepare(state, Deadline.after(0.01))
    move = player.choose(state, NEVER)

    assert move in machine.legal_moves(state, player.role)


@pytest.mark.parametrize("spec", ["minimax:depth=3", "alphabeta:depth=3"])
def test_it_takes_a_win_and_blocks_a_loss(spec: str) -> None:
    """In ticTacToe X has two in a row: it completes them, and O must prevent it."""
    machine = load("ticTacToe")
    state = machine.initial_state()
    x, o = machine.roles
    noop = gdl.Constant("noop")
    for number, text in enumerate(["(mark 1 1)", "(mark 2 2)", "(mark 2 1)"]):
        legal = machine.legal_moves(state, (x, o)[number % 2])
        move = next(each for each in legal if str(each) == text)
        state = machine.next_state(state, (move, noop) if number % 2 == 0 else (noop, move))
    wrong = next(each for each in machine.legal_moves(state, o) if str(each) == "(mark 3 3)")

    block = create(spec, machine, o, {}).choose(state, NEVER)
    win = create(spec, machine, x, {}).choose(machine.next_state(state, (noop, wrong)), NEVER)

    assert (str(block), str(win)) == ("(mark 3 1)", "(mark 3 1)")


def test_a_whole_match_of_two_perfect_players_is_a_draw() -> None:
    """Nobody wins ticTacToe against alpha-beta to the end of the game."""
    machine = load("ticTacToe")
    players = [create("alphabeta", machine, role, {}) for role in machine.roles]
    state = machine.initial_state()

    while not machine.is_terminal(state):
        joint = tuple(player.choose(state, NEVER) for player in players)
        state = machine.next_state(state, joint)
        for player in players:
            player.advance(joint, state)

    assert [machine.goal(state, role) for role in machine.roles] == [50, 50]


def test_the_move_comes_by_the_deadline() -> None:
    """However busy the machine is: it looks at the clock every few ms of its own time."""
    machine = load("breakthrough")
    player = create("alphabeta:secondary=2,quiescence=2", machine, machine.roles[0], {})
    start = time.thread_time()

    player.choose(machine.initial_state(), Deadline.after(0.1))

    assert time.thread_time() - start < 1.5


OPTIONS = {
    "alphabeta": (
        "order=worst",
        "table=-1",
        "killers=1",
        "depth=x",
        "secondary=y",
    ),
    "expectimax": ("model=kind", "model=random:0", "p=1.5", "d=0"),
}


@pytest.mark.parametrize(
    ("name", "option"), [(name, each) for name, wrong in OPTIONS.items() for each in wrong]
)
def test_what_no_option_can_be_is_refused(name: str, option: str) -> None:
    """Before the match, with the name of the option."""
    machine = load("ticTacToe")

    with pytest.raises(PlayerSpecError, match=f"option {option.partition('=')[0]}"):
        create(f"{name}:{option}", machine, machine.roles[0], {})


@pytest.mark.parametrize(
    ("game", "spec"),
    [
        pytest.param(game, spec, marks=() if game == "pig" else pytest.mark.thorough)
        for game in ("pig", "rockPaperScissors", "threePlayerTicTacToe")
        for spec in CHANCE_SPECS
    ]
    + [("threePlayerTicTacToe", "expectiminimax:iterations=1")],
)
def test_it_answers_chance_with_a_legal_move(game: str, spec: str) -> None:
    """With dice, with simultaneous moves, and with two opponents."""
    machine = gdl.load(games.text(game))
    state = machine.initial_state()
    player = create(spec, machine, machine.roles[0], {}, seed=1)

    player.prepare(state, Deadline.after(0.01))
    move = player.choose(state, NEVER)

    assert move in machine.legal_moves(state, player.role)


@pytest.mark.parametrize(
    ("model", "bin_chosen"), [("adversarial", "b"), ("random", "c"), ("cooperative", "a")]
)
def test_the_model_decides_which_bin_is_chosen(model: str, bin_chosen: str) -> None:
    """As in the lecture "Search in Games", with 50 added to each number."""
    bins = {"a": (0, 100), "b": (51, 53), "c": (65, 45)}
    tree = decision(
        "me",
        **{
            name: decision("you", x=terminal(x, 100 - x), y=terminal(y, 100 - y))
            for name, (x, y) in bins.items()
        },
    )
    machine = game_tree(("me", "you"), tree)
    player = create(f"expectimax:eval=even,model={model}", machine, machine.roles[0], {})

    move = player.choose(machine.initial_state(), NEVER)

    assert str(move) == bin_chosen

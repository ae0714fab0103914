"""The players that count with chance, as a match makes them."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.players import PlayerSpecError, create
from tests.fakes.gametree import decision, game_tree, terminal
from tests.thorough import all_but

SPECS = (
    "expectimax:depth=1",
    "expectimax:model=minimax,d=1,p=0.5,iterations=1",
    "expectimax:model=adversarial:1+random:3,iterations=1",
    "expectiminimax:iterations=2",
)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize(
    "game",
    all_but(["pig", "threePlayerTicTacToe"], ["pig", "rockPaperScissors", "threePlayerTicTacToe"]),
)
def test_it_answers_in_time_with_a_legal_move(game: str, spec: str) -> None:
    """With dice, with simultaneous moves, and with two opponents."""
    machine = gdl.load(games.text(game))
    state = machine.initial_state()
    player = create(spec, machine, machine.roles[0], {}, seed=1)
    deadline = Deadline.after(5)

    player.prepare(state, Deadline.after(0.01))
    move = player.choose(state, deadline)

    assert move in machine.legal_moves(state, player.role)
    assert not deadline.is_over()


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

    move = player.choose(machine.initial_state(), Deadline.after(5))

    assert str(move) == bin_chosen


@pytest.mark.parametrize("option", ["model=kind", "model=random:0", "p=1.5", "d=0"])
def test_what_no_option_can_be_is_refused(option: str) -> None:
    """Before the match, with the name of the option."""
    machine = gdl.load(games.text("ticTacToe"))

    with pytest.raises(PlayerSpecError, match=f"option {option[0]}"):
        create(f"expectimax:{option}", machine, machine.roles[0], {})

"""Symmetries: a game played elsewhere on the board is the same game."""

from __future__ import annotations

import random

import pytest

import gdl
from gdl.structure.symmetries import Symmetry
from ggp import games
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")


KNOWN = {
    "ticTacToe": 8,  # the square's
    "pentago": 8,
    "connectFour": 2,  # left and right
    "breakthroughSmall": 2,
    "rockPaperScissors": 3,  # what beats what goes round
    "nim": 1,  # heaps of different sizes
}
QUICK = ("ticTacToe", "rockPaperScissors", "nim")


@pytest.mark.parametrize("name", all_but(QUICK, KNOWN))
def test_known_symmetries_are_found(name: str) -> None:
    """All of them, and the first one changes nothing."""
    num = KNOWN[name]

    found = gdl.load(games.text(name), "scalar").symmetries

    assert len(found) == num
    assert (found[0].bases == range(len(found[0].bases))).all()
    assert len({tuple(symmetry.inputs) for symmetry in found}) == num


@pytest.mark.parametrize("name", all_but(QUICK[:2], [*KNOWN, "tron"]))
def test_a_game_and_its_image_go_on_alike(name: str) -> None:
    """Step by step: facts, legal moves, the end and the goals."""
    game = gdl.load(games.text(name), "scalar")
    for symmetry in game.symmetries:
        here, there = _both_played(game, symmetry, random.Random(1))
        assert game.is_terminal(there)
        for role in game.roles:
            assert game.goal(here, role) == game.goal(there, role)


def _both_played(
    game: gdl.Game, symmetry: Symmetry, rng: random.Random
) -> tuple[gdl.State, gdl.State]:
    """The ends of a random game and of its image, which had the same facts and moves."""
    assert game.circuit is not None
    net = game.circuit.netlist
    fact_of = {
        fact: net.bases[place] for fact, place in zip(net.bases, symmetry.bases, strict=True)
    }
    move_of = {one: net.inputs[at] for one, at in zip(net.inputs, symmetry.inputs, strict=True)}
    here = there = game.initial_state()
    while not game.is_terminal(here):
        assert {fact_of[fact] for fact in game.facts(here)} == set(game.facts(there))
        joint = []
        for number, role in enumerate(game.roles):
            legal = game.legal_moves(here, role)
            images = {move_of[number, move][1] for move in legal}
            assert images == set(game.legal_moves(there, role))
            joint.append(rng.choice(legal))
        image = [move_of[number, move][1] for number, move in enumerate(joint)]
        here, there = game.next_state(here, joint), game.next_state(there, image)
    return here, there

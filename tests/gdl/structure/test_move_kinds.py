"""Kinds of moves: each kind of a move is an input of its own, and the game stays the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import gdl
from gdl.circuit.circuit import derived
from ggp import games
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

GAMES = ("breakthroughSmall", "knightThrough")  # a fact (cell COLUMN ROW ROLE) for each piece
WITHOUT_PIECES = ("ticTacToe", "hex", "rockPaperScissors")
MATCHES = 3


class Positions:
    """Random positions of a game, and what the rules say about the moves there."""

    def __init__(self, name: str) -> None:
        self.game = gdl.load(games.text(name))
        self.roles = self.game.roles

    def some(self) -> Iterator[tuple[gdl.State, int]]:
        """States that are not terminal, and the role that moves."""
        rng = random.Random(1)
        for _ in range(MATCHES):
            state, mover = self.game.initial_state(), 0
            while not self.game.is_terminal(state):
                yield state, mover
                moves = self.game.legal_moves(state, self.roles[mover])
                state, mover = self.after(state, mover, rng.choice(moves)), 1 - mover

    def after(self, state: gdl.State, mover: int, move: gdl.Move) -> gdl.State:
        """The next state."""
        joint = [self.game.legal_moves(state, role)[0] for role in self.roles]
        joint[mover] = move
        return self.game.next_state(state, tuple(joint))

    def pieces(self, state: gdl.State, owner: int) -> set[str]:
        """The facts of a role's pieces."""
        facts = map(str, self.game.facts(state))
        return {
            fact for fact in facts if fact.endswith(f" {self.roles[owner]})") and "cell" in fact
        }

    def kind(self, state: gdl.State, mover: int, move: gdl.Move) -> tuple[bool, bool]:
        """Whether a move takes a piece, and whether its own piece can be taken next."""
        following = self.after(state, mover, move)
        takes = bool(self.pieces(state, 1 - mover) - self.pieces(following, 1 - mover))
        made = self.pieces(following, mover) - self.pieces(state, mover)
        answers = self.game.legal_moves(following, self.roles[1 - mover])
        left = [self.pieces(self.after(following, 1 - mover, answer), mover) for answer in answers]
        return takes, any(made - pieces for pieces in left)


@pytest.mark.parametrize("name", all_but(["breakthroughSmall"], GAMES))
@pytest.mark.parametrize("is_decisive", [False, True])
def test_each_kind_of_a_move_is_an_input_of_its_own(name: str, is_decisive: bool) -> None:
    """And the same moves are legal as before."""
    positions = Positions(name)
    game = positions.game
    kinds, decisive = game.move_kinds, game.decisive
    assert kinds
    assert decisive
    assert kinds.decisive
    assert game.simulator
    undivided = (decisive.simulator if is_decisive else game.simulator).expander()
    divided = (kinds.decisive if is_decisive else kinds.simulator).expander()
    inputs: dict[tuple[int, gdl.Move], dict[tuple[bool, bool], set[int]]] = {}
    for state, mover in positions.some():
        for expander in (undivided, divided):
            expander.children[0] = expander.pack(game.facts(state))
            expander.look(1, mover)
        assert legal_in(undivided) == legal_in(divided)
        assert undivided.is_terminal[0] == divided.is_terminal[0]
        assert undivided.goals[0].tolist() == divided.goals[0].tolist()
        for number in divided.legal_of(0)[mover]:
            _, move = divided.inputs[number]
            of_move = inputs.setdefault((mover, move), {})
            of_move.setdefault(positions.kind(state, mover, move), set()).add(number)

    for of_move in inputs.values():
        assert all(len(numbers) == 1 for numbers in of_move.values())
    assert max(len(set.union(*of_move.values())) for of_move in inputs.values()) > 2


def legal_in(expander: gdl.Expander) -> list[list[str]]:
    """The legal moves of each role in the first child of an expander."""
    return [sorted(str(expander.inputs[number]) for number in of) for of in expander.legal_of(0)]


@pytest.mark.parametrize("name", WITHOUT_PIECES)
def test_without_pieces_to_take_moves_are_not_divided(name: str) -> None:
    """Or if both move at once."""
    assert gdl.load(games.text(name)).move_kinds is None


def test_a_game_without_kinds_is_examined_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The cache also keeps that there is no result."""
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path))
    rules = gdl.read_rules(games.text("ticTacToe"))
    made: list[None] = []

    results = [derived("kinds", ["structure"], rules, lambda: made.append(None)) for _ in range(2)]

    assert results == [None, None]
    assert len(made) == 1

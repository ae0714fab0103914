"""goFive decides as the simplified rules of Go say."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import gdl
from ggp import games
from tests.games import go_rules
from tests.games.go_rules import Point, Stones

COLOURS = {"X": "black", "O": "white"}


@dataclass(frozen=True)
class Position:
    """One block of `go_positions.txt`."""

    name: str
    words: tuple[str, str]
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """The verdict: what is decided."""
        return self.words[0] if self.words[0] == "over" else self.words[1]

    @property
    def side(self) -> str:
        """The side that moves; in the end, the one that has won."""
        return self.words[1] if self.words[0] == "over" else self.words[0]


def recorded() -> list[Position]:
    """All positions of the file."""
    text = Path(__file__).with_name("go_positions.txt").read_text(encoding="utf-8")
    return [_position(block) for block in text.split("\n# ")[1:]]


def _position(block: str) -> Position:
    name, words, *lines = block.strip().split("\n")
    rows = [line.split("    ") for line in lines]
    side, verdict = words.split()
    after = tuple(row[1] for row in rows) if len(rows[0]) == 2 else ()
    return Position(name, (side, verdict), tuple(row[0] for row in rows), after)


def marked(diagram: tuple[str, ...], mark: str) -> Stones:
    """The points of a diagram with this mark; its last line is row 1."""
    rows = [line.split() for line in reversed(diagram)]
    return frozenset((x, y) for x, y in go_rules.POINTS if rows[y][x] == mark)


def both(diagram: tuple[str, ...], side: str) -> tuple[Stones, Stones]:
    """The stones of who moves, and those of the opponent."""
    stones = marked(diagram, "X"), marked(diagram, "O")
    return stones if side == "black" else stones[::-1]


@cache
def machine() -> gdl.Interpreter:
    """The plain reading of the rulesheet."""
    return gdl.Interpreter(gdl.read_kif(games.text("goFive"), "goFive"))


def state_of(black: Stones, white: Stones, side: str) -> gdl.State:
    """The state with these stones, early in the game."""
    stones = [(p, "black") for p in black] + [(p, "white") for p in white]
    texts = [f"(cell {x + 1} {y + 1} {colour})" for (x, y), colour in stones]
    rest = [f"(control {side})", "(tens 1)", "(ones 0)"]
    return machine().state_of(map(gdl.read_term, [*texts, *rest]))


def stones_in(state: gdl.State) -> tuple[Stones, Stones]:
    """Black's and white's stones."""
    found: dict[str, set[Point]] = {"black": set(), "white": set()}
    for fact in machine().facts(state):
        words = str(fact).strip("()").split()
        if words[0] == "cell":
            found[words[3]].add((int(words[1]) - 1, int(words[2]) - 1))
    return frozenset(found["black"]), frozenset(found["white"])


def moves_in(state: gdl.State, side: str) -> dict[str, gdl.Move]:
    """The legal moves of a side, by their text."""
    role = machine().roles[side == "white"]
    return {str(move): move for move in machine().legal_moves(state, role)}


def made(state: gdl.State, side: str, text: str) -> gdl.State:
    """The state after a move of the side that is in turn."""
    (noop,) = moves_in(state, "black" if side == "white" else "white").values()
    move = moves_in(state, side)[text]
    return machine().next_state(state, [move, noop] if side == "black" else [noop, move])


def place(point: Point) -> str:
    """The move that puts a stone there."""
    return f"(place {point[0] + 1} {point[1] + 1})"


def test_twenty_positions_and_more_are_recorded() -> None:
    """Each kind of verdict is among them."""
    positions = recorded()

    assert len(positions) >= 20
    assert {p.verdict for p in positions} == {"takes", "forbidden", "pass", "over"}


@pytest.mark.parametrize("position", recorded(), ids=lambda position: position.name)
def test_recorded_position_is_decided_by_the_rulesheet(position: Position) -> None:
    """The legal moves there, what follows, and who has won at the end."""
    side = position.side
    state = state_of(marked(position.before, "X"), marked(position.before, "O"), side)

    if position.verdict == "over":
        assert machine().is_terminal(state)
        goals = [machine().goal(state, role) for role in machine().roles]
        assert goals == ([100, 0] if side == "black" else [0, 100])
        return
    assert not machine().is_terminal(state)
    if position.verdict == "pass":
        assert set(moves_in(state, side)) == {"pass"}
        return
    (point,) = marked(position.before, "*")
    assert (place(point) in moves_in(state, side)) == (position.verdict == "takes")
    if position.verdict == "takes":
        following = made(state, side, place(point))
        assert stones_in(following) == both(position.after, "black")


@pytest.mark.parametrize("position", recorded(), ids=lambda position: position.name)
def test_recorded_position_is_decided_by_the_second_opinion(position: Position) -> None:
    """The rules in Python, by which random games are judged, know these positions too."""
    mine, theirs = both(position.before, position.side)
    possible = go_rules.places(mine, theirs)

    if position.verdict == "over":
        assert go_rules.is_over(mine, theirs, 0)
        black, white = both(position.before, "black")
        assert go_rules.is_won_by_black(black, white) == (position.side == "black")
    elif position.verdict == "pass":
        assert not possible
        assert not go_rules.is_over(mine, theirs, 0)
    else:
        (point,) = marked(position.before, "*")
        assert (point in possible) == (position.verdict == "takes")
        if position.after:
            assert go_rules.after(mine, theirs, point) == both(position.after, position.side)


def random_game(seed: int) -> Iterator[tuple[gdl.State, str, int]]:
    """The states of a random game, who is in turn, and the moves made so far."""
    rng = random.Random(seed)
    state: gdl.State = machine().initial_state()
    num_moves = 0
    yield state, "black", num_moves
    while not machine().is_terminal(state):
        side = ("black", "white")[num_moves % 2]
        state = made(state, side, rng.choice(sorted(moves_in(state, side))))
        num_moves += 1
        yield state, ("black", "white")[num_moves % 2], num_moves


@pytest.mark.parametrize("seed", [1, 7])
def test_random_game_is_decided_by_both_alike(seed: int) -> None:
    """Legal moves, the end and the winner of every state, to the last."""
    for state, side, num_moves in random_game(seed):
        black, white = stones_in(state)
        mine, theirs = (black, white) if side == "black" else (white, black)

        is_over = machine().is_terminal(state)

        assert is_over == go_rules.is_over(mine, theirs, num_moves)
        assert (machine().goal(state, machine().roles[0]) == 100) == go_rules.is_won_by_black(
            black, white
        )
        if not is_over:
            wanted = {place(point) for point in go_rules.places(mine, theirs)} or {"pass"}
            assert set(moves_in(state, side)) == wanted


def test_takings_without_end_are_counted_after_eighty_moves() -> None:
    """Nothing else ends a ko that both sides have to go on with; it counts as it stands then."""
    ko = ("O X . X X", "O O X X X", "O O X X .", "O O X X X", ". O X . X")
    state = state_of(marked(ko, "X"), marked(ko, "O"), "white")
    side, num_moves = "white", 10

    while not machine().is_terminal(state):
        (move,) = moves_in(state, side)
        state = made(state, side, move)
        side, num_moves = "black" if side == "white" else "white", num_moves + 1

    assert num_moves == go_rules.MAX_MOVES
    assert stones_in(state) == both(ko, "black")

"""Parts that are searched apart allow whatever the whole game does."""

from __future__ import annotations

import random
from functools import cache

import pytest

import gdl
from gdl.structure.division import NONE
from ggp import games
from tests.gdl.structure.boards import RULES, TURNING_IS_LEGAL
from tests.shared import require
from tests.thorough import all_but

BOARDS = RULES.replace("TURNING", TURNING_IS_LEGAL)

GAMES = (
    "boards",
    "twinTiles",
    "twinWheels",
    "corpus/blocksWorldParallel",
    "corpus/blocksWorldSerial",
    "corpus/asteroidsParallel",
    "corpus/factoringEasyTurtleBrain",
    "corpus/dresden_SOBOTKA_S_3359145294",
)


def machine_of(name: str) -> gdl.Game:
    """The puzzle of two boards, a bundled game, or one of the corpus."""
    if name == "boards":
        return gdl.load(BOARDS, "scalar")
    folder, _, game = name.rpartition("/")
    text = require("corpus", "rules", f"{game}.kif").read_text() if folder else games.text(game)
    return gdl.load(text, "scalar")


@cache
def apart(name: str) -> tuple[gdl.Game, gdl.Decomposition]:
    """A game that falls apart, and how."""
    machine = machine_of(name)
    found = machine.parts
    assert found is not None
    return machine, found


@cache
def game_of(part: gdl.Subgame) -> gdl.Game:
    """A part as a game of its own."""
    return gdl.game_of_part(part)


def ways(found: gdl.Decomposition, value: int) -> tuple[gdl.Way, ...]:
    """The ways to a goal, of which is known what they ask."""
    known = found.ways(value)
    assert known is not None
    return known


def test_each_board_is_to_be_solved_by_itself() -> None:
    """To win both must be bright and the fuse unblown; no move acts on two of these."""
    _, found = apart("boards")

    (way,) = ways(found, 100)

    known = [{str(fact) for fact in subgame.netlist.bases} for subgame in way.subgames]
    assert sorted(map(sorted, known)) == [
        ["(lit a 1)", "(lit a 2)"],
        ["(lit b 1)", "(lit b 2)"],
        ["blown"],
    ]
    assert not way.shares_moves


def test_moves_on_both_boards_at_once_are_told_apart() -> None:
    """Each board has its four wheels and the rest, not the pairs."""
    _, found = apart("twinWheels")

    (way,) = ways(found, 100)

    assert [subgame.netlist.num_inputs for subgame in way.subgames] == [5, 5]
    assert way.shares_moves


@pytest.mark.parametrize(
    "name", ["lightsOut", "eightPuzzle", "towersOfHanoi", "knightsTour", "ticTacToe"]
)
def test_one_board_is_not_taken_apart(name: str) -> None:
    """Nor is a game of two roles."""
    assert machine_of(name).parts is None


@pytest.mark.parametrize(
    "name", all_but(["boards", "twinTiles", "corpus/blocksWorldSerial"], GAMES)
)
def test_a_subgame_goes_where_the_whole_goes(name: str) -> None:
    """In random games, what the part knows follows in the subgame, by moves that are legal there.

    And whoever reaches a goal has met what one of the ways to it asks of each part.
    """
    machine, found = apart(name)
    rng = random.Random(1)
    goals = {value: known for value in found.values if (known := found.ways(value)) is not None}
    subgames = {subgame for known in goals.values() for way in known for subgame in way.subgames}
    assert subgames
    for _ in range(10):
        state = machine.initial_state()
        while not machine.is_terminal(state):
            move = rng.choice(machine.legal_moves(state, machine.roles[0]))
            after = machine.next_state(state, (move,))
            for subgame in subgames:
                follow(
                    found, subgame, move, *(part_of(machine, s, subgame) for s in (state, after))
                )
            state = after
        value = machine.goal(state, machine.roles[0])
        assert value not in goals or any(
            all(game_of(x).is_terminal(part_of(machine, state, x)) for x in way.subgames)
            for way in goals[value]
        )


def follow(
    found: gdl.Decomposition,
    subgame: gdl.Subgame,
    move: gdl.Move,
    before: gdl.State,
    after: gdl.State,
) -> None:
    """Make the same move in a subgame, unless it is over there."""
    number = [known for _, known in found.netlist.inputs].index(move)
    _, same = subgame.netlist.inputs[subgame.kinds[number]]
    machine = game_of(subgame)
    if not machine.is_terminal(before):
        assert same in machine.legal_moves(before, machine.roles[0])
        assert machine.next_state(before, (same,)) == after


@pytest.mark.parametrize("name", ["boards", "twinTiles", "twinWheels"])
def test_who_passes_changes_nothing(name: str) -> None:
    """The passing move of a subgame leaves its states as they are."""
    machine, found = apart(name)
    for subgame in ways(found, 100)[0].subgames:
        state = part_of(machine, machine.initial_state(), subgame)
        assert subgame.passing != NONE

        after = game_of(subgame).next_state(state, (subgame.netlist.inputs[subgame.passing][1],))

        assert after == state


def part_of(machine: gdl.Game, state: gdl.State, subgame: gdl.Subgame) -> gdl.State:
    """The part of a state that a subgame knows."""
    known = set(subgame.netlist.bases)
    return game_of(subgame).state_of([fact for fact in machine.facts(state) if fact in known])

"""The bundled games are well-formed: they can be played from the start to the end."""

from __future__ import annotations

import random
from functools import cache

import pytest

import gdl
from ggp import games
from tests.thorough import KINDS, all_but

NUM_PLAYOUTS = 2
MAX_STEPS = 500


@cache
def load(name: str) -> gdl.Interpreter:
    """The plain reading of a bundled rulesheet."""
    return gdl.Interpreter(gdl.read_kif(games.text(name), name))


@cache
def random_states(name: str, seed: int = 1) -> list[gdl.State]:
    """The states of some random playouts, the last of each included."""
    machine, rng = load(name), random.Random(seed)
    states: list[gdl.State] = []
    for _ in range(NUM_PLAYOUTS):
        state, step = machine.initial_state(), 0
        states.append(state)
        while not machine.is_terminal(state):
            assert step < MAX_STEPS
            moves = [rng.choice(machine.legal_moves(state, role)) for role in machine.roles]
            state, step = machine.next_state(state, moves), step + 1
            states.append(state)
    return states


@pytest.mark.parametrize("name", all_but(KINDS, games.names(), is_whole=True))
def test_text_gives_no_finding(name: str) -> None:
    """Our rulesheets keep what we ask of other authors' ones, to the last note."""
    assert [str(found) for found in gdl.check(games.text(name), name)] == []


@pytest.mark.parametrize("name", games.names("epilog"))
def test_text_in_epilog_gives_no_finding(name: str) -> None:
    """The same for the other notation."""
    text = games.text(name, "epilog")

    assert [str(found) for found in gdl.check(text, name)] == []


@pytest.mark.parametrize("name", all_but(KINDS, games.names(), is_whole=True))
def test_each_role_can_move_until_the_game_is_over(name: str) -> None:
    """Playability: no role is ever without a legal move."""
    machine = load(name)

    for state in random_states(name):
        if not machine.is_terminal(state):
            assert all(machine.legal_moves(state, role) for role in machine.roles)


@pytest.mark.parametrize("name", all_but(KINDS, games.names(), is_whole=True))
def test_each_role_has_one_goal_value_in_every_state(name: str) -> None:
    """A search may ask for goals before the end, and never finds none or two."""
    machine = load(name)

    for state in random_states(name):
        assert all(len(machine.goals(state, role)) == 1 for role in machine.roles)


@pytest.mark.parametrize("name", all_but(KINDS, games.names(), is_whole=True))
def test_every_playout_ends(name: str) -> None:
    """Termination, here within a generous number of steps."""
    states = random_states(name)

    assert sum(map(load(name).is_terminal, states)) == NUM_PLAYOUTS


@pytest.mark.parametrize("name", all_but(KINDS, games.names(), is_whole=True))
def test_facts_and_moves_are_declared(name: str) -> None:
    """`base` covers every fact that becomes true, `input` every move that becomes legal."""
    declared = legal_where_declared(name)
    machine = load(name)

    for state in random_states(name):
        assert {f"(fact {fact})" for fact in machine.facts(state)} <= declared
        for role in machine.roles:
            moves = machine.legal_moves(state, role)
            assert {f"(act {role} {move})" for move in moves} <= declared


def legal_where_declared(name: str) -> set[str]:
    """All declared facts and moves: made legal moves of the first role, they can be listed."""
    role = games.catalogue()[name].roles[0]
    listing = (
        f"(<= (legal {role} (fact ?fact)) (base ?fact))"
        f"(<= (legal {role} (act ?role ?move)) (input ?role ?move))"
    )
    machine = gdl.Interpreter(gdl.read_kif(games.text(name) + listing, name))
    return set(map(str, machine.legal_moves(machine.initial_state(), machine.roles[0])))


@pytest.mark.parametrize(
    ("name", "num_moves"),
    [("eightPuzzle", 8), ("lightsOut", 4), ("towersOfHanoi", 7), ("maze", 10)],
)
def test_puzzle_is_solved_in_the_promised_number_of_moves(name: str, num_moves: int) -> None:
    """Not sooner, and then it can be: the first 100 in a breadth-first search."""
    machine = load(name)
    (role,) = machine.roles
    layer = {machine.initial_state()}
    depth = 0

    while not any(machine.goal(state, role) == 100 for state in layer):
        layer = {
            machine.next_state(state, [move])
            for state in layer
            if not machine.is_terminal(state)
            for move in machine.legal_moves(state, role)
        }
        depth += 1

    assert depth == num_moves


def test_knights_tour_has_a_solution() -> None:
    """Some way leads over all 25 squares, found by going first where fewest ways go on."""
    machine = load("knightsTour")
    (role,) = machine.roles

    def best_goal(state: gdl.State) -> int:
        if machine.is_terminal(state):
            return machine.goal(state, role)
        following = [machine.next_state(state, [m]) for m in machine.legal_moves(state, role)]
        following.sort(key=lambda after: len(machine.legal_moves(after, role)))
        best = 0
        for after in following:
            best = max(best, best_goal(after))
            if best == 100:
                break
        return best

    assert best_goal(machine.initial_state()) == 100


def test_othello_passes_and_counts_discs() -> None:
    """A pass is the only move of who makes it, and the goals follow the number of discs."""
    machine = load("othello")
    num_passes = 0

    for state in random_states("othello", seed=4):
        facts = list(map(str, machine.facts(state)))
        black, white = (
            sum(fact.endswith(f" {role})") for fact in facts if "cell" in fact)
            for role in ("black", "white")
        )
        moves = [list(map(str, machine.legal_moves(state, role))) for role in machine.roles]
        num_passes += ["pass"] in moves and not machine.is_terminal(state)
        wanted = 100 if black > white else 0 if black < white else 50
        assert [machine.goal(state, role) for role in machine.roles] == [wanted, 100 - wanted]
        assert all(found == ["pass"] for found in moves if "pass" in found)

    assert num_passes > 0

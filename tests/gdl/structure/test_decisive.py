"""Wins at once: the circuit that sees them, against the rules, state by state."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import gdl
from ggp import games
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

GAMES = ("ticTacToe", "connectFour", "breakthroughSmall", "threePlayerTicTacToe")
MATCHES = 3

ALTERNATING = """(<= (next (control ?role))
    (opponent ?role ?other)
    (true (control ?other)))
"""
TWICE = """(base (half first)) (base (half second)) (init (half first))
(<= (next (half second)) (true (half first)))
(<= (next (half first)) (true (half second)))
(<= (next (control ?role)) (true (control ?role)) (true (half first)))
(<= (next (control ?role)) (opponent ?role ?other) (true (control ?other)) (true (half second)))
"""


class Referee:
    """The referee of a game in which one role moves at a time, by the rules."""

    def __init__(self, rules: str, movers: tuple[int, ...]) -> None:
        self.movers = movers  # in turn
        self.machine = machine = gdl.load(rules)
        self.roles = machine.roles

    def mover(self, state: gdl.State) -> int | None:
        """The role that has a choice."""
        legal = [self.machine.legal_moves(state, role) for role in self.roles]
        return next((role for role, moves in enumerate(legal) if len(moves) > 1), None)

    def after(self, state: gdl.State, mover: int, move: gdl.Move) -> gdl.State:
        """The next state."""
        joint = [self.machine.legal_moves(state, role)[0] for role in self.roles]
        joint[mover] = move
        return self.machine.next_state(state, tuple(joint))

    def moves(self, state: gdl.State, mover: int) -> tuple[gdl.Move, ...]:
        """The moves that the mover may make."""
        return tuple(self.machine.legal_moves(state, self.roles[mover]))

    def is_won(self, state: gdl.State, winner: int) -> bool:
        """Whether the game is over, with all for one role."""
        if not self.machine.is_terminal(state):
            return False
        goals = [self.machine.goal(state, role) for role in self.roles]
        return goals == [100 if role == winner else 0 for role in range(len(self.roles))]

    def wins(self, state: gdl.State, mover: int) -> bool:
        """Whether the role whose turn it is can win at once."""
        if self.machine.is_terminal(state):
            return False
        nexts = (self.after(state, mover, move) for move in self.moves(state, mover))
        return any(self.is_won(following, mover) for following in nexts)

    def follower(self, plies: int) -> int:
        """The role that moves after so many plies and one."""
        return self.movers[(plies + 1) % len(self.movers)]

    def safe(self, state: gdl.State, plies: int, mover: int) -> set[gdl.Move]:
        """The moves after which another role does not win at once."""
        following = self.follower(plies)
        moves = self.moves(state, mover)
        if following == mover:
            return set(moves)
        return {move for move in moves if not self.wins(self.after(state, mover, move), following)}


def positions(referee: Referee) -> Iterator[tuple[gdl.State, int]]:
    """States of random matches in which somebody has a choice; and the moves made before."""
    rng = random.Random(1)
    machine = referee.machine
    for _ in range(MATCHES):
        state, plies = machine.initial_state(), 0
        while not machine.is_terminal(state):
            if referee.mover(state) is not None:
                yield state, plies
            moves = tuple(rng.choice(machine.legal_moves(state, role)) for role in referee.roles)
            state, plies = machine.next_state(state, moves), plies + 1


@pytest.mark.parametrize("name", all_but(["ticTacToe", "threePlayerTicTacToe"], GAMES))
def test_what_is_foreseen_is_what_the_rules_say(name: str) -> None:
    """Wins at once, losses by the next move, and the moves that are safe elsewhere."""
    seen = compared(Referee(games.text(name), movers=(0, 1, 2) if "three" in name else (0, 1)))

    assert {"win", "open"} <= seen


def test_who_moves_twice_in_a_row_wins_with_either_move() -> None:
    """And need not fear the second one."""
    rules = games.text("ticTacToe")
    assert ALTERNATING in rules
    twice = Referee(rules.replace(ALTERNATING, TWICE), movers=(0, 0, 1, 1))

    assert {"win", "open"} <= compared(twice)


def compared(referee: Referee) -> set[str]:
    """Compare what is foreseen in some states with the rules; the kinds of what was foreseen."""
    decisive = referee.machine.decisive
    assert decisive is not None
    expander = decisive.simulator.expander(1)
    seen = set()
    for state, plies in positions(referee):
        mover = referee.mover(state)
        assert mover is not None
        phase = plies % expander.num_phases
        assert decisive.movers[phase] == mover
        expander.children[0] = expander.pack(referee.machine.facts(state))
        expander.look(1, phase)
        goals = expander.goals[0].tolist()
        safe = referee.safe(state, plies, mover)
        if referee.wins(state, mover):
            expected = "win", [100 if role == mover else 0 for role in range(len(goals))]
        elif not safe:
            follower = referee.follower(plies)
            expected = "loss", [100 if role == follower else 0 for role in range(len(goals))]
        else:
            expected = "open", [0] * len(goals)
            first, last = expander.legal_starts[mover : mover + 2]
            legal = {expander.inputs[number][1] for number in expander.legal[first:last]}
            assert legal == safe
        seen.add(expected[0])
        assert (bool(expander.is_terminal[0]), goals) == (expected[0] != "open", expected[1])
    return seen


def test_playouts_end_where_the_end_is_foreseen() -> None:
    """Whoever has three in a row of four wins; so does the one with two ways to do so."""
    machine = gdl.load(games.text("connectFour"))
    decisive = machine.decisive
    assert decisive is not None
    plain, seeing = machine.expander(1), decisive.simulator.expander(1)
    state = machine.initial_state()
    for column in (3, 3, 4, 4):  # red stands at 3 and 4, and moves: 2 or 5 wins by force
        state = _dropped(machine, state, column)
    state = _dropped(machine, state, 5)
    totals = []
    for expander in (plain, seeing):
        expander.children[0] = expander.pack(machine.facts(state))
        expander.play(1, 1, rounds=1, limit=100)
        totals.append(expander.totals[0, 0] / expander.num_playouts_per_leaf)

    assert totals[0] < 95
    assert totals[1] == 100


CHANCE = """
(role player) (role random) (init (control player)) (side left) (side right)
(other player random) (other random player)
(<= (legal ?r (go ?s)) (true (control ?r)) (side ?s))
(<= (legal ?r wait) (role ?r) (not (true (control ?r))))
(<= (next (control ?r)) (true (control ?q)) (other ?q ?r))
(<= (next (at ?r ?s)) (does ?r (go ?s)))
(<= (next (at ?r ?s)) (true (at ?r ?s)))
(<= (won ?r) (true (at ?r left)) (true (at ?r right)))
(<= (goal ?r 100) (won ?r)) (<= (goal ?r 0) (role ?r) (not (won ?r)))
(<= terminal (won ?r))
"""


def test_chance_wins_nothing_on_purpose() -> None:
    """`random` may end the game in its favour with its next move, or not: nothing is decided."""
    machine = gdl.load(CHANCE, "lanes")
    decisive = machine.decisive
    assert decisive is not None
    expander = decisive.simulator.expander(1)
    rules = gdl.read_rules(CHANCE)
    state = machine.initial_state()
    for moves in (("(go left)", "wait"), ("wait", "(go left)"), ("(go left)", "wait")):
        state = machine.next_state(state, [gdl.read_term(move, rules) for move in moves])
    expander.children[0] = expander.pack(machine.facts(state))
    expander.look(1, 1)

    assert not expander.is_terminal[0]
    assert expander.legal_starts[2] - expander.legal_starts[1] == 2


def test_a_game_of_simultaneous_moves_has_none() -> None:
    """Whether a move wins depends on what others do."""
    assert gdl.load(games.text("goofspiel")).decisive is None


LAST_MOVE_LOSES = """
(role ann) (role ben) (other ann ben) (other ben ann) (init (turn ann)) (init (left 2))
(less 2 1) (less 1 0)
(<= (legal ?r take) (true (turn ?r))) (<= (legal ?r wait) (true (turn ?r)))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (turn ?q)) (true (turn ?r)) (other ?r ?q))
(<= (next (left ?m)) (does ?r take) (true (left ?n)) (less ?n ?m))
(<= (next (left ?n)) (does ?r wait) (true (left ?n)))
(<= terminal (true (left 0)))
(<= (goal ?r 100) (true (turn ?r)) (true (left 0)))
(<= (goal ?r 0) (role ?r) (not (true (turn ?r))))
(<= (goal ?r 0) (role ?r) (not (true (left 0))))
"""


def test_a_game_that_nobody_wins_at_once_has_none() -> None:
    """The role that takes the last piece has lost."""
    machine = gdl.load(LAST_MOVE_LOSES, "lanes")
    circuit = machine.circuit
    assert circuit is not None
    assert len(circuit.phases) == 2

    assert machine.decisive is None


def _plain(machine: gdl.Game) -> gdl.Simulator:
    simulator = machine.simulator
    assert simulator is not None
    return simulator


def _dropped(machine: gdl.Game, state: gdl.State, column: int) -> gdl.State:
    moves = tuple(
        next((move for move in legal if str(move) == f"(drop {column})"), legal[0])
        for legal in (machine.legal_moves(state, role) for role in machine.roles)
    )
    return machine.next_state(state, moves)

"""One match between two contestants, refereed by our own machine."""

from __future__ import annotations

import functools
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import gdl
from contest.errors import ContestError
from contest.openspiel import BotOptions
from contest.pairs import rules
from contest.score import DRAW, LOSS, WIN, Outcome
from contest.sides import OPENSPIEL, BotSide, LocalSide, MissedError, RemoteSide, Side
from ggp.players.registry import parse_spec
from ggp.protocol.addresses import is_address

MAX_PLIES = 2000
SEED_RANGE = 1 << 31
NUM_PLAYERS = 2


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match that will be played.

    Attributes:
        game: A bundled game, one of `pairs.PAIRS`, or a file.
        contestants: Specs of A and B.
        number: Of the match among those of the pair, from 0. In odd ones B has the first role.
        seconds: A move, and the time to prepare.
        seed: Of all randomness.
        opening: Plies made at random before the contestants are asked; two matches of swapped
            seats have the same ones.
        python: One that has OpenSpiel.
        engine: The reasoner for our players and the referee.
    """

    game: str
    contestants: tuple[str, str]
    number: int
    seconds: float
    seed: int
    opening: int
    python: str
    engine: gdl.Engine = "auto"


@dataclass(slots=True)
class _Board:
    """A running match; lists are in the order of contestants."""

    fixture: Fixture
    machine: gdl.Game
    roles: list[int]
    """The role index of each contestant."""
    sides: list[Side] = field(default_factory=list)
    seconds: list[list[float]] = field(default_factory=lambda: [[], []])
    moves: list[str] = field(default_factory=list)


@functools.cache
def load(game: str, engine: gdl.Engine = "auto") -> gdl.Game:
    """Return the game, ready to be played, so that no match waits for it."""
    return gdl.load(gdl.read_rules(rules(game), game), engine)


def play(fixture: Fixture) -> Outcome:
    """Play a match.

    Raises:
        ContestError: The game is not for two, it does not end, or a running player is busy.
        OpenSpielError: OpenSpiel is not there, or its game is not ours.
        PlayerSpecError: There is no such player.
    """
    machine = load(fixture.game, fixture.engine)
    played = [index for index, role in enumerate(machine.roles) if not gdl.is_random(role)]
    if len(played) != NUM_PLAYERS:
        raise ContestError(f"{fixture.game}: expected a game for two, it is for {len(played)}")
    first = fixture.number % 2
    board = _Board(fixture, machine, played if first == 0 else played[::-1])
    fault = ""
    try:
        points = _points(board, _run(board))
    except _LostError as lost:
        fault = f"{fixture.contestants[lost.side]}: {lost}"
        points = LOSS if lost.side == 0 else WIN
    finally:
        for side in board.sides:
            side.end()
    return Outcome(
        game=fixture.game,
        names=fixture.contestants,
        number=fixture.number,
        first=first,
        points=points,
        plies=len(board.moves),
        seconds=(board.seconds[0], board.seconds[1]),
        figures=(dict(board.sides[0].figures), dict(board.sides[1].figures)),
        fault=fault,
        moves=board.moves,
    )


class _LostError(Exception):
    """A contestant made no legal move."""

    def __init__(self, side: int, reason: str) -> None:
        super().__init__(reason)
        self.side = side


@contextmanager
def _blaming(side: int) -> Iterator[None]:
    """Say which contestant is responsible for a missing move."""
    try:
        yield
    except MissedError as error:
        raise _LostError(side, str(error)) from error


def _run(board: _Board) -> gdl.State:
    """Play to the end; return the last state."""
    machine, fixture = board.machine, board.fixture
    # Two matches with swapped seats draw the same moves.
    rng = random.Random(f"{fixture.seed} {fixture.game} {fixture.number // 2}")
    for number in (0, 1):
        board.sides.append(_seat(board, number))
    state = machine.initial_state()
    for number, side in enumerate(board.sides):
        with _blaming(number):
            side.begin(state, fixture.seconds)
    while not machine.is_terminal(state):
        if len(board.moves) == MAX_PLIES:
            raise ContestError(f"{fixture.game}: not over after {MAX_PLIES} moves")
        chosen = [_move(board, state, role, rng) for role in range(len(machine.roles))]
        state = machine.next_state(state, chosen)
        board.moves.append(" ".join(map(str, chosen)))
        for number, side in enumerate(board.sides):
            with _blaming(number):
                side.advance(chosen, state)
    return state


def _move(board: _Board, state: gdl.State, role: int, rng: random.Random) -> gdl.Move:
    """Return the move of a role; ask the contestant if there is a choice, and measure it."""
    legal = board.machine.legal_moves(state, board.machine.roles[role])
    if len(legal) == 1:
        return legal[0]
    if role not in board.roles or len(board.moves) < board.fixture.opening:
        return rng.choice(legal)
    number = board.roles.index(role)
    start = time.perf_counter()
    with _blaming(number):
        move = board.sides[number].choose(state, board.fixture.seconds)
    board.seconds[number].append(time.perf_counter() - start)
    return move


def _seat(board: _Board, number: int) -> Side:
    """Return the side of a contestant."""
    fixture, machine = board.fixture, board.machine
    spec, role = fixture.contestants[number], machine.roles[board.roles[number]]
    drawn = random.Random(f"{fixture.seed} {fixture.game} {fixture.number} {spec} {number}")
    seed = drawn.randrange(SEED_RANGE)
    if is_address(spec):
        match_id = f"strength.{fixture.game}.{time.time_ns()}"
        return RemoteSide(spec, machine, role, rules(fixture.game), match_id)
    parsed = parse_spec(spec)
    if parsed.name == OPENSPIEL:
        options = BotOptions.read(parsed.options)
        return BotSide(options, fixture.game, machine, fixture.python, seed)
    return LocalSide(spec, machine, role, seed)


def _points(board: _Board, state: gdl.State) -> float:
    """Return the points of contestant A: the higher goal wins."""
    ours, theirs = (board.machine.goal(state, board.machine.roles[role]) for role in board.roles)
    return WIN if ours > theirs else LOSS if ours < theirs else DRAW

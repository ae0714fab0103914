"""The games of hidden information are those of OpenSpiel, and players know what they know there.

Random games are played here and there at once. Who is to choose has the same moves, and what it
has done and seen tells it as much as the information state of OpenSpiel does: the two texts belong
together, one to one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

import pyspiel
import pytest

import gdl
from ggp import games
from tests.thorough import all_but

HIDDEN = [name for name in games.names() if "(sees " in games.text(name)]
NUM_GAMES = 50
NUM_WALKS = 40

Words = Sequence[str]
Translator = Callable[[Words], Sequence[int]]
"""A move's words as OpenSpiel's actions: two for two cards."""

Known = tuple[tuple[str, tuple[str, ...]], ...]
"""A role's own moves and what it saw, in order."""

BETTING = {"pass": 0, "bet": 1}
CARDS = ["jack", "queen", "king", "ace"]
SUITS = ["hearts", "spades"]
WORDS = {"fold": 0, "call": 1, "raise": 2}


def cell(size: int, *, is_turned: bool = False) -> Translator:
    """Attempts on a square board; turned, if OpenSpiel's first player connects rows."""

    def actions(words: Words) -> list[int]:
        column, row = int(words[1]) - 1, int(words[2]) - 1
        return [column * size + row if is_turned else row * size + column]

    return actions


def kuhn(words: Words) -> list[int]:
    """Cards are dealt one by one there; the last card needs no choice here either."""
    if words[0] == "deal":
        return [CARDS.index(card) for card in words[1:]]
    return [BETTING[words[0]]]


def leduc(words: Words) -> list[int]:
    """Both suits of a rank are neighbours there."""
    if words[0] in WORDS:
        return [WORDS[words[0]]]
    cards = zip(words[1::2], words[2::2], strict=True)
    return [CARDS.index(rank) * len(SUITS) + SUITS.index(suit) for rank, suit in cards]


def dice(words: Words) -> list[int]:
    """Rolls, bids by number and face, and the word that ends the game."""
    if words[0] == "roll":
        return [int(face) - 1 for face in words[1:]]
    if words[0] == "doubt":
        return [12]
    return [(int(words[1]) - 1) * 6 + int(words[2]) - 1]


@dataclass(frozen=True)
class Twin:
    """A game of OpenSpiel, how moves are called there, and how many points a unit counts."""

    name: str
    actions: Translator
    points: float

    def numbers(self, moves: Iterable[str]) -> list[int]:
        """The actions that are these moves, of those that are something."""
        words = [move.replace("(", " ").replace(")", " ").split() for move in moves]
        return [action for one in words if one != ["noop"] for action in self.actions(one)]


TWINS = {
    "darkHex3": Twin("dark_hex(board_size=3)", cell(3, is_turned=True), 50),
    "darkHex4": Twin("dark_hex(board_size=4)", cell(4, is_turned=True), 50),
    "kuhnPoker": Twin("kuhn_poker", kuhn, 25),
    "leducPoker": Twin("leduc_poker", leduc, 3),
    "liarsDice": Twin("liars_dice", dice, 50),
    "phantomTicTacToe": Twin("phantom_ttt", cell(3), 50),
    "threePlayerKuhnPoker": Twin("kuhn_poker(players=3)", kuhn, 12),
}
# Information states that a walk through OpenSpiel's whole tree finds, of all players.
NUM_INFORMATION_STATES = {"kuhnPoker": 12, "leducPoker": 936, "threePlayerKuhnPoker": 48}


@dataclass
class Play:
    """A random game, and what each role has done and seen."""

    name: str
    machine: gdl.Interpreter
    state: gdl.State
    known: dict[gdl.Role, Known] = field(default_factory=dict)

    @classmethod
    def begin(cls, name: str) -> Play:
        machine = gdl.Interpreter(gdl.read_kif(games.text(name), name))
        play = cls(name, machine, machine.initial_state())
        play.restart()
        return play

    def restart(self) -> None:
        self.state = self.machine.initial_state()
        self.known = dict.fromkeys(self.machine.roles, ())

    @property
    def is_over(self) -> bool:
        return self.machine.is_terminal(self.state)

    def legal(self, role: gdl.Role) -> list[str]:
        return sorted(map(str, self.machine.legal_moves(self.state, role)))

    def choosers(self) -> list[tuple[int, gdl.Role]]:
        """The players who can do something, with their numbers."""
        players = [role for role in self.machine.roles if not gdl.is_random(role)]
        return [(n, role) for n, role in enumerate(players) if self.legal(role) != ["noop"]]

    def random_moves(self, rng: random.Random) -> list[gdl.Move]:
        return [
            rng.choice(self.machine.legal_moves(self.state, role)) for role in self.machine.roles
        ]

    def make(self, moves: Sequence[gdl.Move]) -> None:
        for role, move in zip(self.machine.roles, moves, strict=True):
            seen = self.machine.percepts(self.state, moves, role)
            self.known[role] += ((str(move), tuple(sorted(map(str, seen)))),)
        self.state = self.machine.next_state(self.state, moves)

    def goals(self) -> list[int]:
        players = [role for role in self.machine.roles if not gdl.is_random(role)]
        return [self.machine.goal(self.state, role) for role in players]


def walk(play: Play, rng: random.Random, num_games: int) -> Iterator[None]:
    """Random games; yields before each of their moves, and at their ends."""
    for _ in range(num_games):
        play.restart()
        while not play.is_over:
            yield
            play.make(play.random_moves(rng))
        yield


def test_no_game_of_hidden_information_lacks_a_twin() -> None:
    """All of them are compared below."""
    assert set(TWINS) == set(HIDDEN)


@dataclass
class Pairing:
    """Which situation of ours is which of OpenSpiel's: all information states of the player so far.

    All, since that of dark hex says how many attempts there were, but not when.
    """

    theirs_of: dict[tuple[int, Known], str] = field(default_factory=dict)
    ours_of: dict[tuple[int, str], Known] = field(default_factory=dict)

    def check(self, player: int, ours: Known, theirs: str) -> None:
        """Two that were met before belong together as they did then."""
        assert self.theirs_of.setdefault((player, ours), theirs) == theirs
        assert self.ours_of.setdefault((player, theirs), ours) == ours


@pytest.mark.parametrize(
    "name", all_but(["darkHex3", "leducPoker", "phantomTicTacToe"], HIDDEN, is_whole=True)
)
def test_random_games_go_as_in_openspiel(name: str) -> None:
    """Who chooses, its moves, the end, the points, and what a player knows when it chooses."""
    play, twin, rng = Play.begin(name), TWINS[name], random.Random(3)
    game, pairing = pyspiel.load_game(twin.name), Pairing()

    for _ in range(NUM_GAMES):
        play.restart()
        state = game.new_initial_state()
        texts = [""] * game.num_players()
        while not play.is_over:
            for player, role in play.choosers():
                assert player == state.current_player()
                assert sorted(twin.numbers(play.legal(role))) == state.legal_actions()
                texts[player] += state.information_state_string(player) + "\n"
                pairing.check(player, play.known[role], texts[player])
            moves = play.random_moves(rng)
            play.make(moves)
            for action in twin.numbers(map(str, moves)):
                state.apply_action(action)
        assert state.is_terminal()
        assert play.goals() == [50 + twin.points * value for value in state.returns()]

    assert len(pairing.theirs_of) > 10


@pytest.mark.parametrize("name", all_but(["kuhnPoker"], NUM_INFORMATION_STATES, is_whole=True))
def test_players_are_in_as_many_situations_as_in_openspiel(name: str) -> None:
    """Counted through the whole tree of the small games: each is one information state there."""
    play = Play.begin(name)
    found: set[tuple[gdl.Role, Known]] = set()

    def visit() -> None:
        if play.is_over:
            return
        state, known = play.state, dict(play.known)
        legal = [play.machine.legal_moves(state, role) for role in play.machine.roles]
        [mover] = [n for n, moves in enumerate(legal) if len(moves) > 1]
        role = play.machine.roles[mover]
        if not gdl.is_random(role):
            found.add((role, known[role]))
        for moves in product(*legal):
            play.make(moves)
            visit()
            play.state, play.known = state, dict(known)

    visit()

    assert len(found) == NUM_INFORMATION_STATES[name]


@pytest.mark.parametrize("name", all_but(["phantomTicTacToe", "leducPoker"], HIDDEN, is_whole=True))
def test_a_role_knows_its_moves_from_what_it_saw(name: str) -> None:
    """Situations that look the same have the same legal moves."""
    play = Play.begin(name)
    found: dict[tuple[gdl.Role, Known], list[str]] = {}

    for _ in walk(play, random.Random(5), NUM_WALKS):
        for role in play.machine.roles:
            if not gdl.is_random(role) and not play.is_over:
                now = play.legal(role)
                assert found.setdefault((role, play.known[role]), now) == now


@pytest.mark.parametrize("name", ["phantomTicTacToe", "darkHex3", "darkHex4"])
def test_the_other_role_learns_no_cell(name: str) -> None:
    """Percepts name no cell, and in phantom tic-tac-toe the other's attempts give none."""
    play = Play.begin(name)
    seen: set[str] = set()
    num_of_others = 0

    for _ in walk(play, random.Random(7), NUM_WALKS):
        for known in play.known.values():
            for move, percepts in known[-1:]:
                seen |= set(percepts)
                num_of_others += bool(percepts) and move == "noop"

    assert seen == {"placed", "taken"} | ({"turn"} if name != "phantomTicTacToe" else set())
    assert (num_of_others > 0) == (name != "phantomTicTacToe")

"""The rulesheets allow as many lines of play as the games do.

Three parties count: the interpreter on our rulesheets, the hand-written move generators, and people
elsewhere, whose figures stand in the catalogue (with their source) and in this file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import product
from math import comb

import pytest

import gdl
from ggp import games
from tests.games.move_generators import GAMES, Game, layers
from tests.thorough import KINDS, all_but

# Positions in a layer up to which the next layer is counted. Othello and Go cost far
# more per position.
INTERPRETER_LIMIT = {"goFive": 200, "othello": 400}
INTERPRETER_DEFAULT = 800
INTERPRETER_QUICK = 100
GENERATOR_LIMIT = 2400
GENERATOR_QUICK = 300
QUICK = list(GAMES)[::3]

PUBLISHED_COUNTS = {
    # OpenSpiel 2.0.2 (game `breakthrough`), counted by expanding its states.
    "breakthrough": (22, 484, 11132, 256036, 6182818),
    # OpenSpiel 2.0.2 (game `connect_four`), counted by expanding its states.
    "connectFour": (7, 49, 343, 2401, 16807, 117649, 823536, 5673234),
    # Aart Bik, https://aartbik.blogspot.com/2009/02/perft-for-reversi.html
    "othello": (4, 12, 56, 244, 1396, 8200, 55092, 390216),
    # OpenSpiel 2.0.2 (games `kuhn_poker` with 2 and 3 players, `leduc_poker`, `liars_dice`),
    # counted by walking through their trees; a deal, card by card there, is one step.
    "kuhnPoker": (6, 12, 24, 12),
    "threePlayerKuhnPoker": (24, 48, 96, 192, 144, 96),
    "leducPoker": (30, 60, 150, 390, 780, 1800, 2640, 2280, 1080, 240),
    "liarsDice": (36, *(36 * comb(13, n) - 36 * (n == 1) for n in range(1, 14))),
    # OpenSpiel 2.0.2 (game `tic_tac_toe`), counted by expanding its states.
    "ticTacToe": (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872),
}

# OEIS A212693 (John Tromp): connect-four positions on 7 x 6 after 1, 2, ... discs.
CONNECT_FOUR_POSITIONS = (7, 49, 238, 1120, 4263, 16422)

# OEIS A061526: complete games of tic-tac-toe on 3 x 3.
TIC_TAC_TOE_GAMES = 255168


def by_the_rulesheet(name: str) -> Game:
    """A bundled game as the interpreter plays it."""
    machine = gdl.Interpreter(gdl.read_kif(games.text(name), name))

    def successors(state: gdl.State) -> Iterator[gdl.State]:
        if not machine.is_terminal(state):
            for moves in product(*(machine.legal_moves(state, role) for role in machine.roles)):
                yield machine.next_state(state, moves)

    return Game(machine.initial_state(), successors)


def catalogued(name: str, depth: int) -> tuple[int, ...]:
    """The catalogue's counts, at most so many."""
    return games.catalogue()[name].counts[:depth]


@pytest.mark.parametrize("name", KINDS)
def test_rulesheet_allows_the_catalogued_lines_of_play(name: str) -> None:
    """Catalogue and rules say the same, as deep as can be counted in a moment."""
    check_counts(name, INTERPRETER_QUICK)


@pytest.mark.thorough
@pytest.mark.parametrize("name", games.names())
def test_all_rulesheets_allow_the_catalogued_lines_of_play(name: str) -> None:
    """The same, deeper."""
    check_counts(name, INTERPRETER_LIMIT.get(name, INTERPRETER_DEFAULT))


def check_counts(name: str, limit: int) -> None:
    """See that two layers at least are counted, and that they are as the catalogue says."""
    counted = [layer.num_sequences for layer in layers(by_the_rulesheet(name), limit)]

    assert len(counted) >= 2
    depth = min(len(counted), len(catalogued(name, 99)))
    assert tuple(counted[:depth]) == catalogued(name, depth)


@pytest.mark.parametrize("name", all_but(QUICK, GAMES, is_whole=True))
def test_move_generator_counts_the_same(name: str) -> None:
    """The second opinion agrees with the catalogue."""
    limit = GENERATOR_QUICK if name in QUICK else GENERATOR_LIMIT
    counted = [layer.num_sequences for layer in layers(GAMES[name], limit)]

    assert len(counted) >= 2
    depth = min(len(counted), len(catalogued(name, 99)))
    assert tuple(counted[:depth]) == catalogued(name, depth)


@pytest.mark.parametrize("name", PUBLISHED_COUNTS)
def test_catalogue_agrees_with_published_counts(name: str) -> None:
    """The games that others count too are the games they count."""
    assert games.catalogue()[name].counts == PUBLISHED_COUNTS[name]


def test_connect_four_reaches_the_published_number_of_positions() -> None:
    """Distinct positions, not only lines of play, are as many as they should be."""
    counted = [layer.num_positions for layer in layers(by_the_rulesheet("connectFour"), 300)]

    assert tuple(counted) == CONNECT_FOUR_POSITIONS[: len(counted)]
    assert len(counted) >= 4


@pytest.mark.thorough
def test_tic_tac_toe_has_the_published_number_of_games() -> None:
    """Games that end at each depth, that is, have no further move, add up to all there are."""
    assert count_games(by_the_rulesheet("ticTacToe")) == TIC_TAC_TOE_GAMES


def test_move_generator_has_the_published_number_of_games() -> None:
    """The same of the second opinion, which takes a tenth of the time."""
    assert count_games(GAMES["ticTacToe"]) == TIC_TAC_TOE_GAMES


def count_games(game: Game) -> int:
    """The number of lines of play to an end."""
    num_games = 0
    layer: Counter[Hashable] = Counter([game.start])
    while layer:
        following: Counter[Hashable] = Counter()
        for state, num_sequences in layer.items():
            successors = list(game.successors(state))
            num_games += 0 if successors else num_sequences
            for successor in successors:
                following[successor] += num_sequences
        layer = following
    return num_games

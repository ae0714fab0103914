"""Play hundreds of games at once: the network plays against itself, looking one ply ahead.

The target of each state s(t) is the value of its best child (a temporal difference of one ply),
mixed with the target of the next state:

    B(t) = the value of the child of s(t) that is best for the role to move

    G(t) = B(t)                                   if the move was random or worse than the best
    G(t) = (1 - trace) B(t) + trace G(t + 1)      otherwise;  G(last) = the goals at the end

See Sutton, Learning to Predict by the Methods of Temporal Differences, 1988. In the samples, a
symmetry of the game, chosen at random, replaces each state by an equivalent one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.errors import GgpError
from ggp.search.fast.tree.leaf_values import LeafValues
from ggp.search.kernels.arrays import Words
from ggp.training.network.gradient_descent import Experience


class Images:
    """The symmetries of a game that do not exchange roles, applied to packed states."""

    def __init__(self, game: gdl.Game) -> None:
        """Find the symmetries of a compiled game. Most games have only the identity."""
        assert game.simulator is not None
        assert game.circuit is not None
        of_game = game.circuit.netlist.bases
        of_state = game.simulator.circuit.phases[0].netlist.bases
        place_of = {fact: place for place, fact in enumerate(of_state)}
        number_of = {fact: number for number, fact in enumerate(of_game)}
        numbers = [number_of[fact] for fact in of_state]
        self._becomes: list[NDArray[np.int64]] = []
        for symmetry in game.symmetries:
            facts = [of_game[symmetry.bases[number]] for number in numbers]
            if all(fact in place_of for fact in facts):
                self._becomes.append(np.array([place_of[fact] for fact in facts], np.int64))

    def __len__(self) -> int:
        return len(self._becomes)

    def drawn(self, states: Words, rng: np.random.Generator) -> Words:
        """Return each state as a symmetry of the game maps it, chosen at random for each state."""
        if len(self) <= 1:
            return states
        bits = np.unpackbits(states.view(np.uint8), axis=1, bitorder="little")
        drawn = rng.integers(0, len(self), len(bits))
        for number, becomes in enumerate(self._becomes):
            rows = np.flatnonzero(drawn == number)
            turned = np.zeros((len(rows), bits.shape[1]), np.uint8)
            turned[:, becomes] = bits[rows, : len(becomes)]
            bits[rows] = turned
        packed: Words = np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
        return packed


Values = NDArray[np.float64]

TOLERANCE = 1.0  # a move at most this many points worse than the best counts as best


class PracticeError(GgpError):
    """The game does not support practice."""


@dataclass(frozen=True, slots=True)
class BatchPlaySettings:
    """Settings of the games."""

    games: int = 256
    plies: int = 300
    """Maximum number of plies of a game. The outcome of a longer game is unknown, so only values
    count."""
    opening_plies: int = 8  # maximum number of random plies at the start of a game
    temperature: float = 2.0  # a move that is this many points worse is rarer by a factor of e
    trace: float = 0.8  # lambda, weight of later plies in a target, from 0 to 1


class _Ply(NamedTuple):
    """A ply of the `n` games that are not over yet, with `R` roles."""

    games: NDArray[np.int64]  # [n] the numbers of the games
    states: Words  # [n, W]
    phase: int
    backed: Values  # [n, R] values of the best child of each state
    is_greedy: NDArray[np.bool_]  # [n] whether the chosen move counts as best


class BatchPlay:
    """A player of batches of games in which only one role decides at a time."""

    def __init__(self, game: gdl.Game, settings: BatchPlaySettings, seed: int) -> None:
        """Create a player with its own expander.

        Raises:
            PracticeError: The game is not compiled, or has the role `random`.
        """
        simulator = game.simulator
        if simulator is None:
            raise PracticeError("practice: expected a compiled game")
        if any(gdl.is_random(role) for role in game.roles):
            raise PracticeError("practice: expected a game without the role random")
        # With the decisive simulator, roles make immediate wins and prevent those of others, as in
        # the search.
        if game.decisive is not None:
            simulator = game.decisive.simulator
        self._expander = simulator.expander(seed)
        self._images = Images(game)
        self._settings = settings
        self.rng = np.random.default_rng(seed)

    def play(self, leaf_values: LeafValues | None) -> Experience:
        """Play a batch of games from the initial state, and return the samples to learn from.

        If `leaf_values` is None, all moves are random.

        Raises:
            PracticeError: Several roles have a choice at once, or a role has no legal move.
        """
        expander, settings = self._expander, self._settings
        num = settings.games
        states = np.repeat(expander.initial[None], num, axis=0)
        goals = np.full((num, expander.num_roles), np.nan)
        opening = self.rng.integers(0, settings.opening_plies + 1, num)
        going = np.arange(num)
        plies: list[_Ply] = []
        for number in range(settings.plies):
            phase = number % expander.num_phases
            ply, children, is_over, ends = self._step(
                states, phase, leaf_values, opening[going] > number
            )
            plies.append(ply._replace(games=going))
            goals[going[is_over]] = ends[is_over]
            going, states = going[~is_over], children[~is_over]
            if not len(going):
                break
        return self._experience(plies, goals, opening, has_values=leaf_values is not None)

    def _step(
        self,
        states: Words,
        phase: int,
        leaf_values: LeafValues | None,
        is_random: NDArray[np.bool_],
    ) -> tuple[_Ply, Words, NDArray[np.bool_], Values]:
        parents, moves, movers = self._moves(states, phase)
        children, is_over, values = self._expand(states, parents, moves, phase, leaf_values)
        scores = values[np.arange(len(parents)), movers[parents]]
        starts = np.searchsorted(parents, np.arange(len(states)))
        noise = self.rng.gumbel(size=len(parents))
        best = _first_best(scores, starts, parents)
        drawn = scores / self._settings.temperature + noise
        if leaf_values is None:
            drawn = noise
        chosen = _first_best(np.where(is_random[parents], noise, drawn), starts, parents)
        is_greedy = scores[chosen] >= scores[best] - TOLERANCE
        if leaf_values is None:
            is_greedy[:] = True
        ply = _Ply(np.empty(0, np.int64), states, phase, values[best], is_greedy)
        return ply, children[chosen], is_over[chosen], values[chosen]

    def _moves(
        self, states: Words, phase: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
        """Return all joint moves in `states`, and the role that moves in each state.

        There are three arrays: the index of each joint move's state, the inputs of each joint
        move, and the roles.
        """
        expander, most = self._expander, self._expander.num_leaves_max
        num_roles = expander.num_roles
        all_parents, all_moves, all_movers = [], [], []
        for first in range(0, len(states), most):
            part = states[first : first + most]
            expander.children[: len(part)] = part
            expander.look(len(part), phase)
            starts = expander.legal_starts[: len(part) * num_roles + 1].astype(np.int64)
            counts = np.diff(starts).reshape(-1, num_roles)
            firsts = starts[:-1].reshape(-1, num_roles)
            if counts.min() == 0:
                raise PracticeError("practice: expected a legal move of each role in each state")
            if (counts > 1).sum(1).max() > 1:
                raise PracticeError("practice: expected a game in which one role moves at a time")
            movers = counts.argmax(1)
            sizes = counts[np.arange(len(part)), movers]
            parents = np.repeat(np.arange(len(part)), sizes)
            within = np.arange(len(parents)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            moves = expander.legal[firsts][parents]
            places = firsts[np.arange(len(part)), movers][parents] + within
            moves[np.arange(len(parents)), movers[parents]] = expander.legal[places]
            all_parents.append(parents + first)
            all_moves.append(moves)
            all_movers.append(movers)
        return np.concatenate(all_parents), np.concatenate(all_moves), np.concatenate(all_movers)

    def _expand(
        self,
        states: Words,
        parents: NDArray[np.int64],
        moves: NDArray[np.int32],
        phase: int,
        leaf_values: LeafValues | None,
    ) -> tuple[Words, NDArray[np.bool_], Values]:
        """Return the states after joint moves, whether each is terminal, and their values."""
        expander, most = self._expander, self._expander.num_leaves_max
        following = (phase + 1) % expander.num_phases
        children = np.empty((len(parents), expander.num_words), np.uint64)
        is_over = np.empty(len(parents), np.bool_)
        values = np.empty((len(parents), expander.num_roles))
        for first in range(0, len(parents), most):
            part = slice(first, min(first + most, len(parents)))
            num = part.stop - first
            expander.parents[:num] = states[parents[part]]
            expander.moves[:num] = moves[part]
            expander.expand(num, phase)
            children[part] = expander.children[:num]
            is_over[part] = expander.is_terminal[:num] != 0
            values[part] = 50.0
            if leaf_values is not None:
                values[part] = leaf_values.values(expander.children[:num], following)
            values[part][is_over[part]] = expander.goals[:num][is_over[part]]
        return children, is_over, values

    def _experience(
        self, plies: list[_Ply], goals: Values, opening: NDArray[np.int64], *, has_values: bool
    ) -> Experience:
        trace = self._settings.trace if has_values else 1.0
        after = goals.copy()
        states, phases, values = [], [], []
        for number in reversed(range(len(plies))):
            ply = plies[number]
            later = after[ply.games]
            is_known = ~np.isnan(later[:, 0]) & ply.is_greedy & (number >= opening[ply.games])
            found = np.where(
                is_known[:, None], (1 - trace) * ply.backed + trace * later, ply.backed
            )
            after[ply.games] = found
            is_wanted = is_known | has_values
            states.append(ply.states[is_wanted])
            phases.append(np.full(int(is_wanted.sum()), ply.phase, np.int8))
            values.append(found[is_wanted].astype(np.float32))
        return Experience(
            self._images.drawn(np.concatenate(states), self.rng),
            np.concatenate(phases),
            np.concatenate(values),
        )


def _first_best(
    scores: Values, starts: NDArray[np.int64], segments: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return, for each segment, the index in `scores` of its highest score, the first if equal.

    Args:
        scores: The scores of all segments, one segment after another.
        starts: The index of the first score of each segment.
        segments: The number of the segment to which each score belongs.
    """
    is_best = scores == np.maximum.reduceat(scores, starts)[segments]
    places = np.flatnonzero(is_best)
    found: NDArray[np.int64] = places[np.searchsorted(segments[places], np.arange(len(starts)))]
    return found

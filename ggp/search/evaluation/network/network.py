"""Value networks: a layer of hidden units over the bases, and a value for each role.

    h(s)    = clip(start + sum of rows[i] over the inputs i that are true in s, 0, 1)^2
    v(s, r) = 100 / (1 + exp(-(bias[p, r] + output[p, r] . h(s))))          p: the phase of s

Inputs are the bases, and pairs of bases. A pair is true if both of its bases are true. Pairs are
needed because a sum over single bases cannot tell whether two stones are connected. In most games
the phase says which role is to move, so each phase has its own second layer. The design follows the
efficiently updatable networks of Nasu, NNUE, 2018, with the squared clipped units of its
descendants in computer chess. In 2025, what improved those networks most was similar inputs: pairs
of pieces on the board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.errors import GgpError
from ggp.search.evaluation.network.kernel import GROUP, WORD_BITS, Floats, Layers, evaluate
from ggp.search.evaluation.weights import Figure, digest


def no_pairs() -> NDArray[np.int64]:
    """Return an empty array of pairs, `[0, 2]`, for a network whose inputs are only bases."""
    return np.zeros((0, 2), np.int64)


class NetworkError(GgpError):
    """A value network is unusable. The message names it and its file, and says why."""


@dataclass(frozen=True, slots=True)
class ValueNetwork:
    """A value network of one game.

    There are `B` bases, `K` pairs of bases, `H` units, `P` phases and `R` roles.
    """

    game: str  # name of the game, for people
    rules: str  # digest of its rules; empty if unknown
    roles: tuple[str, ...]  # its roles, in order
    facts: tuple[str, ...]  # `B` bases; the network ignores all other facts
    reference: NDArray[np.bool_]
    """`[B]` the reference state: whether each base is true most of the time."""
    rows: Floats  # `[B + K, H]` what a base or a pair adds to the units while it is true
    start: Floats  # `[H]` start values of the units
    output: Floats  # `[P, R, H]` weights of the second layer
    bias: Floats  # `[P, R]` bias of the second layer
    pairs: NDArray[np.int64] = field(default_factory=no_pairs)  # `[K, 2]` indices of `facts`
    is_shared: bool = False  # whether the game has two roles whose goals add up to 100
    form: gdl.CanonicalForm | None = None
    """Canonical form of the rules, by which `find_network` finds the network even if a game uses
    other names. If None, the network is not found."""
    is_used: bool = True  # whether players use it, because tests showed that they play better
    share: float = 1.0  # the network's share of a leaf's value; playouts give the rest
    figures: Mapping[str, Figure] = field(default_factory=dict)
    """What was measured during training: samples, seconds, win rate..."""

    def for_game(self, game: gdl.Game, where: str = "network") -> ValueNetwork:
        """Return the network adapted to `game`, whose rules may use other names.

        Raises:
            NetworkError: The roles or the rules are not those of the game.
        """
        names = self._names_in(game)
        roles = tuple(str(role) for role in game.roles)
        if names is None and set(roles) != set(self.roles):
            raise NetworkError(
                f"{where}: expected a network for the roles {' '.join(roles)}, "
                f"got one of {self.game} for {' '.join(self.roles)}"
            )
        if names is None:
            raise NetworkError(
                f"{where}: expected a network for these rules, got one of {self.game}, "
                "whose rules differ"
            )
        own = [gdl.renamed(role, names) for role in self.roles]
        order = [own.index(role) for role in roles]
        return replace(
            self,
            rules=digest(game),
            form=game.rulesheet.canonical if game.rulesheet and self.form else None,
            roles=roles,
            facts=tuple(gdl.renamed(fact, names) for fact in self.facts),
            output=np.ascontiguousarray(self.output[:, order]),
            bias=np.ascontiguousarray(self.bias[:, order]),
        )

    def _names_in(self, game: gdl.Game) -> dict[str, str] | None:
        rules, roles = digest(game), {str(role) for role in game.roles}
        if roles == set(self.roles) and (not rules or not self.rules or rules == self.rules):
            return {}
        form = game.rulesheet.canonical if self.form and game.rulesheet else None
        if form is None or self.form is None or form.digest != self.form.digest:
            return None
        return self.form.names_in(form)


class NetworkValues:
    """Leaf values from a value network, for the search on lanes. Not thread-safe.

    `share` is the network's share of a leaf's value, 0..1. Playouts give the rest.
    """

    def __init__(self, network: ValueNetwork, game: gdl.Game, share: float = 1.0) -> None:
        self.share = share
        self._layers = layers_for(network, game)
        self._num_roles = len(game.roles)

    def values(self, states: NDArray[np.uint64], phase: int) -> NDArray[np.float64]:
        """Return the expected goal of each role in each state, `[num, R]`, 0..100.

        `states`, `[num, W]`, are packed and belong to the same `phase`.
        """
        found = np.empty((len(states), self._num_roles))
        evaluate(self._layers, states, phase, found)
        return found


def layers_for(network: ValueNetwork, game: gdl.Game) -> Layers:
    """Arrange the arrays of a network for the packed states of a game.

    Raises:
        NetworkError: The game is not compiled, or has other facts or another number of phases.
    """
    simulator = game.simulator
    if simulator is None:
        raise NetworkError("network: expected a compiled game, got one that is not compiled")
    phases = simulator.circuit.phases
    if len(phases) != len(network.output):
        raise NetworkError(
            f"network: it was trained for {network.game} and has {len(network.output)} "
            f"phases, but this game has {len(phases)}, so it does not fit"
        )
    bases = phases[0].netlist.bases
    num_words, num_units = max(1, -(-len(bases) // WORD_BITS)), len(network.start)
    places = _places(network, bases)
    pairs = places[network.pairs]
    num_bits = WORD_BITS * (num_words + -(-len(pairs) // WORD_BITS))
    inputs = np.concatenate([places, WORD_BITS * num_words + np.arange(len(pairs))])
    is_usual = np.concatenate([network.reference, network.reference[network.pairs].all(1)])
    rows = np.zeros((num_bits + 1, num_units), np.float32)
    rows[inputs] = np.where(is_usual[:, None], -network.rows, network.rows)
    reference = np.zeros(num_bits, np.uint8)
    reference[inputs] = is_usual
    # Bits without weights are masked out of the states, so that they cost no time.
    is_used = np.isin(np.arange(num_bits), pairs) | rows[:-1].any(axis=1)
    pair_starts, of_bits = _pairs_of_bits(pairs, inputs[len(places) :], num_words)
    start = network.start + is_usual.astype(np.float32) @ network.rows
    output: Floats = network.output
    bias: Floats = network.bias
    if network.is_shared:
        output, bias = _half_difference(output), _half_difference(bias)
    return Layers(
        mask=np.packbits(is_used, bitorder="little").view(np.uint64)[:num_words],
        reference=np.packbits(reference * is_used, bitorder="little").view(np.uint64),
        rows=rows,
        start=start.astype(np.float32),
        output=np.ascontiguousarray(output, np.float32),
        bias=np.ascontiguousarray(bias, np.float32),
        sums=np.zeros(num_units, np.float32),
        products=np.zeros(num_units, np.float32),
        active=np.zeros(num_bits + GROUP, np.int64),
        signs=np.zeros(num_bits + GROUP, np.float32),
        current=np.zeros(num_bits // WORD_BITS, np.uint64),
        anchor=np.zeros(num_bits // WORD_BITS, np.uint64),
        anchor_sums=np.zeros(num_units, np.float32),
        pair_starts=pair_starts,
        pairs=of_bits,
    )


def _places(network: ValueNetwork, bases: Sequence[gdl.Term]) -> NDArray[np.int64]:
    place_of = {str(fact): place for place, fact in enumerate(bases)}
    for fact in network.facts:
        if fact not in place_of:
            raise NetworkError(f"network: {network.game} has {fact}, which these rules do not have")
    return np.array([place_of[fact] for fact in network.facts], np.int64)


def _pairs_of_bits(
    pairs: NDArray[np.int64], places: NDArray[np.int64], num_words: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return `pair_starts` and `pairs` of `Layers`."""
    bits, others = pairs.T.ravel(), pairs[:, ::-1].T.ravel()
    order = np.argsort(bits, kind="stable")
    starts = np.searchsorted(bits[order], np.arange(WORD_BITS * num_words + 1))
    of_bits = np.stack([np.tile(places, 2)[order], others[order]], axis=1)
    return starts.astype(np.int32), of_bits.astype(np.int32)


def _half_difference(of_roles: Floats) -> Floats:
    """Return half the difference between the first and the second role's numbers, `[P, 1, ...]`."""
    return ((of_roles[:, :1] - of_roles[:, 1:]) / 2).astype(np.float32)


class NetworkEvaluation:
    """An evaluation of states by a value network."""

    def __init__(self, network: ValueNetwork, game: gdl.Game) -> None:
        """Prepare a network for a game, see `ValueNetwork.for_game`.

        Raises:
            NetworkError: The game is not compiled, or the network belongs to another game.
        """
        self.network = network
        self._game = game
        self._layers = layers_for(network, game)
        assert game.simulator is not None
        self._expander = game.simulator.expander(0)

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """Return the expected goal of each role, 0..100."""
        words = self._expander.pack(self._game.facts(state))[None]
        values = np.empty((1, len(self._game.roles)))
        evaluate(self._layers, words, self.phase_of(state), values)
        return tuple(map(float, values[0]))

    def phase_of(self, state: gdl.State) -> int:
        """Return the phase of a state, which selects the second layer."""
        return self._expander.phases_of(self._expander.pack(self._game.facts(state)))[0]

"""Networks of random numbers, for games that are compiled once."""

from __future__ import annotations

from functools import cache

import numpy as np

import gdl
from ggp import games
from ggp.search.evaluation.network.network import ValueNetwork
from ggp.search.evaluation.weights import digest


@cache
def game_of(name: str) -> gdl.Game:
    """A bundled game, compiled."""
    return gdl.load(games.text(name), "lanes")


def facts_of(game: gdl.Game) -> tuple[str, ...]:
    """All base propositions, in their order."""
    assert game.simulator is not None
    return tuple(str(fact) for fact in game.simulator.circuit.phases[0].netlist.bases)


def random_network(game: gdl.Game, num_units: int = 16, num_pairs: int = 70) -> ValueNetwork:
    """A network of random numbers for a game, without the first fact."""
    assert game.simulator is not None
    rng, facts = np.random.default_rng(1), facts_of(game)[1:]
    pairs = np.sort(rng.integers(0, len(facts), (num_pairs, 2)), axis=0)
    shape = (len(game.simulator.circuit.phases), len(game.roles))
    return ValueNetwork(
        game="some",
        rules=digest(game),
        roles=tuple(map(str, game.roles)),
        facts=facts,
        reference=rng.random(len(facts)) < 0.5,
        pairs=pairs,
        rows=rng.normal(0, 0.2, (len(facts) + num_pairs, num_units)).astype(np.float32),
        start=rng.normal(0.5, 0.2, num_units).astype(np.float32),
        output=rng.normal(0, 1, (*shape, num_units)).astype(np.float32),
        form=game.rulesheet.canonical if game.rulesheet else None,
        bias=rng.normal(0, 1, shape).astype(np.float32),
    )

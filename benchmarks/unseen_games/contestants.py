"""Players by spec, and how to write a fixed number of iterations into a spec."""

from __future__ import annotations

from contest.openspiel import BotOptions
from contest.pairs import PAIRS
from contest.sides import OPENSPIEL

from ggp.players import registry
from ggp.players.options import PlayerSpecError
from ggp.players.registry import parse_spec
from ggp.players.searching import ITERATIONS
from unseen_games.versions import parts_of

MCTS = "mcts"


def check(spec: str) -> None:
    """Raise an error unless a spec names a player.

    Raises:
        PlayerSpecError: There is no such player, or it has no such option.
        OpenSpielError: OpenSpiel's bot has no such option.
    """
    spec, folder = parts_of(spec)
    parsed = parse_spec(spec)
    if parsed.name == OPENSPIEL:
        if folder is not None:
            raise PlayerSpecError(f"{OPENSPIEL}@{folder}: expected a player of this project")
        BotOptions.read(parsed.options)
    else:
        registry.check(spec)


def is_openspiel(spec: str) -> bool:
    """Return whether a spec means OpenSpiel's bot."""
    return parse_spec(parts_of(spec)[0]).name == OPENSPIEL


def plays(spec: str, game: str) -> bool:
    """Return whether a player can play a game: OpenSpiel's bot knows few."""
    return game in PAIRS or not is_openspiel(spec)


def with_rounds(spec: str, rounds: int) -> str:
    """Return the spec of the same player with a fixed number of rounds for each move.

    A round is a step of the player's search: in `mcts` a batch of leaves, or with `tree=python`
    one playout; in `alphabeta` one more ply of depth; in OpenSpiel's bot a simulation. Options
    that the spec has already stay as they are. A player that does not search is left alone.

    >>> with_rounds("mcts:c=0.7", 9)
    'mcts:c=0.7,iterations=9,tree=lanes,rounds=1'
    >>> with_rounds("mcts:tree=python", 9), with_rounds("random", 9)
    ('mcts:tree=python,iterations=9', 'random')
    """
    parsed = parse_spec(spec)
    if parsed.name == OPENSPIEL:
        added = {"simulations": str(rounds)}
    elif ITERATIONS not in registry.player_class(parsed.name).OPTIONS:
        return spec
    else:
        added = {ITERATIONS.name: str(rounds)}
    if parsed.name == MCTS and parsed.options.get("tree", "lanes") != "python":
        # With a fixed number of playouts for each batch the clock has no say.
        added |= {"tree": "lanes", "rounds": "1"}
    missing = {key: value for key, value in added.items() if key not in parsed.options}
    options = ",".join(f"{key}={value}" for key, value in (parsed.options | missing).items())
    return f"{parsed.name}:{options}"

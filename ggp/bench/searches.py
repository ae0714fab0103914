"""Speed of a player's search: its work per second, and its signature.

The signature is a hash of a search in one thread, with a fixed number of iterations and with
batches that are independent of the clock. So it depends only on the rules, the player and the seed.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import gdl
from ggp.bench.reasoners import Case, signature
from ggp.clock import Deadline
from ggp.errors import WrongUseError
from ggp.log import ReportLine
from ggp.players.registry import create, parse_spec, player_class
from ggp.players.searching import SearchPlayer
from ggp.search.core import Effort, Search, SearchResult
from ggp.search.core.choices import require_moves

# Search options for the number of threads, and for batches that are independent of the clock.
THREADS = "threads"
FIXED = {"rounds": "1"}
SIGNED_ITERATIONS = {True: 16_384, False: 512}  # with lanes; without lanes
SLICE_SECONDS = 0.25  # how often the search reports its progress


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """The settings for measuring searches.

    Attributes:
        player: Spec of the player whose search is measured.
        seconds: How long to measure each search.
        threads: Number of threads that search in parallel.
        iterations: Number of iterations of the search that the signature is computed from. None
            means `SIGNED_ITERATIONS`.
        seed: The seed of all random choices.
    """

    player: str
    seconds: float
    threads: int
    iterations: int | None
    seed: int


@dataclass(frozen=True, slots=True)
class SearchFigures:
    """Measurements of a search from the initial state of a game.

    Attributes:
        is_on_lanes: Whether the search processes hundreds of states at the same time.
        seconds: How long the search took. Less than requested if everything was proven earlier.
        is_ended: Whether the search ended because nothing was left to find out.
        effort: How much work the search did in that time.
        signed_iterations: Number of iterations of the search that the signature is computed from.
        signature: A hash of that search. It is the same on every machine.
    """

    name: str
    loaded: gdl.Game
    terms: SearchTerms
    is_on_lanes: bool
    seconds: float
    is_ended: bool
    effort: Effort
    result: SearchResult
    signed_iterations: int
    signature: str

    @property
    def iterations_per_second(self) -> float:
        """Iterations per second. Each backs up the value of a leaf or of a known terminal state."""
        return self.effort.num_iterations / self.seconds

    @property
    def playouts_per_second(self) -> float:
        """Rate of random playouts whose goals were backed up."""
        return self.effort.num_playouts / self.seconds

    def to_json(self) -> dict[str, Any]:
        """Return the measurements as JSON data."""
        return {
            "game": self.name,
            "player": self.terms.player,
            "engine": self.loaded.engine,
            "tree": "lanes" if self.is_on_lanes else "python",
            "threads": self.terms.threads,
            "seconds": self.seconds,
            "is_ended": self.is_ended,
            "iterations": self.effort.num_iterations,
            "iterations_per_second": self.iterations_per_second,
            "playouts": self.effort.num_playouts,
            "playouts_per_second": self.playouts_per_second,
            "nodes": self.effort.num_nodes,
            "depth": self.effort.depth,
            "bytes": self.effort.num_bytes,
            "move": str(self.result.move),
            "value": self.result.value,
            "signed_iterations": self.signed_iterations,
            "signature": self.signature,
        }


def check_player(terms: SearchTerms) -> None:
    """Check that the player searches, and that its search can use the given number of threads.

    Raises:
        PlayerSpecError: There is no such player.
        WrongUseError: The player does not search, or not with several threads.
    """
    kind = player_class(parse_spec(terms.player).name)
    if not issubclass(kind, SearchPlayer):
        raise WrongUseError(
            f"player {terms.player!r}: expected a player that keeps a search tree, such as mcts"
        )
    if terms.threads > 1 and not _has(terms, THREADS):
        raise WrongUseError(
            f"player {terms.player!r}: expected --threads 1, because this player "
            "cannot search with several threads"
        )


def measure_search(case: Case, report: ReportLine, terms: SearchTerms) -> SearchFigures:
    """Search the initial state of a game for `terms.seconds`. Return the speed and a signature.

    Raises:
        GdlError: The rules cannot be read or played.
        PlayerSpecError: The player does not have these options.
        StuckError: The rules leave a role without a move in the initial state.
    """
    loaded = case.ready("auto", report)
    require_moves(loaded.machine, loaded.machine.initial_state(), "on turn 1")
    report("searching for the signature")
    fixed = {name: value for name, value in FIXED.items() if _has(terms, name)}
    first = _search(loaded, terms, fixed)
    is_on_lanes = type(first).__module__.startswith("ggp.search.fast.tree.")
    num = terms.iterations or SIGNED_ITERATIONS[is_on_lanes]
    signed = _sign(first, num)
    del first  # so that only one tree is in memory at a time
    threads = {THREADS: str(terms.threads)} if _has(terms, THREADS) else {}
    search = _search(loaded, terms, threads)
    seconds, is_ended = _run(search, terms.seconds, report)
    return SearchFigures(
        name=case.name,
        loaded=loaded,
        terms=terms,
        is_on_lanes=is_on_lanes,
        seconds=seconds,
        is_ended=is_ended,
        effort=search.effort,
        result=search.result(),
        signed_iterations=num,
        signature=signed,
    )


def _has(terms: SearchTerms, option: str) -> bool:
    spec = parse_spec(terms.player)
    known = {each.name for each in player_class(spec.name).OPTIONS}
    return option in known and option not in spec.options


def _search(loaded: gdl.Game, terms: SearchTerms, options: Mapping[str, str]) -> Search:
    machine = loaded
    role = next((role for role in machine.roles if not gdl.is_random(role)), machine.roles[0])
    player = create(terms.player, machine, role, options, terms.seed)
    assert isinstance(player, SearchPlayer)
    return player.new_search(machine.initial_state())


def _run(search: Search, seconds: float, report: ReportLine) -> tuple[float, bool]:
    """Search for `seconds`. Return the actual time, and whether nothing was left to find out."""
    start, is_going, whole = time.perf_counter(), True, Deadline.after(seconds)
    while is_going and not whole.is_over():
        report(f"searching, {time.perf_counter() - start:.0f} s of {seconds:g} s")
        end = whole.within(SLICE_SECONDS)
        while is_going and not end.is_over():
            is_going = search.step(whole)  # in a large game, a step may be longer than a slice
    # A step that was cut short by the deadline does not mean that the search has ended.
    return time.perf_counter() - start, not is_going and not whole.is_over()


def _sign(search: Search, iterations: int) -> str:
    """Return the signature of a search: a hash of its effort and moves after some iterations.

    If the search ends before `iterations`, return the signature at its end.
    """
    never = Deadline.never()
    while search.effort.num_iterations < iterations and search.step(never):
        pass
    effort, result = search.effort, search.result()
    moves = sorted(f"{each.move} {each.visits} {each.value:.6f}" for each in result.moves)
    return signature(f"{effort.num_iterations} {effort.num_playouts} {effort.num_nodes} {moves}")

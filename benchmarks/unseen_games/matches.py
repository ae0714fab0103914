"""Matches between two players, each match in its own processes."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from unseen_games.contestants import plays
from unseen_games.fixture import Fixture
from unseen_games.results import Row
from unseen_games.rulesheets import UnseenError, find_sheet

KEYS = (
    *("game", "digest", "players", "number"),
    *("startclock", "playclock", "rounds", "seed", "http"),
)
MODULE = "unseen_games.match_process"
LAST_WORDS = 2000
_BENCHMARKS = Path(__file__).resolve().parents[1]


def key_of(fixture: Fixture) -> Row:
    """Return the key by which the row of a match is found."""
    return {
        "game": fixture.game,
        "digest": find_sheet(fixture.game).digest,
        "players": list(fixture.players),
        "number": fixture.number,
        "startclock": fixture.startclock,
        "playclock": fixture.playclock,
        "rounds": fixture.rounds,
        "seed": fixture.seed,
        "http": fixture.is_http,
    }


def pairs_of(players: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs that meet: the first player and each of the others."""
    return [(players[0], other) for other in players[1:]]


def meets(pair: tuple[str, str], game: str) -> bool:
    """Return whether both players can play a game."""
    return all(plays(player, game) for player in pair)


def play(fixture: Fixture, core: int) -> Row:
    """Play a match in a fresh process that keeps to a core, or to none if `core` is -1.

    Raises:
        UnseenError: The process failed.
    """
    paths = [str(_BENCHMARKS), str(_BENCHMARKS.parent), os.environ.get("PYTHONPATH", "")]
    with tempfile.TemporaryDirectory(prefix="unseen-", ignore_cleanup_errors=True) as folder:
        # Our own script. Its folder is empty, so that no player finds what another one kept.
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-P", "-m", MODULE, str(core), folder],
            input=fixture.to_json(),
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
        )
    if done.returncode:
        words = done.stderr.strip()[-LAST_WORDS:]
        raise UnseenError(
            f"{fixture.game}, {' against '.join(fixture.players)}, match {fixture.number}: "
            f"its process failed with {done.returncode}:\n{words}"
        )
    return {**key_of(fixture), **json.loads(done.stdout.splitlines()[-1])}


def play_all(fixtures: Sequence[Fixture], jobs: int) -> Iterator[Row]:
    """Play matches, `jobs` at once, each on its own core; yield each as it ends.

    Raises:
        UnseenError: A match could not be played. Those that run come to their end first.
    """
    cores: queue.Queue[int] = queue.Queue()
    for core in sorted(os.sched_getaffinity(0))[:jobs]:
        cores.put(core)

    def on_free_core(fixture: Fixture) -> Row:
        core = cores.get()
        try:
            return play(fixture, core)
        finally:
            cores.put(core)

    with ThreadPoolExecutor(jobs) as threads:
        pending = [threads.submit(on_free_core, one) for one in fixtures]
        try:
            for future in as_completed(pending):
                yield future.result()
        finally:
            threads.shutdown(wait=False, cancel_futures=True)

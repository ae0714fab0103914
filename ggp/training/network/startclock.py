"""Practice in the startclock: a network for a game that nobody has seen before, if it pays at once.

Three quarters of the time are for practice, what is left for matches against the same search
without the network. All is done in parts that are short against the clock, and a game in which they
would not be is refused beforehand.
"""

from __future__ import annotations

import time

import gdl
from ggp.clock import Deadline
from ggp.search.evaluation.network.network import ValueNetwork
from ggp.training.network.batch_play import BatchPlay, BatchPlaySettings, PracticeError
from ggp.training.network.practice import RANDOM_BATCHES, Practice, PracticeSettings

LEAST_SECONDS = 25.0
"""Less is no practice: a startclock of 30 s, when the rules are read."""
GATE_PART = 0.25
PROBES = (1, 16, 128)
"""Games of the batches that tell how long others will take."""
PROBE_SECONDS = 1.0
"""The longest that one of them may take."""
TRAINING = 1.5
"""Times that the random games take, with what is learned from them."""
BEGINNING_PART = 0.6
"""Of the practice, for random games at most."""
RESERVE = 2.0
"""Times that the longest step has room before the practice ends."""


def practise_until(game: gdl.Game, deadline: Deadline, seed: int) -> ValueNetwork:
    """Practise for most of the time that is left; the network, about which nothing is known yet.

    Raises:
        PracticeError: There is too little time for the game, or it cannot be practised.
    """
    seconds = deadline.remaining()
    if seconds < LEAST_SECONDS:
        raise PracticeError(f"practice: expected {LEAST_SECONDS:g} s, got {seconds:.1f}")
    end = deadline.earlier(GATE_PART * seconds)
    settings = PracticeSettings(seed=seed)
    expected = _seconds_of_a_batch(game, settings.games, seed) * RANDOM_BATCHES * TRAINING
    if expected > BEGINNING_PART * end.remaining():
        raise PracticeError(
            f"practice: expected random games in {BEGINNING_PART * end.remaining():.1f} s, "
            f"but they take about {expected:.1f} s"
        )
    practice = Practice(game, settings)
    longest, begin = 0.0, time.monotonic()
    # Another thread may end the deadline itself at any moment.
    while end.remaining() > RESERVE * longest and not deadline.is_over():
        before = time.monotonic()
        practice.step(min(1.0, (before - begin) / (before - begin + end.remaining())))
        longest = max(longest, time.monotonic() - before)
    return practice.network()


def _seconds_of_a_batch(game: gdl.Game, settings: BatchPlaySettings, seed: int) -> float:
    seconds = 0.0
    for num in PROBES:
        play = BatchPlay(game, BatchPlaySettings(games=num, plies=settings.plies), seed)
        # Twice: machine code may have to be loaded first, and others may be at work.
        seconds = min(_seconds_of(play), _seconds_of(play))
        if seconds > PROBE_SECONDS:
            raise PracticeError(f"practice: {num} random games take {seconds:.1f} s")
    return seconds * settings.games / PROBES[-1]


def _seconds_of(play: BatchPlay) -> float:
    start = time.monotonic()
    play.play(None)
    return time.monotonic() - start

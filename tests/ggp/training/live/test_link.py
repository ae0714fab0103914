"""The link to a learner: what it takes over, and when it is over."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Literal

import pytest

from ggp.search.evaluation.network.file import network_bytes
from ggp.training.live.link import LearnerLink, LearnerTerms, Message
from tests.ggp.search.evaluation.network.random_networks import game_of, random_network

pytestmark = pytest.mark.usefixtures("kernels")


class Other:
    """The learner's side of a link."""

    def __init__(self) -> None:
        ours, self.connection = Pipe()
        self.lines: list[tuple[int, str]] = []
        self.forked: list[LearnerTerms] = []
        self.link = LearnerLink(ours, self.forked.append, self._log)

    def _log(self, level: int, text: str) -> None:
        self.lines.append((level, text))

    def send(self, message: Message, data: bytes | None = None) -> None:
        """Say something."""
        self.connection.send_bytes(message.as_json())
        if data is not None:
            self.connection.send_bytes(data)


@pytest.fixture
def other() -> Iterator[Other]:
    """A link, and who is at its other end."""
    other = Other()
    yield other
    other.connection.close()


def until(condition: Callable[[], object]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def has_ended(connection: Connection) -> bool:
    """Whether the other end was closed."""
    assert connection.poll(60)
    try:
        connection.recv_bytes()
    except EOFError:
        return True
    return False


def test_the_newest_network_is_there_for_whoever_asks(other: Other) -> None:
    """Each is told of once, if whoever asks remembers it."""
    network = random_network(game_of("ticTacToe"))
    link = other.link
    link.start(LearnerTerms(2, 1))
    assert link.newest(None) is None

    for samples in (1_200_000, 2_100_000):
        named = replace(network, figures={"samples": samples})
        other.send(Message("network"), network_bytes(named))
    until(lambda: (newest := link.newest(None)) and "2.1" in newest.name)

    newest = link.newest(None)
    assert newest is not None
    assert newest.name == "learned, 2.1 M samples"
    assert link.newest(newest) is None
    assert other.forked == [LearnerTerms(2, 1)]


def test_a_damaged_network_is_a_warning(other: Other) -> None:
    """What comes after it is taken over all the same."""
    other.link.start(LearnerTerms(2, 1))

    other.send(Message("network"), b"nothing")
    other.send(Message("network"), network_bytes(random_network(game_of("ticTacToe"))))

    until(lambda: other.link.newest(None))
    assert len(other.lines) == 1
    assert "expected a network file" in other.lines[0][1]


@pytest.mark.parametrize(("cores", "needs_core"), [(1, True), (2, True), (3, False)])
def test_before_the_match_it_needs_the_core_of_the_search(
    other: Other, cores: int, needs_core: bool
) -> None:
    """On few cores it does, and not after the startclock; on one it ends then."""
    link = other.link
    assert not link.needs_core
    link.start(LearnerTerms(cores, 1))
    assert link.needs_core == needs_core

    link.begin_match()

    assert not link.needs_core
    assert has_ended(other.connection) == (cores == 1)


def test_it_is_over_when_the_learner_is_gone(other: Other) -> None:
    """Nothing is said of that: it may have been killed."""
    other.link.start(LearnerTerms(2, 1))

    other.connection.close()

    until(lambda: other.link.is_over)
    assert not other.link.needs_core
    other.link.begin_match()
    assert other.lines == []


@pytest.mark.parametrize(
    ("kind", "cores", "leaves_core"), [("over", 2, True), ("over", 1, False), ("failed", 2, False)]
)
def test_it_is_said_why_nothing_is_learned(
    other: Other, kind: Literal["over", "failed"], cores: int, leaves_core: bool
) -> None:
    """Once, and the core is free; a second tree might not fit where memory has run out."""
    other.link.start(LearnerTerms(cores, 1))

    other.send(Message(kind, "practice: expected something else"))

    until(lambda: other.lines)
    assert other.link.leaves_core == leaves_core
    (line,) = other.lines
    assert line[1] == ("learning has ended for this match: practice: expected something else")
    assert not other.link.needs_core

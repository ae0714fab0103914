"""The engine process itself, in a conversation of lines."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence

import pytest

from ggp import clock, games
from ggp.engine.answers import Choice, MoveOrigin
from ggp.engine.config import EngineConfig
from ggp.engine.process_pool import KERNELS
from ggp.engine.wire import Accepted, Begin, Done, Failed, Follow, MovedReply, SearchCommand, Warm
from ggp.engine.worker.channel import EXIT_BROKEN
from ggp.match.steps import JointMove
from tests.fakes.forkers import Forker
from tests.ggp.engine.worker_lines import ForkedWorker, StartedWorker
from tests.shared import REPOSITORY
from tests.thorough import all_but
from tests.waiting import PATIENCE

pytestmark = pytest.mark.usefixtures("kernels")

ODD = "tests.ggp.engine.odd_players"
NO_COMMAND = b'{"#":"Warm","request":1,"pid":1}\n'


@pytest.fixture
def forker(forkers: dict[str, Forker], ready_forkers: None) -> Forker:
    """The source of processes that have loaded the kernels."""
    return forkers[KERNELS]


def begin(player: str = "legal", seconds: float = 0.0, **config: int) -> Begin:
    """The command that begins ticTacToe as xplayer."""
    settings = EngineConfig(player=player, **config)  # type: ignore[arg-type]
    moment = clock.now() + seconds
    return Begin(1, games.text("ticTacToe"), "kif", "xplayer", settings, moment)


def search(request: int, turn: int, *moves: str, seconds: float = 5.0) -> SearchCommand:
    """The command that makes one joint move, if any, and asks for a move."""
    steps = (JointMove(moves),) if moves else ()
    return SearchCommand(request, turn, steps, clock.now() + seconds)


def names(events: Sequence[object]) -> list[str]:
    """The kinds of events."""
    return [type(event).__name__ for event in events]


def test_a_match_is_a_conversation(forker: Forker) -> None:
    """Each command is accepted, begun and answered; legal moves come before any search."""
    with ForkedWorker(forker) as worker:
        worker.send(begin(seconds=30.0))
        begun = worker.events_until(Done)
        worker.send(search(2, 0))
        searched = worker.events_until(Done)
        worker.send(Follow(3, 1, (JointMove(("(mark 1 1)", "noop")),), is_last=True))
        ended = worker.events_until(Done)

    assert names(begun) == ["Accepted", "Begun", "Ready", "MovedReply", "Equipped", "Done"]
    assert names(searched) == ["Accepted", "Begun", "MovedReply", "Done"]
    assert searched[-1] == Done(2, Choice("(mark 1 1)", MoveOrigin.SEARCH))
    assert ended[-1] == Done(3, goals=(50, 50))


@pytest.mark.thorough  # test_reasoner has who_waits_for_the_kernels_is_not_waited_for
def test_legal_moves_do_not_wait_for_the_kernels() -> None:
    """A match can begin while they are loaded: then there is a move to answer with."""
    with StartedWorker(str(REPOSITORY)) as worker:
        worker.send(begin(seconds=30.0))
        kinds = names(worker.events_until(Warm))

    assert kinds[0] == "Awake"
    assert [kind for kind in kinds if kind in {"Ready", "MovedReply", "Warm"}] == [
        "Ready",
        "MovedReply",
        "Warm",
    ]


def test_steps_that_were_made_already_are_not_made_again(forker: Forker) -> None:
    """The server may tell more of the history than is missing."""
    one, two = JointMove(("(mark 1 1)", "noop")), JointMove(("noop", "(mark 2 2)"))
    with ForkedWorker(forker) as worker:
        worker.send(begin())
        worker.events_until(Done)
        worker.send(Follow(2, 1, (one,), is_last=False))
        worker.events_until(Done)
        worker.send(Follow(3, 2, (one, two), is_last=False))
        moved = next(event for event in worker.events_until(Done) if isinstance(event, MovedReply))

    assert moved.position.turn == 2
    assert moved.position.joint_move == ("noop", "(mark 2 2)")
    assert moved.position.num_legal == 7


def test_a_command_ends_what_the_player_is_doing(forker: Forker) -> None:
    """A player that looks at its deadline is free for the next command at once."""
    with ForkedWorker(forker) as worker:
        worker.send(begin(f"{ODD}:Watchful"))
        worker.events_until(Done)
        worker.send(search(2, 0, seconds=1000.0))
        worker.events_until(MovedReply)
        worker.send(search(3, 0, seconds=0.2))
        first, second = worker.events_until(Done)[-1], worker.events_until(Done)[-1]

    assert isinstance(first, Done)
    assert isinstance(second, Done)
    assert (first.request, second.request) == (2, 3)


def test_a_command_is_accepted_while_the_player_is_busy(forker: Forker) -> None:
    """It need not wait for the player, which comes back some time after that."""
    with ForkedWorker(forker) as worker:
        worker.send(begin(f"{ODD}:Unhurried"))
        worker.events_until(Done)
        worker.send(search(2, 0, seconds=1000.0))
        worker.events_until(MovedReply)
        worker.send(search(3, 0))
        events = worker.events_until(Done)

    assert events[0] == Accepted(3)
    assert isinstance(events[-1], Done)
    assert events[-1].request == 2


def test_of_commands_that_wait_the_newest_is_carried_out(forker: Forker) -> None:
    """A process that was too slow for some turns does not say what was legal then."""
    one, two = JointMove(("(mark 1 1)", "noop")), JointMove(("noop", "(mark 2 2)"))
    with ForkedWorker(forker) as worker:
        worker.send(begin(f"{ODD}:Unhurried"))
        worker.events_until(Done)
        worker.send(search(2, 0))
        worker.events_until(MovedReply)
        os.kill(worker.pid, signal.SIGSTOP)
        worker.send(Follow(3, 1, (one,), is_last=False))
        worker.send(Follow(4, 2, (one, two), is_last=False))
        os.kill(worker.pid, signal.SIGCONT)
        events = worker.events_until(Done) + worker.events_until(Done)

    assert [event.position.turn for event in events if isinstance(event, MovedReply)] == [2]
    assert [event.request for event in events if isinstance(event, Done)] == [2, 4]


def test_failures_name_the_place(forker: Forker) -> None:
    """Bad rules end the match, bad moves do not."""
    with ForkedWorker(forker) as worker:
        worker.send(begin())
        worker.events_until(Done)
        worker.send(search(2, 1, "(mark 1"))
        failed = worker.events_until(Failed)[-1]

    assert isinstance(failed, Failed)
    assert failed.kind == "moves"
    assert failed.message == "expected 2 moves, one per role (xplayer oplayer), got 1"


@pytest.mark.parametrize("player", all_but([f"{ODD}:Mute"], ["legal", f"{ODD}:Mute"]))
def test_the_process_ends_when_its_input_closes(forker: Forker, player: str) -> None:
    """Even if its player never returns: the server may have been killed."""
    with ForkedWorker(forker) as worker:
        worker.send(begin(player))
        worker.events_until(Done)
        worker.send(search(2, 0))
        worker.events_until(MovedReply)

        worker.close_input()

        assert worker.has_ended()


@pytest.mark.parametrize("line", [b"hello\n", NO_COMMAND])
def test_the_process_ends_when_the_commands_are_none(forker: Forker, line: bytes) -> None:
    """Something is broken; another process will do better."""
    with ForkedWorker(forker) as worker:
        worker.write(line)

        assert worker.has_ended()


@pytest.mark.thorough  # above without the status
def test_who_starts_the_process_is_told_why_it_ended() -> None:
    """By its exit status."""
    with StartedWorker() as worker:
        worker.write(NO_COMMAND)

        assert worker.process.wait(PATIENCE) == EXIT_BROKEN

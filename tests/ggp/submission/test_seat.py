"""A submission at a referee's table: whatever becomes of it, the match comes to its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp.match.errors import SeatError
from ggp.match.referee import Referee
from ggp.match.rulebook import FollowedRulebook, MachineRulebook
from ggp.match.seat import Invitation, Seat
from ggp.records.record import MatchRecord
from ggp.rulesheets import find_game
from ggp.seating.local import PLAYERS, SimpleSeat
from ggp.seating.series import local_match
from ggp.submission.confinement import is_possible
from ggp.submission.process import Submission
from ggp.submission.seat import UploadedSeat
from ggp.submission.starter import Starter
from tests.fakes.submissions import BAD, GOOD

pytestmark = pytest.mark.skipif(not is_possible(), reason="the kernel cannot confine a process")


async def _played(file: Path, starter: Starter) -> MatchRecord:
    game = find_game("ticTacToe")
    book = FollowedRulebook(MachineRulebook(game.machine))
    seats: list[Seat] = [
        UploadedSeat(starter, Submission(file), "uploaded", 1),
        SimpleSeat(PLAYERS["random"](2), book, "random"),
    ]
    return await Referee(local_match(game, book, (20, 20), seed=3), seats).run()


@pytest.mark.parametrize("name", ["one_ply", "exits", "no_player"])
async def test_a_match_with_a_submission_comes_to_its_end(tmp_path: Path, name: str) -> None:
    """A good one moves itself; for one that is lost random moves are made, and marked."""
    file = tmp_path / "mine.py"
    file.write_text(GOOD[name] if name in GOOD else BAD[name][1])

    async with Starter() as starter:
        record = await _played(file, starter)

    errors = {row[0] for row in record.errors[1:]}
    assert record.is_completed
    assert errors == ({""} if name in GOOD else {"CE"})


async def test_what_hides_something_is_refused(tmp_path: Path) -> None:
    """Submissions are told the others' moves, so they get none of such games."""
    invitation = Invitation("m", "white", "", 1, 1, has_percepts=True)
    async with Starter() as starter:
        seat = UploadedSeat(starter, Submission(tmp_path / "mine.py"), "uploaded", 1)

        with pytest.raises(SeatError, match="all is seen"):
            await seat.start(invitation)

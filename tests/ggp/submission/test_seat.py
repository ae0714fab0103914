"""A submission at a referee's table: whatever becomes of it, the match comes to its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp.match.referee import Referee
from ggp.match.rulebook import FollowedRulebook, MachineRulebook
from ggp.match.seat import Seat
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


_LOOKS_AROUND = """
import gc
from ggp.players import Player


class Mine(Player):
    def choose(self, state, deadline):
        dicts = [one for one in gc.get_objects() if type(one) is dict]
        for one in [one for one in dicts if {"moves", "own_move"} <= set(one)]:
            print(one["moves"], one["own_move"], one["percepts"], self.belief.is_complete, sep=";")
        return self.legal_moves(state)[0]
"""


async def test_what_is_hidden_is_not_even_in_its_process(tmp_path: Path) -> None:
    """Its own moves and percepts are all that its process is told; of these the belief is made."""
    file = tmp_path / "mine.py"
    file.write_text(_LOOKS_AROUND)
    game = find_game("phantomTicTacToe")
    book = FollowedRulebook(MachineRulebook(game.machine, has_percepts=True))
    async with Starter() as starter:
        own = UploadedSeat(starter, Submission(file), "uploaded", 1)
        other = SimpleSeat(PLAYERS["random"](2), book, "random")
        record = await Referee(local_match(game, book, (20, 20), seed=3), [own, other]).run()

    told = [line.split(";") for line in own.notes.output.splitlines()]
    made = {row[0] for row in record.moves}
    assert {row[0] for row in record.errors} == {""}
    assert len(told) > 1
    assert all((moves, complete) == ("None", "True") for moves, _, _, complete in told)
    assert {own_move for _, own_move, _, _ in told} <= {"None", *made}
    others = {row[1] for row in record.moves} - made - {"noop"}
    assert others
    assert not any(move in own.notes.output for move in others)

"""A submission at a referee's table: whatever becomes of it, the match comes to its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp.match.events import Event, Moved
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


Moves = list[Moved]


async def _played(
    file: Path,
    starter: Starter,
    playclock: int = 20,
    moves: Moves | None = None,
    name: str = "ticTacToe",
) -> MatchRecord:
    game = find_game(name)
    book = FollowedRulebook(MachineRulebook(game.machine))
    seats: list[Seat] = [
        UploadedSeat(starter, Submission(file), "uploaded", 1),
        SimpleSeat(PLAYERS["random"](2), book, "random"),
    ]

    def note(event: Event) -> None:
        if moves is not None and isinstance(event, Moved):
            moves.append(event)

    return await Referee(local_match(game, book, (20, playclock), seed=3), seats, note).run()


@pytest.mark.parametrize("name", ["one_ply", "no_player"])
async def test_a_match_with_a_submission_comes_to_its_end(tmp_path: Path, name: str) -> None:
    """A good one moves itself; for one that is none random moves are made, and marked."""
    file = tmp_path / "mine.py"
    file.write_text(GOOD[name] if name in GOOD else BAD[name][1])

    async with Starter() as starter:
        record = await _played(file, starter)

    errors = {row[0] for row in record.errors[1:]}
    assert record.is_completed
    assert errors == ({""} if name in GOOD else {"CE"})


_SLOW_ONCE = """
import time
from ggp.players import Player


class Mine(Player):
    def set_up(self):
        self.told = 0

    def advance(self, moves, state):
        self.told += 1

    def choose(self, state, deadline):
        legal = self.legal_moves(state)
        self.report(legal[0])
        self.report(legal[-1])
        if self.told == LATE:
            time.sleep(60)
        marks = sum(fact.args[-1].name != "b" for fact in self.machine.facts(state)
                    if fact.name == "cell")
        return legal[0] if marks == self.told else None
"""


async def test_who_is_late_loses_its_turn_and_nothing_else(tmp_path: Path) -> None:
    """What it reported last is made; the next process knows what was played."""
    file = tmp_path / "mine.py"
    file.write_text(_SLOW_ONCE.replace("LATE", "2"))
    moves: Moves = []

    async with Starter() as starter:
        record = await _played(file, starter, 3, moves)

    assert record.is_completed
    errors = [row[0] for row in record.errors]
    assert errors == ["", "", "", "TO", *[""] * (len(errors) - 4)]
    late, later = moves[2].replies[0], moves[4].replies[0]
    assert late.fallback == "no answer within 3 s; its process was ended"
    free = [fact for fact in record.states[2] if fact.startswith("(cell") and fact.endswith("b)")]
    assert record.moves[2][0] == free[-1].replace("(cell", "(mark").replace(" b)", ")")
    assert later.replaced == 1


_TELLS = """
from ggp.players import Player


class Mine(Player):
    def choose(self, state, deadline):
        move = self.legal_moves(state)[0]
        self.report(move, depth=3, plan="a\\nb" + "c" * 1000, line=[1], huge=10 ** 99, value=1e999)
        return move
"""


async def test_what_it_reports_is_kept_beside_its_moves(tmp_path: Path) -> None:
    """Numbers and texts, of which none is too long."""
    file = tmp_path / "mine.py"
    file.write_text(_TELLS)
    moves: Moves = []

    async with Starter() as starter:
        await _played(file, starter, moves=moves)

    plan = "a b" + "c" * 197
    assert moves[0].replies[0].search_info == {"depth": 3, "plan": plan}


async def test_a_process_is_replaced_three_times_a_match(tmp_path: Path) -> None:
    """Then its answers are missing, and it is said since when; a forced move is its own before."""
    file = tmp_path / "mine.py"
    file.write_text(BAD["exits"][1])
    moves: Moves = []

    async with Starter() as starter:
        record = await _played(file, starter, 20, moves, "connectFour")

    told = [move.replies[0] for move in moves]
    assert record.is_completed
    assert [one.error for one in told[:8]] == ["CE", ""] * 3 + ["CE", "CE"]
    assert told[0].fallback == "its process ended: exit status 0"
    assert told[7].fallback == "its process ended in turn 7"


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

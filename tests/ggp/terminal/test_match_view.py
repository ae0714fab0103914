"""The view of a match that `ggp match` shows."""

from __future__ import annotations

import pytest

from ggp.match.events import Ended, Moved, Reply
from ggp.records.record import MatchRecord
from ggp.rulesheets import find_game
from ggp.seating.contestant import Contestant
from ggp.seating.series import SeriesMatch
from ggp.terminal.match_view import MAX_STATES, MatchView

BOARD = [f"(cell {x} {y} b)" for x in (1, 2, 3) for y in (1, 2, 3)]


def test_of_a_long_match_few_states_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """From the fiftieth turn on every tenth state, and the last one; all moves in any case."""
    num_turns = MAX_STATES + 13
    view = MatchView(find_game("ticTacToe"), [Contestant("a", "a")] * 2, 1, is_quiet=False)
    sitting = SeriesMatch(0, ("xplayer", "oplayer"), (0, 1), ("xplayer", "oplayer"))
    record = MatchRecord(match_id="m", start_time=0, startclock=1, playclock=1)
    record = record.after_start(BOARD, ["", ""], 0)
    replies = (Reply("xplayer", "(mark 1 1)", num_legal=2), Reply("oplayer", "noop"))

    for turn in range(1, num_turns + 1):
        record = record.after_turn(["(mark 1 1)", "noop"], BOARD, ["", ""], 0)
        view.observe(sitting, Moved(turn, replies, record))
    view.observe(sitting, Ended(record))

    shown = capsys.readouterr().out
    assert shown.count("(mark 1 1)") == num_turns
    assert shown.count("3 · · ·") == MAX_STATES + 2
    assert "from here on every 10th state is shown" in shown
    assert f"after {num_turns} turns:\n     3 · · ·" in shown

"""The tables after matches: players can be told apart at any width, and failures are counted."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from ggp.match.events import Ended, Moved, Reply
from ggp.records.record import MatchRecord
from ggp.seating.series import SeriesMatch
from ggp.terminal.result_tables import print_results, short_names

NAMES = ["mcts:iterations=100,c=0.7", "mcts:iterations=200,c=0.7"]
BEGUN = MatchRecord(match_id="m", start_time=0, startclock=1, playclock=1)


def sitting(
    errors: tuple[str, str] = ("", ""), fallback: str = "", index: int = 0, replaced: int = 0
) -> SeriesMatch:
    """A match of one turn that the first player has won."""
    found = SeriesMatch(index, ("white", "black"), (0, 1), ("white", "black"))
    black = Reply("black", "b", errors[1], 1.0, 1, {}, fallback, replaced)
    replies = (Reply("white", "a", errors[0], 1.0), black)
    marks = [reply.mark for reply in replies]
    record = BEGUN.after_start([], ["", ""], 0).after_turn(["a", "b"], [], marks, 1)
    found.note(Moved(1, replies, record))
    found.note(Ended(record.completed([100, 0])))
    return found


def shown(sittings: list[SeriesMatch], width: int, names: list[str] = NAMES) -> str:
    """The text printed on a screen of this width."""
    text = io.StringIO()
    console = Console(file=text, width=width, highlight=False, markup=False)
    print_results(console, names, sittings, len(sittings))
    return text.getvalue()


@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
@pytest.mark.parametrize("num_matches", [1, 3])
def test_players_can_be_told_apart_at_any_width(width: int, num_matches: int) -> None:
    """The whole name in the table, or a short one and a line that explains it; nothing is cut."""
    text = shown([sitting(index=index) for index in range(num_matches)], width)

    assert "…" not in text
    for number, name in enumerate(NAMES, start=1):
        assert name in text
        assert f"#{number} = {name}" in text or "mcts#" not in text
    table = text.split("#1 = ")[0]
    assert all(len(line.rstrip()) <= width for line in table.splitlines())


def test_a_wide_screen_needs_no_legend() -> None:
    """The names stand in the table."""
    assert "#" not in shown([sitting(), sitting(index=1)], 200)


def test_the_narrowest_table_has_a_column_for_each_player() -> None:
    """Matches, wins and so on are its lines."""
    text = shown([sitting(), sitting(index=1)], 60)

    assert ["mcts#1", "mcts#2"] in [line.split() for line in text.splitlines()]
    assert ["wins", "2", "0"] in [line.split() for line in text.splitlines()]


def test_errors_are_counted_by_kind() -> None:
    """Illegal, late, without connection, each player's in a line."""
    text = shown([sitting(("IL ( x )", "TO")), sitting(("IL null", "CE"), index=1)], 200)

    assert f"Errors of {NAMES[0]}: 2 illegal (IL)." in text
    assert f"Errors of {NAMES[1]}: 1 late (TO), 1 no connection (CE)." in text


def test_fallbacks_are_errors() -> None:
    """They count as such, and a line says what they are."""
    text = shown([sitting(fallback="first legal")], 200)

    assert [line.split()[3] for line in text.splitlines()[3:5]] == ["0", "1"]
    assert f"Errors of {NAMES[1]}: 1 fallback (first legal)." in text
    assert "Fallback: a move made instead of one that failed" in text
    assert "allback" not in shown([sitting(("TO", ""))], 200)


def test_who_did_not_play_is_told() -> None:
    """With goals that moves in its place have brought, it looks as if it had."""
    absent = sitting(("TO", ""), fallback="best so far")

    assert f"\n{NAMES[0]} did not play: in a quarter of the turns" in shown([absent], 200)
    several = shown([absent, sitting(index=1), sitting(index=2, fallback="first legal")], 200)
    assert f"\n{NAMES[0]} did not play 1 of 3 matches: in a quarter" in several
    assert f"\n{NAMES[1]} did not play 1 of 3 matches: in a quarter" in several
    assert "did not play" not in shown([sitting()], 200)


def test_replaced_engines_are_counted_where_there_are_any() -> None:
    """In one match and in several."""
    one, three = [sitting(replaced=2)], [sitting(replaced=2, index=index) for index in range(3)]
    tables = [shown(sittings, 200).splitlines() for sittings in (one, three)]

    assert "replaced" not in shown([sitting()], 200)
    assert [table[1].split()[-1] for table in tables] == ["replaced", "replaced"]
    counts = [[line.split()[-1] for line in table[3:5]] for table in tables]
    assert counts == [["0", "2"], ["0", "6"]]
    assert tables[0][-1].startswith("Replaced: processes that died or hung")


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("mcts", "mcts#1"),
        ("mcts:c=0.7", "mcts#1"),
        ("legal#1", "legal#1"),
        ("my.module:Clever:depth=3", "Clever#1"),
        ("http://127.0.0.1:9147", "127.0.0.1#1"),
        ("AVeryLongNameIndeed", "AVeryLongNam#1"),
    ],
)
def test_short_names_keep_what_is_telling(name: str, short: str) -> None:
    """The player's name without options, the class without its module."""
    assert short_names([name]) == [short]

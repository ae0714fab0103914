"""Reports on matches: what positions were worth, which moves are marked, and bad records."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from functools import cache

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.errors import WrongUseError
from ggp.records.record import MatchRecord
from ggp.report.analysis import ReportLimits, report_on
from ggp.report.judging import judge_moves
from ggp.report.match_line import game_of, line_of, settled_text
from ggp.report.match_report import Mark, MatchReport, MoveReport, Worth
from ggp.report.page import EDGE, chart, explanations, made_for_rows, page
from ggp.report.sharing import sharing_in
from ggp.report.solving import solver_of
from ggp.report.worths import Better, SettledPosition
from ggp.term_text import terms_of
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

QUICK = ReportLimits(rounds=300)
# The second move, beside the corner, loses; the rest is forced.
LOST = [
    ["(mark 1 1)", "noop"],
    ["noop", "(mark 1 2)"],
    ["(mark 3 1)", "noop"],
    ["noop", "(mark 2 1)"],
    ["(mark 3 3)", "noop"],
    ["noop", "(mark 3 2)"],
    ["(mark 2 2)", "noop"],
]


@cache
def game(name: str, engine: gdl.Engine = "lanes") -> gdl.Game:
    """A bundled game."""
    return gdl.load(games.text(name), engine)


@cache
def report() -> MatchReport:
    """The report on the match that was lost; it ends when all is solved."""
    loaded = game("ticTacToe")
    return report_on("ticTacToe", loaded, line_of(loaded, LOST))


def test_a_losing_move_is_a_blunder_and_what_was_better_draws() -> None:
    """It is the only one, and all is proven."""
    (blunder,) = report().mistakes

    assert (blunder.turn, blunder.role, blunder.mark) == (2, 1, Mark.BLUNDER)
    assert (blunder.before, blunder.after, blunder.is_proven) == (50, 0, True)
    assert blunder.best == "(mark 2 2)"
    assert blunder.line[0] == "(mark 2 2)"
    assert report().accuracy(0) == 100
    assert (report().accuracy(1) or 0) < 80


def test_worths_are_those_of_perfect_play() -> None:
    """A draw until the blunder, a win after it."""
    goals = [worth.goals for worth in report().worths]

    assert goals == [(50, 50)] * 2 + [(100, 0)] * 6


@pytest.mark.parametrize(
    ("mark", "reason"),
    [
        ("FB first legal", "it chose none: first legal"),
        ("IL null", "its answer was not legal: null"),
        ("TO", "its answer was late"),
        ("CE", "no answer came"),
    ],
)
def test_nobody_is_blamed_for_a_move_made_in_its_place(mark: str, reason: str) -> None:
    """It is neither marked nor counted for the accuracy; the curve falls all the same."""
    loaded = game("ticTacToe")
    errors = [("", ""), ("", ""), ("", mark), *[("", "")] * 5]

    found = report_on("ticTacToe", loaded, line_of(loaded, LOST, errors))

    assert found.mistakes == []
    assert found.worths == report().worths
    assert found.moves[1].lost == report().moves[1].lost
    assert found.accuracy(1) == 100  # of the others
    assert [found.num_made_for(role) for role in (0, 1)] == [0, 1]
    assert made_for_rows(found) == [["2", "oplayer", "(mark 1 2)", "50 → 0 (proven)", reason]]
    text = page(found, {})
    assert "1 of 3 moves of oplayer, where it had a choice, were made for it" in text
    assert "Decided in turn 2: (mark 1 2) was made for oplayer" in text
    assert MatchReport.from_json(found.to_json()) == found


def test_who_chose_no_move_has_no_accuracy() -> None:
    """All of its moves were made for it."""
    loaded = game("ticTacToe")

    found = report_on("ticTacToe", loaded, line_of(loaded, LOST, [("", "TO")] * 8))

    assert found.accuracy(1) is None
    assert found.accuracy(0) == 100


@pytest.mark.parametrize("errors", [[], [("", "")], [()] * 8, [("", "FB best so far")] * 8])
def test_a_move_without_a_mark_is_the_players_own(errors: list[tuple[str, ...]]) -> None:
    """As are all of an old record, and the best that a player had found when its time was over."""
    loaded = game("ticTacToe")

    assert report_on("ticTacToe", loaded, line_of(loaded, LOST, errors)) == report()


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """Threads that take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hasty_threads")
@pytest.mark.parametrize("times", all_but([100], [100, 500]))
def test_a_solver_is_not_disturbed_by_who_asks_the_same_game(times: int) -> None:
    """It works beside a search that goes from position to position."""
    loaded = game("ticTacToe")
    line, is_over = line_of(loaded, LOST), threading.Event()
    solver = solver_of(loaded, sharing_in(loaded))
    assert solver is not None

    def ask() -> None:
        while not is_over.is_set():
            for state in line.states:
                loaded.goal(state, loaded.roles[0])

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        for _ in range(times):
            found = solver.solve(line, Deadline.never())

            assert [found[turn].goals[0] for turn in range(8)] == [50] * 2 + [100] * 6
    finally:
        is_over.set()
        asking.join()


def test_a_game_that_is_not_compiled_is_reported_too() -> None:
    """The interpreter's search finds the blunder as well."""
    loaded = game("ticTacToe", "interpreter")

    found = report_on("ticTacToe", loaded, line_of(loaded, LOST))

    assert 2 in {move.turn for move in found.mistakes}


def test_a_move_that_does_not_fit_is_named_and_what_came_before_is_covered() -> None:
    """With the turn, the move, the role and what is legal."""
    loaded = game("ticTacToe")

    line = line_of(loaded, [*LOST[:2], ["(mark 1 1)", "noop"], *LOST[3:]])

    assert line.num_turns == 2
    assert line.broken.startswith("turn 3: (mark 1 1) is no legal move of xplayer; legal: (mark ")
    found = report_on("ticTacToe", loaded, line, QUICK)
    assert len(found.worths) == 3
    assert "This report covers the 2 turns before it." in page(found, {})


@pytest.mark.parametrize(
    ("moves", "fault"),
    [
        ([["(mark 1 1)"]], "turn 1: expected 2 moves, one for each role, got 1: (mark 1 1)"),
        ([[]], "turn 1: expected 2 moves, one for each role, got none"),
        ([*LOST, ["noop", "noop"]], "turn 8: the game is already over"),
    ],
)
def test_what_is_no_joint_move_ends_the_report(moves: list[list[str]], fault: str) -> None:
    """Too few moves, and moves after the end."""
    assert line_of(game("ticTacToe"), moves).broken.startswith(fault)


def test_moves_at_the_same_time_are_judged_by_what_they_promised() -> None:
    """Both roles of a turn have a report, and the last, forced turn has none."""
    loaded = game("goofspiel")
    state, moves = loaded.initial_state(), []
    while not loaded.is_terminal(state):
        joint = tuple(loaded.legal_moves(state, role)[0] for role in loaded.roles)
        state = loaded.next_state(state, joint)
        moves.append([str(move) for move in joint])

    found = report_on("goofspiel", loaded, line_of(loaded, moves), QUICK)

    assert {move.role for move in found.moves if move.turn == 1} == {0, 1}
    assert not [move for move in found.moves if move.turn == len(moves)]


@pytest.mark.parametrize("name", ["goofspiel", "threePlayerTicTacToe", "lightsOut", "pig"])
def test_only_two_roles_in_turns_that_share_a_sum_are_solved(name: str) -> None:
    """Alpha-beta proves nothing elsewhere."""
    loaded, solved = game(name), game("ticTacToe")

    assert solver_of(loaded, sharing_in(loaded)) is None
    assert solver_of(solved, sharing_in(solved)) is not None


def test_an_estimate_is_marked_only_if_much_is_lost() -> None:
    """What is proven is marked if anything is."""

    def mark(lost: float, *, is_proven: bool) -> Mark | None:
        return MoveReport(1, 0, "a", "b", 60, 60 - lost, is_proven).mark

    assert mark(5, is_proven=False) is None
    assert mark(5, is_proven=True) is Mark.INACCURACY
    assert mark(30, is_proven=False) is Mark.MISTAKE
    assert mark(50, is_proven=False) is Mark.BLUNDER
    assert mark(0, is_proven=True) is None


@pytest.mark.parametrize(("before", "is_marked"), [(38.0, False), (42.0, True)])
def test_an_estimate_is_not_marked_if_its_role_was_behind(before: float, is_marked: bool) -> None:
    """What is lost then may have been lost before."""
    loaded = game("ticTacToe")
    line = line_of(loaded, LOST[:1])
    better = Better(gdl.read_term("(mark 2 2)"), ())
    positions = [
        SettledPosition(Worth((before, 100 - before), is_proven=False), better),
        SettledPosition(Worth((0, 100), is_proven=False)),
    ]

    (move,) = judge_moves(loaded, line, positions)

    assert (move.mark is not None) == is_marked
    assert move.lost == before  # whether it is marked or not


def test_a_record_is_of_the_bundled_game_that_begins_so() -> None:
    """Also with other letters; what begins otherwise is refused."""
    first = [
        str(fact).upper() for fact in game("ticTacToe").facts(game("ticTacToe").initial_state())
    ]
    record = MatchRecord(match_id="m", start_time=0, startclock=1, playclock=1)

    found = game_of(record.after_start(first, ["", ""], 0))

    assert found.name == "ticTacToe"
    with pytest.raises(WrongUseError, match="name the game with --game"):
        game_of(record.after_start(terms_of("(a b)"), ["", ""], 0))
    with pytest.raises(WrongUseError, match="no position"):
        game_of(record)


def test_curves_have_an_edge_that_is_seen_on_light_and_dark_pages() -> None:
    """The curves of white and black would vanish on a page of their colour."""
    channels = [int(EDGE[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (((part + 0.055) / 1.055) ** 2.4 for part in channels)
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue

    assert 1.05 / (light + 0.05) > 3  # as WCAG asks of graphics
    assert (light + 0.05) / 0.056 > 3
    assert chart(report()).count(f'stroke="{EDGE}"') == len(report().roles)


def test_the_page_escapes_names() -> None:
    """What stands in a record may be anything."""
    move = MoveReport(1, 0, "<b>", "<i>", 100, 0, is_proven=True, line=("<i>", "<u>"))
    worths = Worth((100, 0), is_proven=True), Worth((0, 100), is_proven=True)
    made = MatchReport("<game>", ("<one>", "two"), worths, (move,), broken="<turn>")

    text = page(made, {1: "<svg/>"})

    assert not [bad for bad in ("<b>", "<i>", "<u>", "<game>", "<one>", "<turn>") if bad in text]
    assert 'href="#turn-1"' in text
    assert 'id="turn-1"' in text


def test_how_the_match_ended_is_said() -> None:
    """By the rules, by its people, or not at all."""
    loaded = game("ticTacToe")
    by_rules = report_on("ticTacToe", loaded, line_of(loaded, LOST), QUICK)
    timed = line_of(loaded, LOST[:3], settled=settled_text([0, 100], "ann ran out of time"))
    by_people = report_on("ticTacToe", loaded, timed, QUICK)
    by_nobody = report_on("ticTacToe", loaded, line_of(loaded, LOST[:3]), QUICK)

    results = [one.result for one in (by_rules, by_people, by_nobody)]
    assert results == [
        "The result is xplayer 100, oplayer 0.",
        "Its players ended it before the rules did: 0 : 100, as ann ran out of time.",
        "It was not played to its end.",
    ]
    assert [explanations(one)[0] for one in (by_rules, by_people)] == results[:2]

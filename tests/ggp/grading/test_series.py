"""Submissions of all kinds get the verdict that they deserve, and leave nothing behind."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from ggp.grading.grade import Grade, Gradebook, PlayedMatch, Verdict, verdict_on
from ggp.grading.gradebook_files import notes
from ggp.grading.grader import GradingTerms
from ggp.grading.series import Order, grade_all
from ggp.records.record import MatchRecord
from ggp.submission.confinement import Limits, is_possible, landlock_version
from ggp.submission.process import Submission
from ggp.submission.seat import Incident, Mistake, SeatNotes
from ggp.tournament.standings import Score
from tests.fakes.modules import Source
from tests.fakes.submissions import BAD, GOOD, TRACE
from tests.thorough import all_but
from tests.waiting import wait_for_end, wait_until

pytestmark = pytest.mark.skipif(
    not is_possible() or not landlock_version(), reason="the kernel cannot confine a process"
)

MEBIBYTE = 1 << 20
HANGING = ("loops_in_choose", "loops_at_import")
SLOW = ("loops_in_c", "loops_in_init", "eats_memory_slowly")
A_FAULT_EACH = (
    *("loops_in_choose", "no_python", "raises_when_made", "returns_none"),
    *("prints_much", "opens_a_socket", "exits", "forges"),
)
TERMS = GradingTerms(("random",), matches=2, seed=3, startclock=30, playclock=30)


def _order(terms: GradingTerms = TERMS) -> Order:
    return Order(("ticTacToe",), "interpreter", terms)


def _handed_in(folder: Path, *names: str) -> list[tuple[str, Submission]]:
    sources = GOOD | {name: source for name, (_, source) in BAD.items()}
    found = []
    for name in names or sources:
        file = folder / f"{name}.py"
        file.write_text(sources[name])
        limits = Limits(memory_bytes=256 * MEBIBYTE)
        found.append((name, Submission(file, limits=limits)))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where submissions lie."""
    return tmp_path_factory.mktemp("submissions")


@pytest.fixture(scope="module")
def grade_of(folder: Path) -> Callable[[str], Grade]:
    """The grade of a submission by its name, made when it is first asked for."""

    @cache
    def made(name: str) -> Grade:
        clock = 1 if name in HANGING else 30
        return _grades(folder, [name], clock, matches=2 if name in GOOD else 1)[name]

    return made


def _grades(folder: Path, names: Iterable[str], clock: int, matches: int = 1) -> dict[str, Grade]:
    terms = replace(TERMS, startclock=clock, playclock=clock, matches=matches)
    found, gaps = grade_all(_handed_in(folder, *names), _order(terms), 1, lambda _: None)
    assert gaps == ()
    return {grade.file: grade for grade in found}


@pytest.mark.parametrize("name", all_but(["threaded"], GOOD))
def test_a_good_player_passes(name: str, grade_of: Callable[[str], Grade]) -> None:
    """All that a student may do is found sound."""
    grade = grade_of(name)

    assert (grade.verdict, grade.reason) == (Verdict.PASSED, "")
    assert [len(cell.scores) for cell in grade.cells] == [2]
    assert grade.unrepeatable == ""


@pytest.mark.parametrize(
    "name", all_but(A_FAULT_EACH, [name for name in BAD if name not in SLOW], is_whole=True)
)
def test_a_bad_player_gets_its_verdict(name: str, grade_of: Callable[[str], Grade]) -> None:
    """Each fault is called by its name."""
    grade = grade_of(name)

    assert grade.verdict is BAD[name][0], grade.reason


@pytest.mark.thorough
def test_a_slow_bad_player_gets_its_verdict(folder: Path) -> None:
    """Likewise where that takes long: in C, when it is made, and bit by bit."""
    found = _grades(folder, SLOW, 2)

    assert {name: found[name].verdict for name in SLOW} == {name: BAD[name][0] for name in SLOW}


@pytest.mark.parametrize("name", ["returns_none", "raises_when_made"])
def test_who_never_moved_has_no_points(name: str, grade_of: Callable[[str], Grade]) -> None:
    """Whatever the random moves came to that were made in its place."""
    [cell] = grade_of(name).cells

    assert (cell.scores, cell.absent) == ((Score(0, (100,)),), 1)


def test_who_never_moved_has_no_points_where_many_take_turns(tmp_path: Path) -> None:
    """Each of six has a choice in a sixth of the turns."""
    names = [f"p{number}" for number in range(6)]
    turns = itertools.pairwise(names)
    (tmp_path / "six.kif").write_text(
        "".join(f"(role {name}) (goal {name} 100) " for name in names)
        + "".join(f"(<= (next (turn {two})) (true (turn {one}))) " for one, two in turns)
        + "(init (turn p0)) (<= (next over) (true (turn p5))) (<= terminal (true over)) "
        "(<= (legal ?p a) (true (turn ?p))) (<= (legal ?p b) (true (turn ?p))) "
        "(<= (legal ?p noop) (role ?p) (not (true (turn ?p))))"
    )
    order = Order((str(tmp_path / "six.kif"),), "interpreter", replace(TERMS, matches=1))

    found, _ = grade_all(_handed_in(tmp_path, "raises", "legal"), order, 1, lambda _: None)

    assert [grade.cells[0].absent for grade in found] == [1, 0]
    assert [grade.cells[0].scores[0].goal for grade in found] == [0, 100]


def test_a_mistake_in_few_turns_leaves_the_points(folder: Path) -> None:
    """One, in a match of five turns or more: it is counted, and the match is not lost by it."""
    first = "        return self.legal_moves(state)[0]"
    once = "        if len(self.legal_moves(state)) > 7: raise ValueError('once')\n"
    (folder / "once.py").write_text(GOOD["legal"].replace(first, once + first))
    handed_in = [("once", Submission(folder / "once.py"))]

    [grade], _ = grade_all(handed_in, _order(), 1, lambda _: None)

    [cell] = grade.cells
    assert (grade.verdict, grade.counts["errors"], cell.absent) == (Verdict.ERRORS, 2, 0)
    assert any(score.goal for score in cell.scores)


def test_a_late_move_in_few_turns_fails_nobody(folder: Path) -> None:
    """The machine may have been busy; it is counted, and the move is lost."""
    first = "        return self.legal_moves(state)[0]"
    late = "        import time\n        if len(self.legal_moves(state)) == 9: time.sleep(2.2)\n"
    (folder / "late.py").write_text(GOOD["legal"].replace(first, late + first))
    handed_in = [("late", Submission(folder / "late.py"))]
    order = _order(replace(TERMS, playclock=2))

    [grade], _ = grade_all(handed_in, order, 1, lambda _: None)

    [note] = [
        one for one in notes(Gradebook({"playclock": 2}, (), [grade]), grade) if "late" in one
    ]
    assert (grade.verdict, grade.reason) == (Verdict.PASSED, "")
    assert grade.counts["late moves"] >= 1
    assert re.match(r"\d of \d+ moves late, by \d+\.\d+ s at most; a busy machine", note)


@pytest.mark.parametrize(
    ("turn", "is_absent", "matches", "verdict"),
    [
        (3, False, 8, Verdict.PASSED),
        (3, True, 8, Verdict.LATE),
        (0, False, 8, Verdict.PASSED),
        (0, False, 4, Verdict.LATE),
    ],
)
def test_who_is_late_often_has_failed(
    turn: int, is_absent: bool, matches: int, verdict: Verdict
) -> None:
    """In a match that was lost by it, or before a quarter of the matches."""
    record = MatchRecord(match_id="m", start_time=0, startclock=1, playclock=1)
    late = SeatNotes([Incident(Mistake.LATE, turn, "answered after 1.20 s")])
    score = Score(50, (50,))
    played = [
        PlayedMatch("g", "random", n, "white", record, noted, None, "", is_absent, score)
        for n, noted in enumerate([late] + [SeatNotes()] * (matches - 1))
    ]

    assert verdict_on(played, ())[0] is verdict


def test_nothing_is_left_behind(
    grade_of: Callable[[str], Grade], folder: Path, module_sources: dict[str, Source]
) -> None:
    """No process and no file."""
    for name in ("writes", "threaded"):
        grade_of(name)
    home = Path("~/left-by-a-submission").expanduser()
    left = [one for one in (Path(TRACE), home, folder / "left") if one.exists()]

    assert left == []
    assert {one.suffix for one in folder.iterdir()} == {".py"}
    running = {pid for pid, parent in _processes().items() if parent in {1, os.getpid()}}
    assert running <= {source.pid for source in module_sources.values()}


@pytest.mark.parametrize("jobs", all_but([1], [1, 2]))
def test_the_same_seed_gives_the_same_table(folder: Path, jobs: int) -> None:
    """All but what was measured, also where two gradings run side by side."""
    names = ("random",) if jobs == 1 else ("random", "raises")
    terms = replace(TERMS, against=("random", "mcts:iterations=2"), matches=1, seed=7)
    tables = []
    for number in (1, jobs):
        found, _ = grade_all(_handed_in(folder, *names), _order(terms), number, lambda _: None)
        tables.append(json.dumps([grade.to_json() for grade in found]))

    assert tables[0] == tables[1]


def test_the_first_mistake_is_told_with_its_state(grade_of: Callable[[str], Grade]) -> None:
    """What a student needs to find it: game, role, turn, state, and the line or the move."""
    example = grade_of("raises").example
    assert example is not None

    assert (example.game, example.turn, example.text) == (
        "ticTacToe",
        1,
        "raises.py:6: IndexError: tuple index out of range",
    )
    assert "(control xplayer)" in example.state


@pytest.mark.thorough
def test_processes_end_with_a_grader_that_is_killed(folder: Path) -> None:
    """However it ends: nobody is there then to kill what hangs."""
    handed_in = _handed_in(folder, "loops_in_choose")
    asked = ("grade", str(handed_in[0][1].file), "--games", "ticTacToe", "--playclock", "300")
    command = [sys.executable, "-m", "ggp", *asked, "--engine", "interpreter", "--jobs", "1"]
    with subprocess.Popen(command, start_new_session=True) as grader:
        wait_until(lambda: len(_below(grader.pid)) > 1)
        started = _below(grader.pid)
        grader.kill()

    for pid in started:
        wait_for_end(pid)


def _below(pid: int) -> list[int]:
    """Processes of submissions that descend from this one."""
    children = [child for child, parent in _processes().items() if parent == pid]
    return children + [one for child in children for one in _below(child)]


def _processes() -> dict[int, int]:
    """The processes of submissions, and by whom they were started."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
                parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            except OSError:
                continue
            if b"ggp.submission" in words:
                found[int(folder.name)] = int(parent)
    return found

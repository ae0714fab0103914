"""Submissions that ask for the compiled game."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp.grading.grade import Grade, Verdict
from ggp.grading.grader import GradingTerms
from ggp.grading.series import GradingOrder, grade_all
from ggp.submission.confinement import is_possible, landlock_version
from ggp.submission.process import Submission
from ggp.submission.starter import Starter

pytestmark = pytest.mark.skipif(
    not is_possible() or not landlock_version(), reason="the kernel cannot confine a process"
)

_WANTS_IT_COMPILED = """
from ggp.players import Player


class Mine(Player):
    ENGINE = "scalar"

    def choose(self, state, deadline):
        print(self.game.engine, self.belief and self.belief.is_complete)
        return self.legal_moves(state)[0]
"""
_UNGROUNDED = """
(role me) (role you) (init (n 0)) (same ?x ?x) (legal me go) (legal me stay) (legal you go)
(<= (next (n 1)) (true (n ?x)) (same ?x 0)) (<= terminal (true (n 1))) (goal me 50) (goal you 50)
"""


def test_a_submission_is_told_why_a_game_is_not_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It plays by the interpreter, so that its process can do without kernels here."""
    monkeypatch.setattr(Starter, "compiled", property(lambda starter: starter))
    grade = _graded(tmp_path, str(tmp_path / "odd.kif"))

    assert grade.verdict is Verdict.PASSED
    assert grade.measured.output == "interpreter None\n"
    [why] = grade.interpreted
    assert why.startswith("odd: ")
    assert "no positive condition gives a value to variable ?x" in why


@pytest.mark.thorough
@pytest.mark.usefixtures("kernels")
def test_a_submission_may_ask_for_the_compiled_game(tmp_path: Path) -> None:
    """It gets it behind its walls, with the belief where something is hidden."""
    grade = _graded(tmp_path, "kuhnPoker", str(tmp_path / "odd.kif"))

    assert (grade.verdict, grade.attempts, grade.unrepeatable) == (Verdict.PASSED, (), "")
    assert grade.measured.output == "scalar True\n"
    assert len(grade.interpreted) == 1


def _graded(folder: Path, *games: str) -> Grade:
    """The grade of a submission that asks for the compiled game."""
    (folder / "mine.py").write_text(_WANTS_IT_COMPILED)
    (folder / "odd.kif").write_text(_UNGROUNDED)
    terms = GradingTerms(("random",), matches=1, seed=3, startclock=60, playclock=60)
    order = GradingOrder(games, "interpreter", terms)
    handed_in = [("mine", Submission(folder / "mine.py"))]
    [grade], _ = grade_all(handed_in, order, 1, lambda _: None)
    return grade

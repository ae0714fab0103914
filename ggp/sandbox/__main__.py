"""The process of a sandbox. It reads questions and writes answers, one line of JSON each."""

from __future__ import annotations

from typing import Final

from ggp.sandbox import match_questions, position_questions, questions, tree_questions
from ggp.sandbox.answering import Functions, answer_questions

QUESTIONS: Final[Functions] = (
    questions.check,
    questions.check_play,
    questions.format_rules,
    questions.scramble,
    questions.epilog,
    questions.values,
    questions.symbol,
    questions.completions,
    questions.explanation,
    questions.statistics,
    position_questions.position,
    position_questions.why,
    position_questions.why_told,
    position_questions.why_text,
    match_questions.open_match,
    match_questions.first,
    match_questions.at,
    match_questions.after,
    match_questions.believe,
    tree_questions.perft,
    tree_questions.compare_rules,
    tree_questions.compare_trace,
)
"""The functions that a sandbox may be asked to call. `Sandbox.ask` sends their names."""

if __name__ == "__main__":
    answer_questions(QUESTIONS)

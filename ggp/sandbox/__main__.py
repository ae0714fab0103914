"""The process of a sandbox. It reads questions and writes answers, one line of JSON each."""

from __future__ import annotations

from ggp.sandbox import match_questions, position_questions, questions, tree_questions
from ggp.sandbox.answering import answer_questions


def main() -> None:
    """Answer questions about rules and matches until the input ends."""
    rooms = (questions, position_questions, match_questions, tree_questions)
    answer_questions({name: found for room in rooms for name, found in vars(room).items()})


if __name__ == "__main__":
    main()

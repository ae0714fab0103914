"""The process of a sandbox: a line of JSON in, a line of JSON out."""

from __future__ import annotations

from ggp.sandbox import match_questions, questions, tree_questions
from ggp.sandbox.answering import answer_questions


def main() -> None:
    """Answer questions about rules and matches until the input ends."""
    answer_questions({**vars(questions), **vars(match_questions), **vars(tree_questions)})


if __name__ == "__main__":
    main()

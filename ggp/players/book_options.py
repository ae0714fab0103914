"""The option of players that look into a book first: `book`, declared once for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import gdl
from ggp.players.options import Option, PlayerSpecError, file_name
from ggp.search.evaluation import Evaluation
from ggp.search.evaluation.book.book import Book, BookError, BookEvaluation
from ggp.search.evaluation.book.file import read_book

BOOK = Option(
    "book",
    file_name("a file that `ggp book build` wrote"),
    "",
    "a file that `ggp book build` wrote: its moves are made at once; none: search every move",
)


def book_from(options: Mapping[str, str], game: gdl.Game) -> Book | None:
    """The book that the option `book` names; None without one.

    Raises:
        PlayerSpecError: It cannot be read, or is that of another game.
    """
    name = BOOK.read(options)
    if not name:
        return None
    file = Path(name).expanduser()
    try:
        book = _read_once(file, file.stat().st_mtime_ns if file.is_file() else 0)
        book.check(game, name)
    except BookError as error:
        raise PlayerSpecError(f"option book: {error}") from error
    return book


def evaluation_with_book(
    options: Mapping[str, str], game: gdl.Game, evaluate: Evaluation
) -> Evaluation:
    """The evaluation, but exact in states that the book has solved; itself without a book.

    Raises:
        PlayerSpecError: The book cannot be read, or is that of another game.
    """
    book = book_from(options, game)
    return evaluate if book is None else BookEvaluation(game, book, evaluate)


# A player and its evaluation read the same file.
@lru_cache(maxsize=2)
def _read_once(file: Path, modified: int) -> Book:
    return read_book(file)

"""A book survives its file; what is no book, or another game's, is refused."""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from pathlib import Path

import pytest

from ggp.search.evaluation.book.book import BookError
from ggp.search.evaluation.book.file import MAGIC, read_book, write_book
from tests.ggp.training.books.shelf import machine_of, opened, solved

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The book of nim."""
    path = tmp_path / "nim.book"
    write_book(solved("nim"), path)
    return path


@pytest.mark.parametrize("name", ["eightPuzzle", "nim", "ticTacToe"])
def test_book_is_read_as_it_was_written(tmp_path: Path, name: str) -> None:
    """Every state, and all that is told of the book."""
    book = solved(name)

    write_book(book, tmp_path / "book")
    found = read_book(tmp_path / "book")

    table, other = book.endgame, found.endgame
    assert other.keys.tolist() == table.keys.tolist()
    assert other.values.tolist() == table.values.tolist()
    assert other.lengths.tolist() == table.lengths.tolist()
    assert (found.game, found.rules, found.roles) == (book.game, book.rules, book.roles)
    assert (found.is_complete, found.figures) == (True, book.figures)


def test_openings_are_read_as_they_were_written(tmp_path: Path) -> None:
    """Moves, values and visits."""
    book = opened("connectFour")

    write_book(book, tmp_path / "book")

    assert read_book(tmp_path / "book").opening.entries == book.opening.entries


def test_book_is_small(file: Path) -> None:
    """Far less than its 750 states take in memory."""
    assert file.stat().st_size < 750 * 11 / 4


@pytest.mark.parametrize("place", [12, 40, 200, 900, -1])
def test_damage_is_noticed(file: Path, place: int) -> None:
    """One bit that is not as it was, wherever it stands."""
    data = bytearray(file.read_bytes())
    data[place] ^= 4
    file.write_bytes(data)

    with pytest.raises(BookError, match=r"nim\.book: (the file is damaged|expected a book)"):
        read_book(file)


def test_part_of_a_book_is_refused(file: Path) -> None:
    """A copy that broke off."""
    file.write_bytes(file.read_bytes()[:-100])

    with pytest.raises(BookError, match="the file is damaged"):
        read_book(file)


def test_other_files_are_refused(tmp_path: Path) -> None:
    """Whatever they are."""
    (tmp_path / "rules.kif").write_text("(role me)")

    with pytest.raises(BookError, match="expected a file that `ggp book build` wrote"):
        read_book(tmp_path / "rules.kif")
    with pytest.raises(BookError, match="cannot be read"):
        read_book(tmp_path / "nothing")


def test_later_versions_are_refused(file: Path) -> None:
    """With both numbers."""
    data = bytearray(file.read_bytes())
    data[len(MAGIC)] = 9
    file.write_bytes(data)

    with pytest.raises(BookError, match="expected a book of version 1, got version 9"):
        read_book(file)


def forged(path: Path, head: dict[str, object], body: bytes) -> Path:
    """A file with a valid digest, whatever is in it."""
    text, packed = json.dumps(head).encode(), zlib.compress(body)
    data = MAGIC + struct.pack("<IQQ", 1, len(text), len(packed)) + text + packed
    path.write_bytes(data + hashlib.sha256(data).digest())
    return path


HEAD = {
    "game": "g",
    "rules": "",
    "roles": ["me"],
    "facts": ["(a)"],
    "ignores others": True,
    "states": 0,
    "values": "|u1",
    "is complete": False,
    "figures": {},
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"roles": []}, "roles: expected 1 to"),
        ({"roles": "me"}, "roles: expected"),
        ({"states": -1}, "states: expected a whole number"),
        ({"states": 1 << 60}, "states: expected at most"),
        ({"states": 5}, "expected 5 states"),
        ({"values": "O"}, "values: expected"),
        ({"is complete": 1}, "is complete: expected true or false"),
        ({"figures": 3}, "figures: expected an object"),
    ],
)
def test_head_that_makes_no_sense_is_refused(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    """Also where the digest fits: the field is named."""
    path = forged(tmp_path / "book", {**HEAD, **change}, b"{}")

    with pytest.raises(BookError, match=message):
        read_book(path)


NONSENSE = [
    *(b"", b"[]", b"5", b'{"zz": {}}', b'{"00": {"0": [[1]]}}', b'{"00": {"0": [["m", "5", 1]]}}'),
    *(b'{"00": {"0": [["m", 101, 1]]}}', b'{"00": {"0": [["m", NaN, 1]]}}'),
]


@pytest.mark.parametrize("openings", NONSENSE)
def test_openings_that_make_no_sense_are_refused(tmp_path: Path, openings: bytes) -> None:
    """No stack trace comes of them."""
    path = forged(tmp_path / "book", HEAD, openings)

    with pytest.raises(BookError, match="openings: expected moves by state"):
        read_book(path)


def test_book_of_another_game_is_refused() -> None:
    """By its roles, or by its rules if these are the same."""
    book = solved("nim")

    with pytest.raises(BookError, match="expected a book for the roles xplayer oplayer"):
        book.check(machine_of("ticTacToe"))
    with pytest.raises(BookError, match="expected a book for these rules"):
        book.check(machine_of("chomp"))

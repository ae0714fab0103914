"""The one player class of a file is found, or it is said what is in its way."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp.players.files import LoadingError, load_class
from ggp.submission.inside import MODULE

TWO = """
from ggp.players import Player
from ggp.players.textbook import RandomPlayer

class First(Player):
    def choose(self, state, deadline):
        return None

class Second(First):
    pass
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file to be written."""
    return tmp_path / "mine.py"


def test_what_is_imported_and_what_cannot_play_is_no_choice(file: Path) -> None:
    """The class that is left is meant."""
    file.write_text(
        TWO.replace(
            "class First(Player):", "class Base(Player):\n    pass\n\nclass First(Base):"
        ).replace("class Second(First):\n    pass", "")
    )

    assert load_class(file, "", MODULE).__name__ == "First"


def test_a_class_can_be_named(file: Path) -> None:
    """Where there are several."""
    file.write_text(TWO)

    assert load_class(file, "Second", MODULE).__name__ == "Second"


@pytest.mark.parametrize(
    ("source", "name", "said"),
    [
        (TWO, "", "there are First, Second: name one as mine.py:First"),
        (TWO, "Third", "there is no player class Third; it has First, Second"),
        ("", "", "there is none"),
        ("from ggp.players import Player\nclass A(Player): pass", "", "A has no method choose"),
        ("import nowhere", "", "mine.py:1: ModuleNotFoundError: No module named 'nowhere'"),
        ("x = (", "", "mine.py:1: SyntaxError"),
        ("raise SystemExit(3)", "", "mine.py:1: SystemExit: 3"),
    ],
)
def test_it_is_said_what_is_wrong(
    file: Path, monkeypatch: pytest.MonkeyPatch, source: str, name: str, said: str
) -> None:
    """With the line, where there is one."""
    monkeypatch.chdir(file.parent)
    file.write_text(source)

    with pytest.raises(LoadingError) as caught:
        load_class(file, name, MODULE)

    assert said in str(caught.value)

"""Players that were uploaded: Python files that nobody vouches for, each by what is in it."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import Final

from ggp.manager.config import FileRefusedError
from ggp.manager.errors import WrongRequestError
from ggp.submission.confinement import is_possible
from ggp.submission.process import Submission

MAX_BYTES: Final = 256 << 10
MAX_FILES: Final = 1000
"""Of all people together."""
_SOURCE: Final = re.compile(r"submission-(?P<name>[0-9a-f]{64})(:(?P<class>[A-Za-z_]\w*))?")


class Uploads:
    """The folder in which they are kept; without one nobody uploads anything."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def keep(self, text: str) -> str:
        """Keep a file.

        Returns:
            A source, by which it can be registered and seated.

        Raises:
            FileRefusedError: None are kept, or no more.
            WrongRequestError: It is too long, or no text.
        """
        folder = self._allowed("text")
        try:
            data = text.encode()
        except UnicodeEncodeError:
            raise WrongRequestError("text: expected text, got half of a character") from None
        if len(data) > MAX_BYTES:
            raise WrongRequestError(
                f"text: expected at most {MAX_BYTES:,} bytes, got {len(data):,}"
            )
        name = sha256(data).hexdigest()
        file = folder / f"{name}.py"
        if not file.exists():
            if sum(1 for _ in folder.glob("*.py")) >= MAX_FILES:
                raise FileRefusedError(f"text: expected at most {MAX_FILES:,} files of players")
            new = file.with_suffix(".new")
            new.write_bytes(data)
            new.rename(file)
        return f"submission-{name}"

    def submission(self, source: str, where: str) -> Submission:
        """The file of a source.

        Raises:
            FileRefusedError: None are played here.
            WrongRequestError: There is no such file.
        """
        folder = self._allowed(where)
        found = _SOURCE.fullmatch(source)
        file = folder / f"{found['name']}.py" if found else None
        if found is None or file is None or not file.is_file():
            raise WrongRequestError(
                f"{where}: expected a source that POST /submissions has answered, or that and "
                f":CLASS, got {source!r:.100}"
            )
        return Submission(file.resolve(), found["class"] or "")

    def _allowed(self, where: str) -> Path:
        if self._folder is None:
            raise FileRefusedError(
                f"{where}: this manager plays no files; start it with --submissions FOLDER"
            )
        if not is_possible():
            raise FileRefusedError(f"{where}: this manager's machine cannot confine a player")
        return self._folder


def is_upload(source: str) -> bool:
    """Whether a source means a player that was uploaded."""
    return source.startswith("submission-")

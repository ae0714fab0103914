"""The head of a network file: what it says in JSON, read without the numbers."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

import gdl
from ggp.errors import GgpError

FORMAT = "ggp network"
VERSION = 2
HEAD = "head"
MOST_BYTES = 16 << 20
MOST_HEAD_BYTES = 4 << 20


class NetworkError(GgpError):
    """A value network cannot be used: the message says which, where and why."""


def read_head(file: Path) -> dict[str, Any]:
    """The head of a file.

    Raises:
        NetworkError: It cannot be read, is damaged, or is no network of this version.
    """
    try:
        with zipfile.ZipFile(file) as packed:
            entry = packed.getinfo(f"{HEAD}.npy")
            if entry.file_size > MOST_HEAD_BYTES:
                raise ValueError(f"a head of more than {MOST_HEAD_BYTES >> 20} MB")
            data = packed.read(entry)
        head = json.loads(np.load(io.BytesIO(data), allow_pickle=False).tobytes())
        check_head(head, str(file))
    except OSError as error:
        raise NetworkError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise NetworkError(f"{file}: expected a network file: {error}") from error
    assert isinstance(head, dict)
    return head


def check_head(head: Any, where: str) -> None:
    """Refuse the head of another format or version.

    Raises:
        NetworkError: It is of another one.
        KeyError: It is no head at all; so is TypeError.
    """
    if head["format"] != FORMAT or head["version"] != VERSION:
        raise NetworkError(
            f"{where}: expected a network of version {VERSION}, got {head['format']!r} of version "
            f"{head['version']!r}"
        )


def form_of(head: Any) -> gdl.CanonicalForm | None:
    """The canonical form of the rules that a head names; None if it names none.

    Raises:
        KeyError: It is no head; so is TypeError.
    """
    form = head["form"]
    if form is None:
        return None
    return gdl.CanonicalForm(
        str(form["digest"]), str(form["shape"]), tuple(map(str, form["symbols"]))
    )


def is_used(head: Any) -> bool:
    """Whether players use the network.

    Raises:
        ValueError: It is no truth value; KeyError or TypeError: this is no head.
    """
    if head["is used"] not in (True, False):
        raise ValueError("is used: expected a truth value")
    return bool(head["is used"])

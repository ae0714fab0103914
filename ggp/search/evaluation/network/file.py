"""The network file, and how to find the network of a game.

The file is a zip of numpy arrays. One of them, the head, contains JSON.

Networks are in two folders: the user's own folder, and `games/networks`, which comes with the
games. The network of a game is found by the canonical form of its rules, so the names in the rules
do not matter. Each process reads the heads of all files once. It computes the canonical form of a
game only if the shape of the rules matches a file, and reads a file only if the form matches.

Environment: GGP_NETWORKS names the user's folder. By default it is `networks` in the user's data
folder of the operating system.
"""

from __future__ import annotations

import io
import json
import logging
import os
import zipfile
from collections.abc import Iterator
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import platformdirs
from numpy.typing import NDArray

import gdl
from ggp import games
from ggp.atomic_file import replace_file
from ggp.search.evaluation.network.network import (
    NetworkError,
    ValueNetwork,
    layers_for,
    no_pairs,
)

FORMAT = "ggp network"
VERSION = 2
HEAD = "head"
MAX_BYTES = 16 << 20
MAX_HEAD_BYTES = 4 << 20


def read_head(file: Path) -> dict[str, Any]:
    """Read the head of a file.

    Raises:
        NetworkError: The file cannot be read, is damaged, or is not a network of this version.
    """
    try:
        with zipfile.ZipFile(file) as packed:
            entry = packed.getinfo(f"{HEAD}.npy")
            if entry.file_size > MAX_HEAD_BYTES:
                raise ValueError(f"its head has more than {MAX_HEAD_BYTES >> 20} MB")
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
    """Check the format and the version of a head.

    Raises:
        NetworkError: The format or the version is wrong.
        KeyError, TypeError: `head` is not an object with these two fields.
    """
    if head["format"] != FORMAT or head["version"] != VERSION:
        raise NetworkError(
            f"{where}: expected a network of version {VERSION}, got {head['format']!r} of version "
            f"{head['version']!r}"
        )


def form_of(head: Any) -> gdl.CanonicalForm | None:
    """Return the canonical form of the rules in a head; None if the head has none.

    Raises:
        KeyError, TypeError: `head` is not an object with a field `form`, or the form is damaged.
    """
    form = head["form"]
    if form is None:
        return None
    return gdl.CanonicalForm(
        str(form["digest"]), str(form["shape"]), tuple(map(str, form["symbols"]))
    )


def is_used(head: Any) -> bool:
    """Return whether the head says that players use the network.

    Raises:
        ValueError: The field `is used` is not a boolean.
        KeyError, TypeError: `head` is not an object with such a field.
    """
    if head["is used"] not in (True, False):
        raise ValueError("is used: expected true or false")
    return bool(head["is used"])


MAX_UNITS = 1024
NUMBERS = ("rows", "start", "output", "bias")


def write_network(network: ValueNetwork, file: Path) -> int:
    """Write a network and return the size of the file in bytes.

    Raises:
        NetworkError: The file cannot be written.
    """
    data = network_bytes(network)
    try:
        replace_file(file, data)
    except OSError as error:
        raise NetworkError(f"{file}: cannot be written: {error.strerror}") from error
    return len(data)


def network_bytes(network: ValueNetwork) -> bytes:
    """Return the content of a network file."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "game": network.game,
        "rules": network.rules,
        "roles": list(network.roles),
        "facts": list(network.facts),
        "is shared": network.is_shared,
        "form": network.form and asdict(network.form),
        "is used": network.is_used,
        "share": network.share,
        "figures": dict(network.figures),
    }
    data = io.BytesIO()
    # Half precision keeps the files small, and changes values by less than a tenth of a point.
    np.savez_compressed(
        data,
        allow_pickle=False,
        head=np.frombuffer(json.dumps(head, ensure_ascii=False).encode(), np.uint8),
        reference=network.reference,
        pairs=network.pairs.astype(np.int32),
        **{name: getattr(network, name).astype(np.float16) for name in NUMBERS},
    )
    return data.getvalue()


def read_network(file: Path) -> ValueNetwork:
    """Read a network.

    Raises:
        NetworkError: The file cannot be read, is damaged, or is not a network of this version.
    """
    try:
        if file.stat().st_size > MAX_BYTES:
            raise NetworkError(f"{file}: expected a network of at most {MAX_BYTES >> 20} MB")
        data = file.read_bytes()
    except OSError as error:
        raise NetworkError(f"{file}: cannot be read: {error.strerror}") from error
    return network_of(data, str(file))


def network_of(data: bytes, where: str) -> ValueNetwork:
    """Parse the content of a network file. `where` is the name of the file, for messages.

    Raises:
        NetworkError: The content is damaged, or is not a network of this version.
    """
    try:
        arrays = _arrays(data)
        head = json.loads(arrays[HEAD].tobytes())
        return _network(head, arrays, where)
    except (ValueError, KeyError, TypeError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise NetworkError(f"{where}: expected a network file: {error}") from error


def _arrays(data: bytes) -> dict[str, NDArray[Any]]:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        if sum(entry.file_size for entry in packed.infolist()) > MAX_BYTES:
            raise ValueError(f"it has more than {MAX_BYTES >> 20} MB when it is unpacked")
    with np.load(io.BytesIO(data), allow_pickle=False) as opened:
        arrays = {name: opened[name] for name in (HEAD, "reference", *NUMBERS)}
        return {"pairs": opened["pairs"] if "pairs" in opened else no_pairs(), **arrays}


def _network(head: Any, arrays: dict[str, NDArray[Any]], where: str) -> ValueNetwork:
    check_head(head, where)
    roles, facts = tuple(map(str, head["roles"])), tuple(map(str, head["facts"]))
    numbers = {name: np.ascontiguousarray(arrays[name], np.float32) for name in NUMBERS}
    num_units, num_phases = len(numbers["start"]), len(numbers["bias"])
    pairs = _pairs(arrays["pairs"], len(facts))
    shapes = {
        "rows": (len(facts) + len(pairs), num_units),
        "start": (num_units,),
        "output": (num_phases, len(roles), num_units),
        "bias": (num_phases, len(roles)),
    }
    for name, shape in shapes.items():
        if numbers[name].shape != shape:
            got = numbers[name].shape
            raise ValueError(f"{name}: expected an array of shape {shape}, got {got}")
        if not np.isfinite(numbers[name]).all():
            raise ValueError(f"{name}: expected finite numbers")
    reference = arrays["reference"]
    if reference.dtype != np.bool_ or reference.shape != (len(facts),):
        raise ValueError(
            f"reference: expected {len(facts)} truth values, got {reference.dtype} of shape "
            f"{reference.shape}"
        )
    if not 1 <= num_units <= MAX_UNITS or num_units & (num_units - 1):
        raise ValueError(
            f"start: expected a number of units that is a power of two from 1 to {MAX_UNITS}, "
            f"got {num_units}"
        )
    return ValueNetwork(
        game=str(head["game"]),
        rules=str(head["rules"]),
        roles=roles,
        facts=facts,
        reference=reference,
        pairs=pairs,
        is_shared=_is_shared(head, len(roles)),
        form=form_of(head),
        is_used=is_used(head),
        share=_share(head),
        figures=dict(head["figures"]),
        **numbers,
    )


def _pairs(pairs: NDArray[Any], num_facts: int) -> NDArray[np.int64]:
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind != "i":
        raise ValueError(
            f"pairs: expected an array of whole numbers with two columns, got {pairs.dtype} "
            f"of shape {pairs.shape}"
        )
    if len(pairs) and not 0 <= pairs.min() <= pairs.max() < num_facts:
        raise ValueError(
            f"pairs: expected places of facts, from 0 to {num_facts - 1}, got {pairs.min()} "
            f"to {pairs.max()}"
        )
    if (np.diff(pairs[:, 0]) < 0).any():
        raise ValueError("pairs: expected pairs in ascending order of their first place")
    return pairs.astype(np.int64)


def _is_shared(head: Any, num_roles: int) -> bool:
    if head["is shared"] not in ([True, False] if num_roles == 2 else [False]):
        raise ValueError("is shared: expected true or false, and true only if there are two roles")
    return bool(head["is shared"])


def _share(head: Any) -> float:
    share = float(head["share"])
    if not 0 < share <= 1:
        raise ValueError(f"share: expected a number above 0 and at most 1, got {share:g}")
    return share


SUFFIX = ".network"

_log = logging.getLogger(__name__)


class Found(NamedTuple):
    """A network that was found for a game and uses the names of that game."""

    network: ValueNetwork
    file: Path


class _Entry(NamedTuple):
    file: Path
    form: gdl.CanonicalForm


def folders() -> tuple[Path, ...]:
    """Return the folders in which to look for networks, the user's own first."""
    named = os.environ.get("GGP_NETWORKS")
    own = (
        Path(named)
        if named
        else platformdirs.user_data_path("ggp-agent", appauthor=False) / "networks"
    )
    return own, games.folder() / "networks"


def find_network(game: gdl.Game) -> Found | None:
    """Find the network of a game.

    Return None if there is no network for these rules, or none that players use. Log a warning for
    each file that cannot be used.
    """
    rulesheet = game.rulesheet
    known = _entries(folders())
    if rulesheet is None or not known:
        return None
    alike = [entry for entry in known if entry.form.shape == rulesheet.shape]
    form = rulesheet.canonical if alike else None
    if form is None:
        return None
    return next((found for entry in alike for found in _used(entry, form, game)), None)


def _used(entry: _Entry, form: gdl.CanonicalForm, game: gdl.Game) -> Iterator[Found]:
    if entry.form.digest != form.digest:
        return
    try:
        network = read_network(entry.file).for_game(game, str(entry.file))
        layers_for(network, game)
    except NetworkError as error:
        _log.warning("not used: %s", error)
        return
    _log.info("network of %s: %s", network.game, entry.file)
    yield Found(network, entry.file)


@lru_cache(maxsize=4)
def _entries(where: tuple[Path, ...]) -> tuple[_Entry, ...]:
    return tuple(entry for folder in where for entry in _entries_in(folder))


def _entries_in(folder: Path) -> Iterator[_Entry]:
    try:
        files = sorted(file for file in folder.iterdir() if file.suffix == SUFFIX)
    except FileNotFoundError:
        return
    except OSError as error:
        _log.warning("networks: %s: cannot be read: %s", folder, error.strerror)
        return
    for file in files:
        try:
            head = read_head(file)
            form = form_of(head) if is_used(head) else None
        except NetworkError as error:
            _log.warning("not used: %s", error)
        except (KeyError, TypeError, ValueError) as error:
            _log.warning("not used: %s: expected a network file: %s", file, error)
        else:
            if form is not None:
                yield _Entry(file, form)

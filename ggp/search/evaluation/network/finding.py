"""Finding the network of a game by its rules, whatever the names in them are.

Networks lie in two folders: the user's own, and `games/networks`, which comes with the games. The
files are looked at once per process, and only their heads. A game whose rules have the shape of
none of them costs no more than that look.

Environment: GGP_NETWORKS names the user's folder, else it is `networks` in the user's data folder
of the system.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import platformdirs

import gdl
from ggp import games
from ggp.search.evaluation.network.file import form_of, is_used, read_head
from ggp.search.evaluation.network.network import NetworkError

if TYPE_CHECKING:  # who finds nothing does not wait for numba
    from ggp.search.evaluation.network.network import ValueNetwork

SUFFIX = ".network"

_log = logging.getLogger(__name__)


class Found(NamedTuple):
    """A network that was found for a game, with the names of that game."""

    network: ValueNetwork
    file: Path


class _Entry(NamedTuple):
    """A file, and what is known of it before it is wanted."""

    file: Path
    form: gdl.CanonicalForm


def folders() -> tuple[Path, ...]:
    """The folders that networks are looked for in: the user's own comes first."""
    named = os.environ.get("GGP_NETWORKS")
    own = (
        Path(named)
        if named
        else platformdirs.user_data_path("ggp-agent", appauthor=False) / "networks"
    )
    return own, games.folder() / "networks"


def find_network(game: gdl.Game) -> Found | None:
    """The network of a game; None if there is none that players use.

    A file that cannot be used is a warning, which names it.
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
    from ggp.search.evaluation.network.file import read_network
    from ggp.search.evaluation.network.network import layers_for

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
    """The files that may be used, in the order in which they count."""
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

"""What was learned during matches, in the user's cache: networks, and other files for each game.

A game is identified by the canonical form of its rules, so the names in the rules do not matter. If
the networks take too much space, the least recently used ones are deleted. If the disk fails, no
network is found or stored, and no exception is raised.
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path

import gdl
from ggp.atomic_file import replace_file
from ggp.search.evaluation.network.file import (
    SUFFIX,
    find_network,
    network_bytes,
    read_network,
)
from ggp.search.evaluation.network.network import NetworkError, ValueNetwork, layers_for

FOLDER = "learned"  # name of the folder in the cache
MAX_BYTES = 64 << 20  # maximum size of all networks together
DIGITS = 32  # length of the part of a canonical form's digest that is in the file name

_log = logging.getLogger(__name__)


def known_network(game: gdl.Game) -> ValueNetwork | None:
    """Return the network with which players begin a match, or None if there is none."""
    found = find_network(game)
    if found is not None:
        return found.network
    learned = read_learned(game)
    return learned if learned is not None and learned.is_used else None


def read_learned(game: gdl.Game) -> ValueNetwork | None:
    """Return the network learned in earlier matches, or None if there is none.

    Players do not use it unless its `is_used` is set.
    """
    file = file_of(game, SUFFIX, is_new=False)
    if file is None or not file.exists():
        return None
    try:
        network = read_network(file).for_game(game, str(file))
        layers_for(network, game)
    except NetworkError as error:
        _log.warning("not used: %s", error)
        return None
    with suppress(OSError):
        os.utime(file)  # marks it as recently used
    return network


def write_learned(network: ValueNetwork, game: gdl.Game) -> None:
    """Store a network of a game, and replace the previous one."""
    file = file_of(game, SUFFIX, is_new=True)
    if file is None:
        return
    try:
        replace_file(file, network_bytes(network))
        gdl.remove_oldest(file.parent, MAX_BYTES)
    except OSError as error:
        _log.debug("cannot store the network that was learned: %s", error)


def file_of(game: gdl.Game, suffix: str, *, is_new: bool) -> Path | None:
    """Return the path of a game's file with a suffix. The file need not exist.

    Return None if the game cannot be identified. Unless `is_new` is set, also return None if there
    is no file for rules of the same shape.
    """
    folder, rules = gdl.cache_folder(FOLDER), game.rulesheet
    if folder is None or rules is None:
        return None
    # The canonical form takes up to a second, so first check whether a file has the same shape.
    if not is_new and not any(folder.glob(f"{rules.shape}-*{suffix}")):
        return None
    form = rules.canonical
    if form is None:
        return None
    return folder / f"{form.shape}-{form.digest[:DIGITS]}{suffix}"

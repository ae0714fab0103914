"""The games that are used and those that are excluded, from `games.json`.

It has only games for two roles with complete information. Other such games of the corpus are in no
list; most are variants of games that are used.
"""

from __future__ import annotations

import json
from pathlib import Path

from unseen_games.rulesheets import CORPUS_PREFIX

_LISTS = json.loads(Path(__file__).with_name("games.json").read_text(encoding="utf-8"))

BUNDLED: tuple[str, ...] = tuple(_LISTS["bundled"])
CORPUS: tuple[str, ...] = tuple(_LISTS["corpus"])
"""Names without the prefix."""
TACTICS_GAMES = (*BUNDLED, *(f"{CORPUS_PREFIX}{name}" for name in CORPUS))
MATCH_GAMES: tuple[str, ...] = tuple(_LISTS["matches"])
EXCLUDED: dict[str, list[str]] = _LISTS["excluded"]
"""Games without tactics, by reason."""

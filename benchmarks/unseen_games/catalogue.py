"""The games that are asked about, and those that are left out: what `games.json` says.

Only games for two with complete information are in it. Other such games of the corpus are in no
list; most are variants of games that are asked about.
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

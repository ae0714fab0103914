"""Writing harness files: a game's texts and the code for one framework, as readable Python."""

from __future__ import annotations

import json
import re
from enum import StrEnum
from importlib import resources
from pprint import pformat
from typing import Final

from ggp.harness.examples import examples_of, text_of
from ggp.harness.game import HarnessGame
from ggp.harness.schema import schema_of

NUM_SEEDS: Final = 100
_ABOUT_EXAMPLES = (
    "# Checked examples: joint moves from the start, a move, and whether it is legal there."
)
_ABOUT_SCHEMA = "# Schema of positions as JSON, as `to_json` of a match returns them."


class Format(StrEnum):
    """Framework for which a harness file can be written."""

    PLAIN = "plain"
    INSPECT = "inspect"
    KAGGLE = "kaggle"
    OPENENV = "openenv"


def harness_file(game: HarnessGame, rules: str, form: Format, seed: int = 0) -> str:
    """Return the text of a Python file that lets models play a game.

    Args:
        rules: The rulesheet as written. The briefing refers to its lines.
        seed: Seed of the first match and of the examples.
    """
    examples = examples_of(game, seed)
    briefing = f"{game.briefing}\n\n{text_of(game, examples)}"
    data = "\n\n".join(
        [
            f"NAME = {game.name!r}",
            f"SEEDS = range({seed}, {seed + NUM_SEEDS})",
            f"# The rulesheet. BRIEFING refers to its lines in brackets.\nRULES = {_text(rules)}",
            f"# What a model learns before a match.\nBRIEFING = {_text(briefing)}",
            f"{_ABOUT_EXAMPLES}\nEXAMPLES = {_literal([one.to_json() for one in examples])}",
            f"{_ABOUT_SCHEMA}\nSTATE_SCHEMA = {_literal(schema_of(game))}",
        ]
    )
    template = resources.files("ggp.harness").joinpath("templates", f"{form}.py.txt")
    text = template.read_text(encoding="utf-8")
    return (
        text.replace("@TITLE@", _plain(game.name))
        .replace("@NAME@", repr(game.name))
        .replace("@DATA@", data)
    )


def _plain(name: str) -> str:
    return re.sub(r"[^\w .-]", "_", name)


def _text(text: str) -> str:
    """Return a text as a Python literal, on several lines if no escapes are needed."""
    shown = text.rstrip("\n")
    is_safe = '"""' not in shown and "\\" not in shown and not shown.endswith('"')
    if is_safe and all(char == "\n" or char.isprintable() for char in shown):
        return f'"""\\\n{shown}\n"""'
    return repr(text)


def _literal(value: object) -> str:
    return pformat(json.loads(json.dumps(value)), width=96, sort_dicts=False)

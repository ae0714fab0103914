"""Games for environments: a bundled one, a file, a text, or one that is loaded already."""

from __future__ import annotations

import os

import gdl
from ggp.rulesheets import find_rules

Rules = str | os.PathLike[str] | gdl.Rulesheet | gdl.Game
"""The name of a bundled game, a file, the text of rules, a rulesheet or a game."""


def load_game(rules: Rules, engine: gdl.Engine = "auto") -> gdl.Game:
    """The game of an environment.

    Args:
        rules: The game.
        engine: The reasoner. `auto` means `scalar`, which is compiled: facts and moves have numbers
            only there, and lanes, which batches make themselves, are for players that search;
            `interpreter` plays all rules, thousands of times slower, and hashes their facts.

    Raises:
        WrongUseError: There is neither such a bundled game nor such a file.
        GdlError: The rules cannot be read or played.
        GroundingError: They do not ground, which a compiled game needs.
    """
    if isinstance(rules, gdl.Game):
        return rules
    if isinstance(rules, gdl.Rulesheet):
        rulesheet = rules
    elif isinstance(rules, str) and rules.lstrip().startswith(("(", ";")):
        rulesheet = gdl.read_rules(rules)
    else:
        rulesheet = find_rules(os.fspath(rules))
    try:
        return gdl.load(rulesheet, "scalar" if engine == "auto" else engine)
    except gdl.GroundingError as error:
        raise gdl.GroundingError(
            error.reason, f'{error}; engine="interpreter" plays such rules as well, slowly'
        ) from error

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
        TypeError: These are no rules.
        ValueError: There is no such engine.
    """
    if engine not in gdl.ENGINES:
        raise ValueError(f"engine: expected one of {', '.join(gdl.ENGINES)}, got {engine!r}")
    if isinstance(rules, gdl.Game):
        return rules
    if not isinstance(rules, str | os.PathLike | gdl.Rulesheet):
        raise TypeError(
            "rules: expected the name of a bundled game, a file, the text of rules, a rulesheet or "
            f"a game, got {rules!r}"
        )
    if isinstance(rules, gdl.Rulesheet):
        rulesheet = rules
    elif isinstance(rules, str) and rules.lstrip().startswith(("(", ";")):
        rulesheet = gdl.read_rules(rules)
    else:
        rulesheet = find_rules(os.fspath(rules))
    try:
        return gdl.load(rulesheet, "scalar" if engine == "auto" else engine)
    except gdl.GroundingError as error:
        _try(rulesheet)
        if not error.is_playable:
            raise
        raise gdl.GroundingError(
            error.reason, f'{error}; engine="interpreter" plays such rules as well, slowly'
        ) from error


def _try(rulesheet: gdl.Rulesheet) -> None:
    """Look at the first state by the interpreter, who says where rules are wrong."""
    game = gdl.load(rulesheet, "interpreter")
    state = game.initial_state()
    game.is_terminal(state)
    for role in game.roles:
        game.legal_moves(state, role)

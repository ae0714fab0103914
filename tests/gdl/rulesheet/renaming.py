"""Rulesheets like others: with other names in another order, and with another rule."""

from __future__ import annotations

import random
import re

import gdl
from gdl.rulesheet.canonical import fixed_symbols
from ggp import games

_WORD = re.compile(r"[^\s()]+")


def with_other_names(rulesheet: gdl.Rulesheet, seed: int) -> tuple[str, dict[str, str]]:
    """The text of the rules with other names in another order, and what each symbol is called."""
    luck = random.Random(seed)
    fixed = fixed_symbols(rulesheet.rules)
    names: dict[str, str] = {}
    statements = []
    for rule in rulesheet.rules:
        variables: dict[str, str] = {}

        def other(found: re.Match[str], variables: dict[str, str] = variables) -> str:
            word = found[0]
            if word in fixed:
                return word
            if word.startswith("?"):
                return variables.setdefault(word, f"?v{luck.randrange(10**9)}")
            return names.setdefault(word, f"n{luck.randrange(10**12)}")

        body = luck.sample(rule.body, len(rule.body))
        text = f"(<= {rule.head} {' '.join(map(str, body))})" if body else str(rule.head)
        statements.append(_WORD.sub(other, text))
    luck.shuffle(statements)
    return "\n".join(statements), names


_FIFTH = {
    "?d ?row": "(succ ?d ?n) (true (cell ?n ?row ?role))",
    "?column ?d": "(succ ?d ?n) (true (cell ?column ?n ?role))",
    "?d ?h": "(succ ?d ?n) (succ ?h ?m) (true (cell ?n ?m ?role))",
    "?d ?e": "(succ ?d ?n) (succ ?m ?e) (true (cell ?n ?m ?role))",
}


def five_in_a_row() -> str:
    """The rules of connectFour, but with lines of five."""
    text = games.text("connectFour")
    for place, fifth in _FIFTH.items():
        fourth = f"(true (cell {place} ?role))"
        assert fourth in text
        text = text.replace(fourth, f"{fourth} {fifth}")
    return text

"""Orders of names, as rulesheets give them: chains of facts such as `(succ a b) (succ b c)`.

>>> find_orders("(role me) (nextcol a b) (nextcol b c) (beats rock scissors)")
(('a', 'b', 'c'),)

With them columns and rows can be put in order whatever they are called, also where a manager has
scrambled all names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

MIN_LENGTH, MAX_LENGTH = 3, 200
MAX_ORDERS = 40
MAX_RULES = 1_000_000
"""Letters of a rulesheet that are looked at."""

_TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+")

Order = tuple[str, ...]
Pair = tuple[str, str]


def find_orders(rules: str) -> tuple[Order, ...]:
    """Names in the order of each relation that leads from one to the next; numbers are left out.

    Args:
        rules: A rulesheet in KIF, perhaps a broken one: it is not parsed, only searched.
    """
    pairs: dict[str, dict[Pair, None]] = {}
    for relation, first, second in _facts(rules):
        pairs.setdefault(relation, {})[first, second] = None
    found = dict.fromkeys(_order(tuple(mine)) for mine in pairs.values())
    return tuple(order for order in found if order)[:MAX_ORDERS]


def _facts(rules: str) -> Iterator[tuple[str, ...]]:
    """The facts of three plain words that stand outside all rules."""
    words: list[str] = []
    depth, is_flat = 0, True
    for match in _TOKEN.finditer(rules, 0, MAX_RULES):
        word = match.group()
        if word == "(":
            depth += 1
            words, is_flat = ([], True) if depth == 1 else (words, False)
        elif word == ")":
            depth = max(0, depth - 1)
            if depth == 0 and is_flat and len(words) == 3 and not words[0].startswith("<"):
                yield tuple(words)
        elif depth == 1 and not word.startswith(";"):
            words.append(word)


def _order(pairs: Sequence[Pair]) -> Order:
    """The names from the first to the last, each once; empty if the pairs are no such chain."""
    after = dict(pairs)
    if not MIN_LENGTH - 1 <= len(pairs) <= MAX_LENGTH or len(after) < len(pairs):
        return ()
    if len(set(after.values())) < len(pairs) or all(name.isdecimal() for name in after):
        return ()
    starts = [first for first, _ in pairs if first not in after.values()]
    # A circle, as on a board without edges, begins where it was written first.
    name = starts[0] if starts else pairs[0][0]
    chain = [name]
    while name in after and after[name] != chain[0]:
        name = after[name]
        chain.append(name)
    is_whole = len(chain) == len(pairs) + (1 if starts else 0)
    is_whole = is_whole and len(chain) >= MIN_LENGTH
    return tuple(chain) if len(starts) <= 1 and is_whole else ()

"""Recognition of arithmetic as other languages write it. GDL needs a table of facts instead."""

from __future__ import annotations

import re

from gdl.syntax import Form, Group, Word

_SIGNS = frozenset({"+", "-", "*", "/", "mod"})
_RELATIONS = _SIGNS | {"is", "plus", "minus", "times"}
_SUM = re.compile(r"(\?\w+)[-+*/](?:\d+|\?\w+)")


def computing(number: str = "?n") -> str:
    """Return advice on how GDL asks for the successor of `number`."""
    result = "?m" if number != "?m" else "?n"
    return (
        "GDL cannot compute: write a table of facts, (succ 0 1) (succ 1 2) ..., and the condition "
        f"(succ {number} {result})"
    )


def summed(variable: str) -> str:
    """Return the variable in a sum such as `?n+1`, or "" if the word is no sum."""
    found = _SUM.fullmatch(variable)
    return found[1] if found else ""


def is_computed(name: str, args: tuple[Form, ...]) -> bool:
    """Return whether a condition is arithmetic: `(is ?m (+ ?n 1))`, `(= ?m (+ ?n 1))`."""
    is_sum = any(isinstance(arg, Group) and arg.head in _SIGNS for arg in args)
    return len(args) > 1 and (is_sum or name.lower() in _RELATIONS)


def is_infix_sum(group: Group) -> bool:
    """Return whether a group has its sign between numbers: `(?n + 1)`, `(?m is ?n + 1)`."""
    signs = (item.text.lower() for item in group.items[1:-1] if isinstance(item, Word))
    return len(group.items) > 2 and not _RELATIONS.isdisjoint(signs)

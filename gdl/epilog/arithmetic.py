"""Numbers and texts as Epilog computes with them: functions of `evaluate`, and comparisons."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import reduce

Number = int | float

MAX_NUMBER = 10**15  # beyond it a result has no value; real rulesheets stay below a few thousand
_NUMBER = re.compile(r"-?\d{1,16}(?:\.\d{1,16})?", re.ASCII)


def number(text: str) -> Number | None:
    """The number that a symbol is, if it is one."""
    if not _NUMBER.fullmatch(text):
        return None
    return float(text) if "." in text else int(text)


def spelled(value: Number) -> str:
    """The symbol of a number; whole numbers are written without a point."""
    return str(int(value)) if value == int(value) else repr(value)


def _quotient(left: Number, right: Number) -> Number | None:
    return left / right if right else None


def _remainder(left: Number, right: Number) -> Number | None:
    return math.fmod(left, right) if right else None


def _modulo(left: Number, right: Number) -> Number | None:
    return left % right if right else None


def _plus(left: Number, right: Number) -> Number:
    return left + right


def _minus(left: Number, right: Number) -> Number:
    return left - right


def _times(left: Number, right: Number) -> Number:
    return left * right


# Functions of two arguments; the first four and the last two take more, from left to right.
_BINARY: dict[str, Callable[[Number, Number], Number | None]] = {
    "plus": _plus,
    "minus": _minus,
    "times": _times,
    "quotient": _quotient,
    "rem": _remainder,
    "mod": _modulo,
    "max": max,
    "min": min,
}
_UNARY: dict[str, Callable[[Number], Number]] = {
    "minus": lambda value: -value,
    "abs": abs,
    "floor": math.floor,
    "ceil": math.ceil,
    "ceiling": math.ceil,
    "round": lambda value: math.floor(value + 0.5),
}
FUNCTIONS = sorted(_BINARY.keys() | _UNARY.keys())


def is_function(name: str, arity: int) -> bool:
    """Whether there is a function of this name with so many arguments."""
    return name in _UNARY if arity == 1 else arity > 1 and name in _BINARY


def apply(name: str, values: Sequence[str]) -> str | None:
    """The value of a function, or None if it has none, such as a quotient by zero."""
    numbers = [number(value) for value in values]
    known = [value for value in numbers if value is not None]
    if len(known) < len(numbers):
        return None
    result = _UNARY[name](known[0]) if len(known) == 1 else _folded(name, known)
    return None if result is None or abs(result) > MAX_NUMBER else spelled(result)


def _folded(name: str, values: list[Number]) -> Number | None:
    function = _BINARY[name]

    def step(left: Number | None, right: Number) -> Number | None:
        return None if left is None else function(left, right)

    start: Number | None = values[0]
    return reduce(step, values[1:], start)


def compare(name: str, left: str, right: str) -> bool:
    """Whether `leq`, `less` (numbers), `symleq` or `symless` (texts) holds."""
    if name in ("symleq", "symless"):
        return left < right or (name == "symleq" and left == right)
    first, second = number(left), number(right)
    if first is None or second is None:
        return False
    return first < second or (name == "leq" and first == second)


COMPARISONS = ("leq", "less", "symleq", "symless")

"""Descriptions of constant relations from all their rows: ranges, sums, orders, lists.

>>> said(["FROM", "TO"], [("1", "2"), ("2", "3"), ("3", "4")])
'TO = FROM + 1, with FROM from 1 to 3'
>>> said(["A", "B", "SUM"], [("0", "1", "1"), ("1", "1", "2"), ("0", "2", "2"), ("1", "2", "3")])
'SUM = A + B, with A 0 or 1, B 1 or 2'
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

Row = tuple[str, ...]

MIN_STEPS: Final = 5
"""Least number of values to describe as steps from the first to the last."""
MAX_VALUES: Final = 24
"""Maximum number of values of one argument to list in a sentence."""
MAX_CASES: Final = 4
MAX_LINES: Final = 12
"""Maximum number of cases in a table, one on each line."""
MAX_MOVES: Final = 16
"""Maximum number of steps between places to list individually."""
SHORT: Final = 200
"""Length limit in characters of a table in one sentence."""
MAX_ROWS: Final = 20_000
"""Maximum number of rows of a relation to search for a pattern."""
MAX_PRODUCT: Final = 6
"""Maximum number of arguments of a relation to test for independence."""


def said(names: Sequence[str], rows: Collection[Row]) -> str | None:
    """Describe in words when the values of the variables in `names` form one of the rows.

    Return None if no short description is found.
    """
    names, rows = _distinct(names, rows)
    if not rows:
        return "never"
    if not names:
        return "always"
    if len(rows) > MAX_ROWS:
        return None
    if len(names) == 1:
        return _one(names[0], {row[0] for row in rows})
    return (
        _independent(names, rows)
        or _pattern(names, rows)
        or _ways(names, rows)
        or _mapped(names, rows)
        or _by_cases(names, rows)
    )


def values_text(values: Collection[str]) -> str | None:
    """Return values as `from 1 to 8` or `a, b or c`. Return None if there are too many."""
    numbers = numbers_of(values)
    if numbers and len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"from {numbers[0]} to {numbers[-1]}"
    if len(numbers) >= MIN_STEPS and len({b - a for a, b in pairwise(numbers)}) == 1:
        return f"from {numbers[0]} to {numbers[-1]} in steps of {numbers[1] - numbers[0]}"
    if len(values) > MAX_VALUES:
        return None
    return any_of(map(str, numbers) if numbers else sorted(values))


def numbers_of(values: Collection[str]) -> list[int]:
    """Return the values in order if all are plain decimal numbers, else an empty list."""
    if not all(
        value.isdecimal() and len(value) < 10 and str(int(value)) == value for value in values
    ):
        return []
    return sorted(map(int, values))


def any_of(texts: Collection[str] | map[str]) -> str:
    """Join texts with "or"."""
    return _joined(list(texts), "or")


def all_of(texts: Collection[str] | map[str]) -> str:
    """Join texts with "and"."""
    return _joined(list(texts), "and")


def _joined(texts: list[str], word: str) -> str:
    return " ".join([", ".join(texts[:-1]), word, texts[-1]]) if len(texts) > 1 else "".join(texts)


def offsets(rows: Collection[Row]) -> list[list[tuple[int, int]]] | None:
    """Group the arguments that have fixed differences. Return their indexes, each with its offset.

    Return None unless all arguments are numbers and the groups describe exactly these rows.
    """
    width = len(next(iter(rows)))
    if (
        not rows
        or len(rows) > MAX_ROWS
        or any(not numbers_of({row[at] for row in rows}) for at in range(width))
    ):
        return None
    numbered = [tuple(map(int, row)) for row in rows]
    groups: list[list[tuple[int, int]]] = []
    for at in range(width):
        for group in groups:
            apart = {row[at] - row[group[0][0]] for row in numbered}
            if len(apart) == 1:
                group.append((at, apart.pop()))
                break
        else:
            groups.append([(at, 0)])
    product = 1
    for group in groups:
        product *= len({row[group[0][0]] for row in numbered})
    return groups if product == len(set(numbered)) and len(groups) < width else None


def listed(names: Sequence[str], rows: Collection[Row]) -> list[str]:
    """Return lines that list all rows, grouped by all values but the last."""
    if len(names) == 1:
        return [", ".join(in_order({row[0] for row in rows}))]
    if len(names) == 2:
        chain = _chain(rows)
        if chain:
            return ["each of these with the next: " + ", ".join(chain)]
    groups: dict[Row, list[str]] = {}
    for row in sorted(rows, key=lambda row: [_sort_key(value) for value in row]):
        groups.setdefault(row[:-1], []).append(row[-1])
    if all(len(found) == 1 for found in groups.values()):
        return ["; ".join(" ".join((*key, *found)) for key, found in groups.items())]
    return [
        " ".join((*key, *found))
        if len(found) == 1
        else f"{' '.join(key)} with each of {', '.join(found)}"
        for key, found in groups.items()
    ]


def table_of(names: Sequence[str], rows: Collection[Row], most: float) -> list[str] | None:
    """Describe a relation's rows in the shortest way: the end of a sentence, and lines below it.

    Return None if there are more than `most` rows and no pattern is found.
    """
    if not rows:
        return ["never holds."]
    short = said(names, rows)
    if short is not None and len(short) <= SHORT:
        return [f"holds where {short}."]
    ways: list[list[str]] = []
    if len(rows) <= MAX_ROWS:
        for at in range(len(names)):
            values = {row[at] for row in rows}
            if 1 < len(values) <= MAX_LINES and (cases := _cases(names, set(rows), at)):
                lines = [f"where {names[at]} is {value}, {text}" for value, text in cases]
                ways.append(["holds:", *lines])
                break
    if len(rows) <= most:
        rest = listed(names, rows)
        ways.append([f"holds for: {rest[0]}."] if len(rest) == 1 else ["holds for:", *rest])
    return min(ways, key=lambda way: len("".join(way)), default=None)


def in_order(values: Collection[str]) -> list[str]:
    """Return values in order, with numbers in numeric order."""
    return sorted(values, key=_sort_key)


def _sort_key(value: str) -> tuple[int, int, str]:
    is_number = value.isdecimal() and len(value) < 10
    return (0, int(value), value) if is_number else (1, 0, value)


def _chain(rows: Collection[Row]) -> list[str]:
    after = {row[0]: row[1] for row in rows}
    starts = set(after) - set(after.values())
    if len(after) < max(3, len(rows)) or len(starts) != 1 or len(set(after.values())) < len(after):
        return []
    chain = [starts.pop()]
    while chain[-1] in after:
        chain.append(after[chain[-1]])
    return chain if len(chain) == len(rows) + 1 else []


def _distinct(names: Sequence[str], rows: Collection[Row]) -> tuple[list[str], set[Row]]:
    """Remove repeated names. Keep the rows in which arguments with the same name are equal."""
    first = [list(names).index(name) for name in names]
    kept = [at for at, place in enumerate(first) if at == place]
    fitting = (row for row in rows if all(row[at] == row[place] for at, place in enumerate(first)))
    return [names[at] for at in kept], {tuple(row[at] for at in kept) for row in fitting}


def _one(name: str, values: Collection[str]) -> str | None:
    text = values_text(values)
    return None if text is None else f"{name} is {text}"


def _independent(names: Sequence[str], rows: set[Row]) -> str | None:
    """Describe groups of arguments that are independent, so that the rows are a product."""
    if len(names) > MAX_PRODUCT:
        return None
    for mask in range(1, 1 << (len(names) - 1)):
        mine = [at for at in range(len(names)) if mask >> at & 1]
        rest = [at for at in range(len(names)) if at not in mine]
        left, right = _projected(rows, mine), _projected(rows, rest)
        if len(left) * len(right) == len(rows):
            texts = [
                said([names[at] for at in mine], left),
                said([names[at] for at in rest], right),
            ]
            found = [text for text in texts if text is not None]
            return ", and ".join(found) if len(found) == 2 else None
    return None


def _projected(rows: set[Row], places: Sequence[int]) -> set[Row]:
    return {tuple(row[at] for at in places) for row in rows}


def _pattern(names: Sequence[str], rows: set[Row]) -> str | None:
    columns = [{row[at] for row in rows} for at in range(len(names))]
    if len(names) == 2 and all(left == right for left, right in rows):
        text = values_text(columns[0])
        return text and f"{names[0]} = {names[1]}, {text}"
    if len(names) == 2 and columns[0] == columns[1]:
        others = {(left, right) for left in columns[0] for right in columns[1] if left != right}
        text = values_text(columns[0])
        if rows == others and text:
            listed_all = all_of(in_order(columns[0]))
            return f"{names[0]} and {names[1]} are two different ones of {listed_all}"
    if not all(map(numbers_of, columns)):
        return None
    numbered = {tuple(map(int, row)) for row in rows}
    sets = [set(map(int, column)) for column in columns]
    if len(names) == 2:
        return _pair(names, numbered, sets)
    return _sum(names, numbered, sets) if len(names) == 3 else None


def _ways(names: Sequence[str], rows: set[Row]) -> str | None:
    """Describe steps on a board that are the same everywhere, except where they leave the board."""
    if len(names) != 4 or not all(numbers_of({row[at] for row in rows}) for at in range(4)):
        return None
    numbered = {tuple(map(int, row)) for row in rows}
    across = {row[at] for row in numbered for at in (0, 2)}
    along = {row[at] for row in numbered for at in (1, 3)}
    ways = {(row[2] - row[0], row[3] - row[1]) for row in numbered}
    if len(ways) > MAX_MOVES or len(across) * len(along) * len(ways) > MAX_ROWS:
        return None
    possible = {
        (x, y, x + by, y + more)
        for x in across
        for y in along
        for by, more in ways
        if x + by in across and y + more in along
    }
    if numbered != possible:
        return None
    x1, y1, x2, y2 = names
    texts = [f"({_moved(x1, by)}, {_moved(y1, more)})" for by, more in sorted(ways)]
    ranges = f"with {x1} and {x2} {_range(across)}, {y1} and {y2} {_range(along)}"
    return f"({x2}, {y2}) is {any_of(texts)}, {ranges}"


def _moved(name: str, by: int) -> str:
    return f"{name}{by:+d}" if by else name


def _pair(names: Sequence[str], rows: set[tuple[int, ...]], sets: Sequence[set[int]]) -> str | None:
    left, right = names
    apart = {first - second for first, second in rows}
    with_both = f"with {left} {_range(sets[0])}, {right} {_range(sets[1])}"
    if len(apart) == 1:
        [by] = apart
        return f"{right} = {left} {_signed(-by)}, with {left} {_range(sets[0])}"
    product = {(first, second) for first in sets[0] for second in sets[1]}
    if len(apart) == 2 and sum(apart) == 0:
        by = max(apart)
        if rows == {pair for pair in product if abs(pair[0] - pair[1]) == by}:
            return f"{right} is {left} + {by} or {left} - {by}, {with_both}"
    for compares, words in (
        (operator.lt, "is less than"),
        (operator.gt, "is greater than"),
        (operator.le, "is at most"),
        (operator.ge, "is at least"),
    ):
        if rows == {pair for pair in product if compares(*pair)}:
            return f"{left} {words} {right}, {with_both}"
    return None


def _sum(names: Sequence[str], rows: set[tuple[int, ...]], sets: Sequence[set[int]]) -> str | None:
    for total in (2, 0, 1):
        first, second = (at for at in range(3) if at != total)
        if len(sets[first]) * len(sets[second]) > MAX_ROWS:
            continue
        if not all(row[first] + row[second] == row[total] for row in rows):
            continue
        possible = sum(one + other in sets[total] for one in sets[first] for other in sets[second])
        if possible == len(rows):
            ranges = f"{names[first]} {_range(sets[first])}, {names[second]} {_range(sets[second])}"
            needs = len(sets[first]) * len(sets[second]) > possible
            ranges += f", {names[total]} {_range(sets[total])}" if needs else ""
            return f"{names[total]} = {names[first]} + {names[second]}, with {ranges}"
    return None


def _range(numbers: set[int]) -> str:
    return values_text(set(map(str, numbers))) or f"one of {len(numbers)} numbers"


def _signed(number: int) -> str:
    return f"{'+' if number >= 0 else '-'} {abs(number)}"


def _mapped(names: Sequence[str], rows: set[Row]) -> str | None:
    """Describe a few pairs in which one value determines the other."""
    if len(names) != 2 or len(rows) > MAX_CASES:
        return None
    for known, asked in ((0, 1), (1, 0)):
        if len({row[known] for row in rows}) == len(rows):
            if known and len({row[asked] for row in rows}) < len(rows):
                return None  # `_by_cases` describes several values for each
            ordered = sorted(rows, key=lambda row: _sort_key(row[known]))
            cases = [f"{row[asked]} where {names[known]} is {row[known]}" for row in ordered]
            return f"{names[asked]} is {any_of(cases)}"
    return None


def _by_cases(names: Sequence[str], rows: set[Row]) -> str | None:
    for at in range(len(names)):
        values = {row[at] for row in rows}
        if 1 < len(values) <= MAX_CASES and not numbers_of(values):
            cases = _cases(names, rows, at)
            if cases:
                return "; ".join(f"{_whole(text)} where {names[at]} is {x}" for x, text in cases)
    return None


def _whole(text: str) -> str:
    """Put a clause in parentheses if it consists of several cases."""
    return f"({text})" if ";" in text else text


def _cases(names: Sequence[str], rows: set[Row], at: int) -> list[tuple[str, str]]:
    """Return each value of the argument `at`, with a clause about the other arguments.

    Return [] if there is no clause for one of the values.
    """
    rest = [other for other in range(len(names)) if other != at]
    texts = []
    for value in in_order({row[at] for row in rows}):
        mine = _projected({row for row in rows if row[at] == value}, rest)
        text = said([names[other] for other in rest], mine)
        if text is None:
            return []
        texts.append((value, text))
    return texts

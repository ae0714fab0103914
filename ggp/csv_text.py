"""Tables as CSV, for spreadsheets.

A spreadsheet treats a text that begins with one of `FORMULA` as a formula, and a formula can read
the rest of the file. Some programs also skip leading blanks, or accept full-width forms of these
characters. Strangers may choose such texts as names, so `csv_lines` puts an apostrophe before them.
See https://owasp.org/www-community/attacks/CSV_Injection.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_lines(rows: Iterable[Sequence[object]]) -> str:
    """Return `rows` as CSV text that contains no formulas.

    None becomes an empty cell, True and False become `yes` and `no`.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([_harmless(value) for value in row] for row in rows)
    return text.getvalue()


def _harmless(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, str) and _is_formula(value):
        return f"'{value}"
    return value


def _is_formula(text: str) -> bool:
    first = text.lstrip()[:1]
    return text.startswith(FORMULA) or unicodedata.normalize("NFKC", first).startswith(FORMULA)

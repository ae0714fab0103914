"""Tables as CSV, for spreadsheets.

A spreadsheet takes a text that begins with one of `FORMULA` for a formula, which may do things with
what else is in the file; some do so behind blanks, or in full width. So such texts, which strangers
may have chosen as names, get an apostrophe before them. See https://owasp.org/www-community/attacks/CSV_Injection.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_lines(rows: Iterable[Sequence[object]]) -> str:
    """Rows as lines of CSV that no spreadsheet takes for formulas; nothing stands for None."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([_harmless(value) for value in row] for row in rows)
    return text.getvalue()


def _harmless(value: object) -> object:
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, str) and _is_formula(value):
        return f"'{value}"
    return value


def _is_formula(text: str) -> bool:
    first = text.lstrip()[:1]
    return text.startswith(FORMULA) or unicodedata.normalize("NFKC", first).startswith(FORMULA)

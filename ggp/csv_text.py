"""Tables as CSV, for spreadsheets.

A spreadsheet treats a text that begins with one of `FORMULA` as a formula, even after blanks or in
full width. Such a formula may use other content of the file. Strangers may have chosen such texts
as names, so they get an apostrophe. See https://owasp.org/www-community/attacks/CSV_Injection.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_lines(rows: Iterable[Sequence[object]]) -> str:
    """Write rows as CSV in which no spreadsheet finds formulas. None becomes an empty field."""
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

"""Read and format prefix KIF, the notation of the GDL specification."""

from __future__ import annotations

from gdl.kif.formatting import format_kif
from gdl.kif.reader import (
    Comment,
    Tokens,
    read_faulty_kif,
    read_forms,
    read_kif,
    read_scanned_kif,
    read_term,
    rescan,
    scan,
)

__all__ = [
    "Comment",
    "Tokens",
    "format_kif",
    "read_faulty_kif",
    "read_forms",
    "read_kif",
    "read_scanned_kif",
    "read_term",
    "rescan",
    "scan",
]

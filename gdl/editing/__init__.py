"""Services for those who write rules: what an editor asks of a text while somebody types.

>>> import gdl
>>> text = "(role x) (legal x go) (init (cell 1)) (<= terminal (true (cell ?n)))"
>>> document = gdl.document(text)
>>> [place.start for place in document.definitions(text.rindex("cell"))]
[29]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # whoever plays need not wait for what edits
    from gdl.editing.document import Document


def read_document(text: str, name: str = "<text>", before: Document | None = None) -> Document:
    """A rulesheet in the making; the version `before` this one makes reading it quicker."""
    from gdl.editing.document import Document

    return Document(text, name, before)

"""Services for authors of rules: what an editor needs to know about a text while it is edited.

>>> import gdl
>>> text = "(role x) (legal x go) (init (cell 1)) (<= terminal (true (cell ?n)))"
>>> document = gdl.document(text)
>>> [place.start for place in document.definitions(text.rindex("cell"))]
[29]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # players need not wait for the import of editing
    from gdl.editing.document import Document


def read_document(text: str, name: str = "<text>", before: Document | None = None) -> Document:
    """Return a rulesheet for editing. A previous version `before` makes reading it quicker."""
    from gdl.editing.document import Document

    return Document(text, name, before)

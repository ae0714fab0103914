"""Services for authors of rules: what an editor shows and offers while they edit a rulesheet.

>>> import gdl
>>> text = "(role x) (legal x go) (init (cell 1)) (<= terminal (true (cell ?n)))"
>>> document = gdl.document(text)
>>> [place.start for place in document.definitions(text.rindex("cell"))]
[29]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # so that players do not import the editing modules
    from gdl.editing.document import Document


def read_document(text: str, name: str = "<text>", before: Document | None = None) -> Document:
    """Return a rulesheet for editing. Passing the previous version as `before` saves time."""
    from gdl.editing.document import Document

    return Document(text, name, before)

"""The digest of a rulesheet: the same for texts that say the same, another for another game."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from gdl.syntax import Form


def digest(forms: Iterable[Form]) -> str:
    """A digest that identifies rules, in hexadecimal.

    Comments, layout, case and the order of the statements do not matter.
    """
    statements = sorted(str(form).lower() for form in forms)
    return hashlib.sha256("\n".join(statements).encode()).hexdigest()

"""A rulesheet that is being written, and all services for it."""

from __future__ import annotations

from functools import cached_property

from gdl.check import Severity
from gdl.editing import completion, cures, hovering, renaming
from gdl.editing import outline as outlines
from gdl.editing.draft import Draft
from gdl.editing.hovering import FirstState
from gdl.editing.occurrences import Occurrence
from gdl.editing.seen import values_seen
from gdl.errors import GdlSyntaxError
from gdl.kif.printer import format_kif


class Document(Draft):
    """A version of a text, with all services for who writes it; see `Draft`."""

    hover = hovering.hover

    def definitions(self, offset: int) -> list[Occurrence]:
        """The places where the symbol at an offset is defined."""
        one = self.at(offset)
        return self.index.definitions(one.symbol) if one else []

    def references(self, offset: int) -> list[Occurrence]:
        """All places of the symbol at an offset."""
        one = self.at(offset)
        return self.index.places(one.symbol) if one else []

    renameable = renaming.renameable
    rename = renaming.rename
    completions = completion.completions
    begun = completion.begun
    fact_at = hovering.fact_at
    cures = cures.cures

    @cached_property
    def first_state(self) -> FirstState:
        """Explains why facts hold in the first state, and why not."""
        return FirstState(self.rulesheet if self.is_sound else None)

    @cached_property
    def has_errors(self) -> bool:
        """Whether something in it cannot be meant."""
        return any(found.severity is Severity.ERROR for found in self.diagnostics)

    outline = cached_property(outlines.outline)
    colours = cached_property(outlines.colours)

    def values_seen(self, seconds: float = 2.0) -> dict[str, list[list[str]]]:
        """The values of arguments in random games, as `hover` takes them; none if unplayable."""
        if not self.is_sound or self.rulesheet is None:
            return {}
        return values_seen(self.rulesheet, seconds=seconds)

    def formatted(self) -> str:
        """The text in a regular layout; GdlSyntaxError for faults, and for Epilog."""
        if self.is_epilog:
            raise GdlSyntaxError("expected prefix KIF; Epilog is not laid out")
        return format_kif(self.text, self.name)

"""A rulesheet that is being written: whatever can be said of its text as it stands just now."""

from __future__ import annotations

from functools import cached_property

from gdl.check import Diagnostic, Severity
from gdl.editing import completion, hovering, outline, renaming
from gdl.editing.colours import Colour, colours
from gdl.editing.cures import Cure, cures
from gdl.editing.draft import Draft
from gdl.editing.explaining import FirstState, fact_at
from gdl.editing.occurrences import Occurrence
from gdl.editing.seen import values_seen
from gdl.editing.writing import Edit
from gdl.errors import GdlSyntaxError
from gdl.kif import format_kif


class Document(Draft):
    """A version of a text, with all services for who writes it; see `Draft`."""

    def hover(self, offset: int, seen: hovering.Seen | None = None) -> hovering.Hover | None:
        """What is to be said of the symbol at an offset; None where there is none.

        Args:
            offset: Of a character.
            seen: The values that were found by playing, if somebody has played.
        """
        return hovering.hover(self, offset, seen or {})

    def definitions(self, offset: int) -> list[Occurrence]:
        """Where the symbol at an offset is defined."""
        one = self.at(offset)
        return self.index.definitions(one.symbol) if one else []

    def references(self, offset: int) -> list[Occurrence]:
        """All places of the symbol at an offset."""
        one = self.at(offset)
        return self.index.places(one.symbol) if one else []

    def renameable(self, offset: int) -> Occurrence:
        """The symbol at an offset, which may have another name.

        Raises:
            RenamingError: There is none, or its name has a meaning.
        """
        return renaming.renameable(self, offset)

    def rename(self, offset: int, name: str) -> list[Edit]:
        """The changes that give the symbol at an offset another name, and nothing else.

        Raises:
            RenamingError: This would change the game, or is no name.
        """
        return renaming.rename(self, offset, name)

    def completions(self, offset: int) -> list[completion.Completion]:
        """Words that may stand at an offset, the likeliest first."""
        return completion.completions(self, offset)

    def begun(self, offset: int) -> int:
        """Where the word begins that ends at an offset; the offset itself if none does."""
        return completion.begun(self, offset)

    def fact_at(self, offset: int) -> str:
        """The fact that a word at an offset says, which `first_state` can explain; else empty."""
        return fact_at(self, offset)

    @cached_property
    def first_state(self) -> FirstState:
        """Explains why facts hold in the first state, and why not."""
        return FirstState(self.rulesheet if self.is_sound else None)

    @cached_property
    def has_errors(self) -> bool:
        """Whether something in it cannot be meant."""
        return any(found.severity is Severity.ERROR for found in self.diagnostics)

    @cached_property
    def outline(self) -> list[outline.Entry]:
        """What the statements are about, in order."""
        return outline.outline(self)

    @cached_property
    def colours(self) -> list[Colour]:
        """The words and comments, each with what it is."""
        return colours(self)

    def cures(self, diagnostic: Diagnostic) -> list[Cure]:
        """Changes that do what a finding asks for; none if only its author can know."""
        return cures(self, diagnostic)

    def values_seen(self, seconds: float = 2.0) -> dict[str, list[list[str]]]:
        """The values of arguments in random games, as `hover` takes them; none if unplayable."""
        if not self.is_sound or self.rulesheet is None:
            return {}
        return values_seen(self.rulesheet, seconds=seconds)

    def formatted(self) -> str:
        """The text in a regular layout.

        Raises:
            GdlSyntaxError: A parenthesis has no partner, or it is Epilog, which is not laid out.
        """
        if self.is_epilog:
            raise GdlSyntaxError("expected prefix KIF; Epilog is not laid out")
        return format_kif(self.text, self.name)

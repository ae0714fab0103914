"""Origin of a translated rulesheet, so that findings speak of what its author has written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gdl.errors import Span

Remark = tuple[str, Span, str]


@dataclass(frozen=True, slots=True)
class Origin:
    """Additions of the translation from another notation; none for prefix KIF.

    Attributes:
        is_epilog: Whether the author has written Epilog.
        builtins: Relations that the notation itself defines, and how many arguments each has, in
            words. As facts they are there only where they can hold.
        generated: Names of relations that nobody has written.
        is_sequential: Whether facts of the state stand in conditions without `true`.
        remarks: What an author should know of how it was read: code of the check, place, words.
    """

    is_epilog: bool = False
    builtins: Mapping[str, str] = field(default_factory=dict)
    generated: frozenset[str] = frozenset()
    is_sequential: bool = False
    remarks: tuple[Remark, ...] = ()

    @property
    def given(self) -> frozenset[str]:
        """Names of all relations that are not the author's own."""
        return self.generated | self.builtins.keys()

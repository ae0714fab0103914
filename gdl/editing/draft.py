"""One version of a text that is being edited, and the results of parsing it."""

from __future__ import annotations

from gdl.check import Diagnostic, check, check_read
from gdl.editing.index import Index, Occurrence, at, occurrences
from gdl.epilog.reader import read_faulty_forms
from gdl.epilog.sequential import is_sequential
from gdl.errors import GdlError, GdlSyntaxError, Source
from gdl.kif import Comment, Tokens, read_scanned_kif, rescan, scan
from gdl.lazy import lazy_property
from gdl.notation import is_epilog, read_faulty_rules
from gdl.rulesheet import Rulesheet
from gdl.syntax import Form, Word

_MAX_PASSES = 20  # in each pass, the errors that the parser reported are replaced by blanks


class Draft:
    """Version of a rulesheet's text. The next version reuses its tokens instead of scanning again.

    No method raises an error because of faults in the text. All offsets count characters.
    """

    def __init__(self, text: str, name: str = "<text>", before: Draft | None = None) -> None:
        self.source = Source(name, text)
        self.text = self.source.text
        self.name = name
        self.is_epilog = is_epilog(self.text)
        self.tokens: Tokens = []
        if not self.is_epilog:
            is_known = before is not None and not before.is_epilog
            self.tokens = (
                rescan(self.source, before.source, before.tokens)
                if is_known and before is not None
                else scan(self.source)
            )

    @lazy_property
    def _read(self) -> tuple[Rulesheet | None, tuple[GdlSyntaxError, ...]]:
        if not self.is_epilog:
            return read_scanned_kif(self.tokens, self.name)
        try:
            return read_faulty_rules(self.text, self.name)
        except GdlError:
            return None, ()

    @property
    def rulesheet(self) -> Rulesheet | None:
        """Rulesheet of the readable part of the text, or None for meaningless Epilog."""
        return self._read[0]

    @property
    def is_sound(self) -> bool:
        """Whether the text has no syntax errors."""
        return self.rulesheet is not None and not self._read[1]

    @lazy_property
    def statements(self) -> tuple[Form, ...]:
        """Statements as written, without translation. If the text has faults, the readable ones."""
        if not self.is_epilog:
            assert self.rulesheet is not None
            return self.rulesheet.forms
        forms = _readable(self.text, self.name)
        if forms and isinstance(forms[0], Word) and forms[0].text == "ruleset":
            forms = forms[1:]
        return forms

    @lazy_property
    def wrap_end(self) -> int | None:
        """Offset of the ')' that closes a group around all statements, or None if there is none."""
        words = [token for token in self.tokens if isinstance(token, Word)]
        if [word.text for word in words[:2]] != ["(", "("] or not self.statements:
            return None
        end = words[-1].span.start
        return end if end >= self.statements[-1].span.end else None

    @lazy_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Findings of `gdl.check` in the text."""
        if self.is_epilog:
            return check(self.text, self.name)
        rulesheet, faults = self._read
        assert rulesheet is not None
        return check_read(rulesheet, faults)

    @lazy_property
    def comments(self) -> tuple[tuple[int, int], ...]:
        """Start and end of each comment in prefix KIF."""
        return tuple(
            (token.span.start, token.span.end)
            for token in self.tokens
            if isinstance(token, Comment)
        )

    @lazy_property
    def index(self) -> Index:
        """Index of the symbols in the text."""
        found = occurrences(
            self.statements,
            is_epilog=self.is_epilog,
            is_sequential=self.is_epilog and is_sequential(self.statements),
        )
        return Index(found, self.statements, self.rulesheet)

    def at(self, offset: int) -> Occurrence | None:
        """Return the occurrence of a symbol that contains `offset` or ends there, or None."""
        return at(self.index.occurrences, offset)

    def statement_at(self, offset: int) -> Form | None:
        """Return the statement that contains an offset, or None."""
        for statement in self.statements:
            if statement.span.start <= offset < max(statement.span.end, statement.span.start + 1):
                return statement
        return None

    def text_of(self, found: Diagnostic) -> str:
        """Return the text that a finding marks."""
        return self.text[found.span.start : found.span.end]


def _readable(text: str, name: str) -> tuple[Form, ...]:
    forms, errors = read_faulty_forms(text, name)
    for _ in range(_MAX_PASSES):
        if forms or not errors:
            break
        for span in (error.span for error in errors if error.span is not None):
            text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
        forms, errors = read_faulty_forms(text, name)
    return forms

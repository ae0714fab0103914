"""A text that is open in an editor: its newest version, and the places in it."""

from __future__ import annotations

import asyncio
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException

import gdl
from ggp.lsp.worker import WORK_SECONDS, Worker
from ggp.naming.annotations import with_annotations

R = TypeVar("R")

MAX_CHARACTERS: Final = 500_000
"""Of a text that is analysed; the largest bundled game has 7,000."""
MAX_FINDINGS: Final = 1000
MAX_ITEMS: Final = 2000
"""Of a list that an editor shows."""
MAX_COLOURS: Final = 50_000
_LINE_END = re.compile(r"\r\n|\r|\n")
_UNITS = {
    types.PositionEncodingKind.Utf8: "utf-8",
    types.PositionEncodingKind.Utf16: "utf-16-le",
}


class Places:
    """The lines of one text."""

    def __init__(
        self,
        text: str,
        encoding: types.PositionEncodingKind = types.PositionEncodingKind.Utf16,
    ) -> None:
        self._text = text
        self._codec = _UNITS.get(encoding, "")
        self._unit = 2 if self._codec == "utf-16-le" else 1
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        self._is_ascii = text.isascii()

    def position(self, offset: int) -> types.Position:
        """The line and column of an offset."""
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        return types.Position(line, self._width(self._text[start:offset]))

    def offset(self, position: types.Position) -> int:
        """The offset of a line and column; the nearest one if the text has no such place."""
        if position.line < 0:
            return 0
        if position.line >= len(self._starts):
            return len(self._text)
        start = self._starts[position.line]
        is_last = position.line + 1 == len(self._starts)
        end = len(self._text) if is_last else self._starts[position.line + 1]
        line = self._text[start:end].rstrip("\r\n")
        column = max(0, position.character)
        if self._is_ascii or not self._codec:
            return start + min(column, len(line))
        width = 0
        for index, char in enumerate(line):
            if width >= column:
                return start + index
            width += self._width(char)
        return start + len(line)

    def range(self, start: int, end: int) -> types.Range:
        """The range of the characters from one offset to another."""
        return types.Range(self.position(start), self.position(end))

    def width(self, start: int, end: int) -> int:
        """The columns that the characters from one offset to another take in a line."""
        return self._width(self._text[start:end])

    def _width(self, text: str) -> int:
        if not self._codec or text.isascii():
            return len(text)
        return len(text.encode(self._codec, "surrogatepass")) // self._unit


class RequestError(JsonRpcException):
    """A request that cannot be carried out, for a reason that its user should read."""

    CODE = types.LSPErrorCodes.RequestFailed.value
    MESSAGE = "The request failed"


class OutdatedError(JsonRpcException):
    """A request about a text that was changed before it could be answered."""

    CODE = types.LSPErrorCodes.ContentModified.value
    MESSAGE = "The text was changed"


class Version:
    """One version of a text.

    Attributes:
        trouble: Why nothing can be said of it; empty if it is not known to be too large.
    """

    def __init__(
        self,
        name: str,
        text: str,
        encoding: types.PositionEncodingKind,
        number: int | None = None,
        before: gdl.Document | None = None,
    ) -> None:
        self.number = number
        self.text = text
        self.trouble = ""
        if len(text) > MAX_CHARACTERS:
            self.trouble = f"a text of more than {MAX_CHARACTERS:,} characters is not analysed"
        self._name = name
        self._encoding = encoding
        self._before = before
        self._document: gdl.Document | None = None
        self._places: Places | None = None

    @property
    def document(self) -> gdl.Document:
        """The language services for it."""
        if self._document is None:
            self._document = gdl.document(self.text, self._name, self._before)
            self._before = None
        return self._document

    @property
    def places(self) -> Places:
        """Its lines."""
        if self._places is None:
            self._places = Places(self.text, self._encoding)
        return self._places

    def following(self, text: str, number: int | None) -> Version:
        """The next version."""
        before = self._document or self._before
        return Version(self._name, text, self._encoding, number, before)


class OpenDocument:
    """A text in an editor, its findings, and the work on it that is under way.

    Attributes:
        sound: The newest version that was checked and had no error; None if there is none.
        played: Findings of playing the newest version, as the sandbox gives them.
        seen: The values of arguments in games, of the newest version that could be played.
        check_seconds: How long the next check should wait, as the last one took long.
    """

    def __init__(self, uri: str, version: Version) -> None:
        self.uri = uri
        self.version = version
        self.sound: Version | None = None
        self.played: list[dict[str, Any]] = []
        self.seen: dict[str, list[list[str]]] = {}
        self.check_seconds = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._check: asyncio.Task[None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._worker = Worker()

    def replace(self, text: str, number: int | None) -> None:
        """Take a newer version of the text; the work on the old one ends."""
        self._stop_checking()
        self.version = self.version.following(text, number)
        self.played = []

    async def ask(self, question: Callable[[Version], R]) -> R:
        """The answer to a question on the newest version, found without holding up anybody else.

        Raises:
            RequestError: It cannot be worked out within the bounds.
            OutdatedError: There is a newer version by now.
        """
        version = self.version
        if version.trouble:
            raise RequestError(version.trouble)
        work = asyncio.ensure_future(self._worker.do(partial(question, version)))
        try:
            await asyncio.wait([work])
        finally:
            work.cancel()  # of no use if whoever asked has gone
        if work.cancelled():
            raise OutdatedError
        try:
            return work.result()
        except TimeoutError:
            version.trouble = f"the text cannot be analysed within {WORK_SECONDS:g} s"
            raise RequestError(version.trouble) from None
        except MemoryError:
            raise RequestError("the text takes more memory than there is") from None

    def wait(self, timer: asyncio.TimerHandle) -> None:
        """Keep the timer of the next check; one that was waiting is off."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = timer

    def check(self, task: asyncio.Task[None]) -> None:
        """Keep the check that is under way."""
        self._check = task

    def work(self, task: asyncio.Task[None]) -> None:
        """Keep the play that is under way; one of an older version ends."""
        self.stop_playing()
        self._task = task

    def stop_playing(self) -> None:
        """End the play that is under way."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def close(self) -> None:
        """End all work."""
        self.stop_playing()
        self._stop_checking()
        if self._timer is not None:
            self._timer.cancel()

    def _stop_checking(self) -> None:
        self._worker.drop()
        if self._check is not None:
            self._check.cancel()
            self._check = None


SOURCE = "ggp"
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
_NEEDLESS = ("unused", "duplicate", "without-effect")


class _Kind(NamedTuple):
    symbol: types.SymbolKind
    completion: types.CompletionItemKind
    token: types.SemanticTokenTypes


_Symbol, _Item, _Token = types.SymbolKind, types.CompletionItemKind, types.SemanticTokenTypes
_KINDS = {
    "keyword": _Kind(_Symbol.Event, _Item.Keyword, _Token.Keyword),
    "comment": _Kind(_Symbol.Function, _Item.Text, _Token.Comment),
    "number": _Kind(_Symbol.Function, _Item.Value, _Token.Number),
    "variable": _Kind(_Symbol.Function, _Item.Variable, _Token.Variable),
    "constant": _Kind(_Symbol.Function, _Item.EnumMember, _Token.EnumMember),
    "function": _Kind(_Symbol.Function, _Item.Struct, _Token.Struct),
    "role": _Kind(_Symbol.Class, _Item.Class, _Token.Class),
    "fact of the state": _Kind(_Symbol.Function, _Item.Field, _Token.Property),
    "move": _Kind(_Symbol.Function, _Item.Event, _Token.Event),
    "percept": _Kind(_Symbol.Function, _Item.Event, _Token.Parameter),
    "static relation": _Kind(_Symbol.Array, _Item.Function, _Token.Method),
    "view": _Kind(_Symbol.Function, _Item.Function, _Token.Function),
    "view that depends on the moves": _Kind(_Symbol.Function, _Item.Function, _Token.Function),
    "relation that nothing defines": _Kind(_Symbol.Function, _Item.Function, _Token.Function),
}
_TOKENS = list(dict.fromkeys(kind.token for kind in _KINDS.values()))
_MODIFIERS = types.SemanticTokenModifiers.Definition, types.SemanticTokenModifiers.Static
_DEFINITION, _STATIC = 1, 2
LEGEND = types.SemanticTokensLegend(
    [token.value for token in _TOKENS], [modifier.value for modifier in _MODIFIERS]
)


def findings_of(
    version: Version, played: Iterable[Mapping[str, Any]]
) -> Iterator[types.Diagnostic]:
    """The findings in a text and those of playing it, of many the first ones."""
    document = version.document
    found = with_annotations(document.diagnostics, version.text, SOURCE, document.rulesheet)
    for one in found[:MAX_FINDINGS]:
        yield _finding(version, one)
    if len(found) > MAX_FINDINGS:
        yield remark(f"the first {MAX_FINDINGS:,} of {len(found):,} findings are shown")
    yield from _play_findings_of(version, islice(played, MAX_FINDINGS))


def remark(text: str) -> types.Diagnostic:
    """A finding about a text as a whole."""
    place = types.Range(types.Position(0, 0), types.Position(0, 0))
    return types.Diagnostic(place, text, types.DiagnosticSeverity.Warning, source=SOURCE)


def _finding(version: Version, found: gdl.Diagnostic) -> types.Diagnostic:
    place = version.places.range(found.span.start, max(found.span.end, found.span.start))
    return types.Diagnostic(
        place,
        found.message,
        _SEVERITIES[str(found.severity)],
        found.code,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if found.code in _NEEDLESS else None,
    )


def _play_findings_of(
    version: Version, played: Iterable[Mapping[str, Any]]
) -> Iterator[types.Diagnostic]:
    for found in played:
        yield _play_finding(version, found)


def _play_finding(version: Version, found: Mapping[str, Any]) -> types.Diagnostic:
    place = version.places.range(*_offsets(version, found))
    severity = _SEVERITIES[found["severity"]]
    return types.Diagnostic(place, found["message"], severity, found["code"], source=SOURCE)


def _offsets(version: Version, place: Mapping[str, Any]) -> tuple[int, int]:
    """The place of a finding or a change that a sandbox has given, which counts from 1."""
    lines = version.text.split("\n")
    before = lines[: min(place["line"], len(lines)) - 1]
    start = sum(len(line) + 1 for line in before) + place["column"] - 1
    return start, min(start + place["length"], len(version.text))


def fixes_of(
    version: Version, uri: str, wanted: tuple[int, int], played: Iterable[Mapping[str, Any]]
) -> Iterator[types.CodeAction]:
    """The cures of findings that overlap the offsets from one to another.

    Args:
        played: Findings of playing this version, as the sandbox gives them.
    """
    document = version.document
    for found in document.diagnostics:
        if found.span.start <= wanted[1] and found.span.end >= wanted[0]:
            cures = [(cure.title, cure.edits) for cure in document.cures(found)]
            yield from _fixes(version, uri, _finding(version, found), cures)
    for one in played:
        start, end = _offsets(version, one)
        if start <= wanted[1] and end >= wanted[0]:
            of_play = [
                (cure["title"], [(*_offsets(version, x), x["text"]) for x in cure["edits"]])
                for cure in one["cures"]
            ]
            yield from _fixes(version, uri, _play_finding(version, one), of_play)


def _fixes(
    version: Version,
    uri: str,
    found: types.Diagnostic,
    cures: Sequence[tuple[str, Sequence[tuple[int, int, str]]]],
) -> Iterator[types.CodeAction]:
    for title, edits in cures:
        yield types.CodeAction(
            title,
            types.CodeActionKind.QuickFix,
            [found],
            is_preferred=len(cures) == 1,
            edit=types.WorkspaceEdit({uri: edits_of(version, edits)}),
        )


def edits_of(version: Version, edits: Iterable[tuple[int, int, str]]) -> list[types.TextEdit]:
    """Changes of a text."""
    return [types.TextEdit(version.places.range(start, end), text) for start, end, text in edits]


def completions_of(version: Version, offset: int) -> types.CompletionList:
    """The words that may stand at an offset, in the order of the service."""
    document = version.document
    place = version.places.range(document.begun(offset), offset)
    items = [
        types.CompletionItem(
            found.word,
            types.CompletionItemLabelDetails(found.detail, found.kind.value),
            _KINDS[found.kind.value].completion,
            detail=f"{found.word}{found.detail}: {found.kind.value}",
            sort_text=f"{number:05}",
            filter_text=found.word,
            text_edit=types.TextEdit(place, found.word),
        )
        for number, found in enumerate(document.completions(offset)[:MAX_ITEMS])
    ]
    return types.CompletionList(len(items) == MAX_ITEMS, items)


def outline_of(version: Version) -> list[types.DocumentSymbol]:
    """The statements of a text as symbols."""
    return [_entry(version, entry) for entry in version.document.outline[:MAX_ITEMS]]


def _entry(version: Version, entry: Any) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        entry.name,
        _KINDS[entry.kind.value].symbol,
        version.places.range(entry.start, entry.end),
        version.places.range(*entry.word),
        entry.detail or None,
        children=[_entry(version, child) for child in entry.children[:MAX_ITEMS]] or None,
    )


def colours_of(version: Version) -> types.SemanticTokens:
    """The words of a text, each with its kind."""
    data: list[int] = []
    line = column = 0
    places = version.places
    for colour in version.document.colours[:MAX_COLOURS]:
        start = places.position(colour.start)
        if "\n" in version.text[colour.start : colour.end]:
            continue  # a string of Epilog may have several lines, a token may not
        data += [
            start.line - line,
            start.character - (column if start.line == line else 0),
            places.width(colour.start, colour.end),
            _TOKENS.index(_KINDS[str(colour.kind)].token),
            _DEFINITION * colour.is_definition + _STATIC * (colour.kind == "static relation"),
        ]
        line, column = start.line, start.character
    return types.SemanticTokens(data)

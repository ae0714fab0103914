"""The parts of a rulesheet that editors show: findings, fixes, completions, outline and colours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from lsprotocol import types

import gdl
from ggp.lsp.open_document import Version
from ggp.naming.annotations import with_annotations

MAX_FINDINGS: Final = 1000
MAX_ITEMS: Final = 2000
"""Maximum number of entries of a list that an editor shows."""
MAX_COLOURS: Final = 50_000
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
    """Yield at most `MAX_FINDINGS` findings in a text, and as many from playing its game."""
    document = version.document
    found = with_annotations(document.diagnostics, version.text, SOURCE, document.rulesheet)
    for one in found[:MAX_FINDINGS]:
        yield _finding(version, one)
    if len(found) > MAX_FINDINGS:
        yield remark(f"the first {MAX_FINDINGS:,} of {len(found):,} findings are shown")
    yield from _play_findings_of(version, islice(played, MAX_FINDINGS))


def remark(text: str) -> types.Diagnostic:
    """Create a finding that concerns the whole text."""
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
    """Convert a place of a sandbox's finding, with line and column from 1, to offsets."""
    lines = version.text.split("\n")
    before = lines[: min(place["line"], len(lines)) - 1]
    start = sum(len(line) + 1 for line in before) + place["column"] - 1
    return start, min(start + place["length"], len(version.text))


def fixes_of(
    version: Version, uri: str, wanted: tuple[int, int], played: Iterable[Mapping[str, Any]]
) -> Iterator[types.CodeAction]:
    """Yield the fixes of findings that overlap the offsets `wanted`.

    Args:
        played: Findings from playing this version, in the form that the sandbox returns.
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
    """Convert changes of a text to text edits of the protocol."""
    return [types.TextEdit(version.places.range(start, end), text) for start, end, text in edits]


def completions_of(version: Version, offset: int) -> types.CompletionList:
    """Return the words that may be typed at an offset, in the order of `gdl.document`."""
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
    """Return the statements of a text as symbols."""
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
    """Return the words of a text as semantic tokens with their kinds."""
    data: list[int] = []
    line = column = 0
    places = version.places
    for colour in version.document.colours[:MAX_COLOURS]:
        start = places.position(colour.start)
        if "\n" in version.text[colour.start : colour.end]:
            continue  # a string in Epilog may span several lines, but a token must not
        data += [
            start.line - line,
            start.character - (column if start.line == line else 0),
            places.width(colour.start, colour.end),
            _TOKENS.index(_KINDS[str(colour.kind)].token),
            _DEFINITION * colour.is_definition + _STATIC * (colour.kind == "static relation"),
        ]
        line, column = start.line, start.character
    return types.SemanticTokens(data)

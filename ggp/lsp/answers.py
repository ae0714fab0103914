"""The findings of the language services, in the words of the protocol."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from lsprotocol import types

import gdl
from ggp.lsp.open_document import Version

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


def findings_of(version: Version) -> Iterator[types.Diagnostic]:
    """The findings in a text."""
    for found in version.document.diagnostics:
        yield _finding(version, found)


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


def play_findings_of(
    version: Version, played: Iterable[Mapping[str, Any]]
) -> Iterator[types.Diagnostic]:
    """The findings of playing the game."""
    lines = version.text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for found in played:
        start = starts[min(found["line"], len(lines)) - 1] + found["column"] - 1
        place = version.places.range(start, min(start + found["length"], len(version.text)))
        severity = _SEVERITIES[found["severity"]]
        yield types.Diagnostic(place, found["message"], severity, found["code"], source=SOURCE)


def fixes_of(version: Version, uri: str, wanted: tuple[int, int]) -> Iterator[types.CodeAction]:
    """The cures of findings that overlap the offsets from one to another."""
    document = version.document
    for found in document.diagnostics:
        if found.span.start > wanted[1] or found.span.end < wanted[0]:
            continue
        cures = document.cures(found)
        for cure in cures:
            yield types.CodeAction(
                cure.title,
                types.CodeActionKind.QuickFix,
                [_finding(version, found)],
                is_preferred=len(cures) == 1,
                edit=types.WorkspaceEdit({uri: edits_of(version, cure.edits)}),
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
        for number, found in enumerate(document.completions(offset))
    ]
    return types.CompletionList(False, items)


def outline_of(version: Version) -> list[types.DocumentSymbol]:
    """The statements of a text as symbols."""
    return [_entry(version, entry) for entry in version.document.outline]


def _entry(version: Version, entry: Any) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        entry.name,
        _KINDS[entry.kind.value].symbol,
        version.places.range(entry.start, entry.end),
        version.places.range(*entry.word),
        entry.detail or None,
        children=[_entry(version, child) for child in entry.children] or None,
    )


def colours_of(version: Version) -> types.SemanticTokens:
    """The words of a text, each with its kind."""
    data: list[int] = []
    line = column = 0
    places = version.places
    for colour in version.document.colours:
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

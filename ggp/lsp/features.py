"""The features of the protocol: each asks a language service, and gives its answer on."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from lsprotocol import types

import gdl
from ggp.lsp import answers, commands
from ggp.lsp.open_document import Version
from ggp.lsp.server import GdlServer, RequestError


def server(*, is_playing: bool = True) -> GdlServer:
    """A language server with all its features.

    Args:
        is_playing: Whether games are played, to find what only shows then.
    """
    made = GdlServer(is_playing=is_playing)
    for method, answer in _FEATURES.items():
        made.add(method, answer, _OPTIONS.get(method))
    for name, command in commands.COMMANDS.items():
        made.command(name)(command)
    return made


# --- The texts --------------------------------------------------------------------------------


async def _open(ls: GdlServer, params: types.DidOpenTextDocumentParams) -> None:
    opened = params.text_document
    ls.open(opened.uri, opened.text, opened.version)


async def _change(ls: GdlServer, params: types.DidChangeTextDocumentParams) -> None:
    changed = params.text_document
    text = ls.workspace.get_text_document(changed.uri).source
    ls.replace(changed.uri, text, changed.version)


async def _save(ls: GdlServer, params: types.DidSaveTextDocumentParams) -> None:
    ls.saved(params.text_document.uri)


async def _close(ls: GdlServer, params: types.DidCloseTextDocumentParams) -> None:
    uri = params.text_document.uri
    ls.close(uri)
    ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


async def _shutdown(ls: GdlServer, _params: Any) -> None:
    await ls.end()


# --- Symbols ----------------------------------------------------------------------------------


def _at(ls: GdlServer, params: Any) -> tuple[Version, int]:
    """The text that a request is about, and the offset in it."""
    version = ls.opened(params.text_document.uri).version
    return version, version.places.offset(params.position)


async def _hover(ls: GdlServer, params: types.HoverParams) -> types.Hover | None:
    """What a symbol is; and of a fact whether it holds in the first state, if that is soon known.

    It is explained by the newest text that can be read.
    """
    begin = time.monotonic()
    version, offset = _at(ls, params)
    opened = ls.opened(params.text_document.uri)
    found = version.document.hover(offset, opened.seen)
    if found is None:
        return None
    text = (opened.sound or version).text
    why = await ls.explanations.of(text, version.document.fact_at(offset), begin)
    told = types.MarkupContent(
        types.MarkupKind.Markdown, "\n\n".join(filter(None, (found.text, why)))
    )
    return types.Hover(told, version.places.range(found.start, found.end))


def _definition(ls: GdlServer, params: types.DefinitionParams) -> list[types.Location]:
    version, offset = _at(ls, params)
    return [
        types.Location(params.text_document.uri, version.places.range(one.start, one.end))
        for one in version.document.definitions(offset)
    ]


def _references(ls: GdlServer, params: types.ReferenceParams) -> list[types.Location]:
    version, offset = _at(ls, params)
    document = version.document
    left_out = set() if params.context.include_declaration else set(document.definitions(offset))
    return [
        types.Location(params.text_document.uri, version.places.range(one.start, one.end))
        for one in document.references(offset)
        if one not in left_out
    ]


def _highlight(
    ls: GdlServer, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight]:
    version, offset = _at(ls, params)
    return [
        types.DocumentHighlight(version.places.range(one.start, one.end))
        for one in version.document.references(offset)
    ]


def _prepare_rename(ls: GdlServer, params: types.PrepareRenameParams) -> types.Range:
    version, offset = _at(ls, params)
    try:
        one = version.document.renameable(offset)
    except gdl.GdlError as error:
        raise RequestError(error.message) from error
    return version.places.range(one.start, one.end)


def _rename(ls: GdlServer, params: types.RenameParams) -> types.WorkspaceEdit:
    version, offset = _at(ls, params)
    try:
        edits = version.document.rename(offset, params.new_name)
    except gdl.GdlError as error:
        raise RequestError(error.message) from error
    return types.WorkspaceEdit({params.text_document.uri: answers.edits_of(version, edits)})


def _completion(ls: GdlServer, params: types.CompletionParams) -> types.CompletionList:
    version, offset = _at(ls, params)
    return answers.completions_of(version, offset)


# --- The whole text ---------------------------------------------------------------------------


def _symbols(ls: GdlServer, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    return answers.outline_of(ls.opened(params.text_document.uri).version)


def _colours(ls: GdlServer, params: types.SemanticTokensParams) -> types.SemanticTokens:
    return answers.colours_of(ls.opened(params.text_document.uri).version)


def _format(ls: GdlServer, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    version = ls.opened(params.text_document.uri).version
    try:
        text = version.document.formatted()
    except gdl.GdlSyntaxError as error:
        raise RequestError(f"not formatted: {error}") from error
    if text == version.text:
        return []
    return answers.edits_of(version, [(0, len(version.text), text)])


def _fixes(ls: GdlServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    only = params.context.only
    if only and not any(types.CodeActionKind.QuickFix.startswith(kind) for kind in only):
        return []
    version = ls.opened(params.text_document.uri).version
    start, end = map(version.places.offset, (params.range.start, params.range.end))
    return list(answers.fixes_of(version, params.text_document.uri, (start, end)))


def _lenses(ls: GdlServer, params: types.CodeLensParams) -> list[types.CodeLens]:
    uri = params.text_document.uri
    return commands.lenses_of(ls.opened(uri).version, uri)


_FEATURES: dict[str, Callable[..., Any]] = {
    types.TEXT_DOCUMENT_DID_OPEN: _open,
    types.TEXT_DOCUMENT_DID_CHANGE: _change,
    types.TEXT_DOCUMENT_DID_SAVE: _save,
    types.TEXT_DOCUMENT_DID_CLOSE: _close,
    types.SHUTDOWN: _shutdown,
    types.TEXT_DOCUMENT_HOVER: _hover,
    types.TEXT_DOCUMENT_DEFINITION: _definition,
    types.TEXT_DOCUMENT_REFERENCES: _references,
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: _highlight,
    types.TEXT_DOCUMENT_PREPARE_RENAME: _prepare_rename,
    types.TEXT_DOCUMENT_RENAME: _rename,
    types.TEXT_DOCUMENT_COMPLETION: _completion,
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: _symbols,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: _colours,
    types.TEXT_DOCUMENT_FORMATTING: _format,
    types.TEXT_DOCUMENT_CODE_ACTION: _fixes,
    types.TEXT_DOCUMENT_CODE_LENS: _lenses,
}
_OPTIONS: dict[str, object] = {
    types.TEXT_DOCUMENT_COMPLETION: types.CompletionOptions(trigger_characters=["(", "?"]),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: answers.LEGEND,
    types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionOptions([types.CodeActionKind.QuickFix]),
    types.TEXT_DOCUMENT_RENAME: types.RenameOptions(prepare_provider=True),
    types.TEXT_DOCUMENT_DID_SAVE: types.SaveOptions(include_text=False),
}

"""The protocol's features and commands. They use `gdl.document`, or ask a separate process."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls import uris

import gdl
from ggp.lsp.descriptions import (
    LEGEND,
    MAX_COLOURS,
    MAX_FINDINGS,
    MAX_ITEMS,
    colours_of,
    completions_of,
    edits_of,
    fixes_of,
    outline_of,
)
from ggp.lsp.open_document import RequestError, Version
from ggp.lsp.server import GdlServer
from ggp.processes.children import end_process, start_module
from ggp.sandbox import SandboxError

R = TypeVar("R")


def server(*, is_playing: bool = True) -> GdlServer:
    """Create a language server with all its features."""
    made = GdlServer(is_playing=is_playing)
    for method, answer in _FEATURES.items():
        made.add(method, answer, _OPTIONS.get(method))
    for name, command in _COMMANDS.items():
        made.command(name)(command)
    return made


# --- Texts ------------------------------------------------------------------------------------


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


async def _hover(ls: GdlServer, params: types.HoverParams) -> types.Hover | None:
    """Return a description of a symbol. For a fact, also explain why it holds initially or why not.

    Leave out this explanation if it takes too long. It uses the newest text that has no errors.
    """
    begin = time.monotonic()
    opened = ls.opened(params.text_document.uri)

    def shown(version: Version) -> tuple[str, types.Range, str] | None:
        offset = version.places.offset(params.position)
        found = version.document.hover(offset, opened.seen)
        if found is None:
            return None
        place = version.places.range(found.start, found.end)
        return found.text, place, version.document.fact_at(offset)

    text = (opened.sound or opened.version).text
    found = await opened.ask(shown)
    if found is None:
        return None
    what, place, fact = found
    why = await ls.explanations.of(text, fact, begin)
    parts = "\n\n".join(filter(None, (what, why)))
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, parts), place)


async def _at(ls: GdlServer, params: Any, question: Callable[[Version, int], R]) -> R:
    """Return the answer to a question about the place that a request refers to."""
    opened = ls.opened(params.text_document.uri)
    return await opened.ask(lambda one: question(one, one.places.offset(params.position)))


async def _definition(ls: GdlServer, params: types.DefinitionParams) -> list[types.Location]:
    uri = params.text_document.uri
    return await _at(
        ls, params, lambda one, offset: _locations(uri, one, one.document.definitions(offset))
    )


async def _references(ls: GdlServer, params: types.ReferenceParams) -> list[types.Location]:
    def found(version: Version, offset: int) -> list[types.Location]:
        document = version.document
        is_all = params.context.include_declaration
        left_out = set() if is_all else set(document.definitions(offset))
        places = [one for one in document.references(offset) if one not in left_out]
        return _locations(params.text_document.uri, version, places)

    return await _at(ls, params, found)


def _locations(uri: str, version: Version, spans: Iterable[Any]) -> list[types.Location]:
    return [
        types.Location(uri, version.places.range(one.start, one.end))
        for one in islice(spans, MAX_ITEMS)
    ]


async def _highlight(
    ls: GdlServer, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight]:
    def found(version: Version, offset: int) -> list[types.DocumentHighlight]:
        places = version.document.references(offset)[:MAX_ITEMS]
        return [types.DocumentHighlight(version.places.range(one.start, one.end)) for one in places]

    return await _at(ls, params, found)


async def _prepare_rename(ls: GdlServer, params: types.PrepareRenameParams) -> types.Range:
    def found(version: Version, offset: int) -> types.Range:
        one = version.document.renameable(offset)
        return version.places.range(one.start, one.end)

    try:
        return await _at(ls, params, found)
    except gdl.GdlError as error:
        raise RequestError(error.message) from error


async def _rename(ls: GdlServer, params: types.RenameParams) -> types.WorkspaceEdit:
    def found(version: Version, offset: int) -> list[types.TextEdit]:
        edits = version.document.rename(offset, params.new_name)
        if len(edits) > MAX_COLOURS:
            raise RequestError(
                f"this name occurs at more than {MAX_COLOURS:,} places, so it is not renamed"
            )
        return edits_of(version, edits)

    try:
        return types.WorkspaceEdit({params.text_document.uri: await _at(ls, params, found)})
    except gdl.GdlError as error:
        raise RequestError(error.message) from error


async def _completion(ls: GdlServer, params: types.CompletionParams) -> types.CompletionList:
    return await _at(ls, params, completions_of)


# --- The whole text ---------------------------------------------------------------------------


async def _symbols(ls: GdlServer, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    return await ls.opened(params.text_document.uri).ask(outline_of)


async def _colours(ls: GdlServer, params: types.SemanticTokensParams) -> types.SemanticTokens:
    return await ls.opened(params.text_document.uri).ask(colours_of)


async def _format(ls: GdlServer, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    def found(version: Version) -> list[types.TextEdit]:
        text = version.document.formatted()
        if text == version.text:
            return []
        return edits_of(version, [(0, len(version.text), text)])

    try:
        return await ls.opened(params.text_document.uri).ask(found)
    except gdl.GdlSyntaxError as error:
        raise RequestError(f"not formatted: {error}") from error


async def _fixes(ls: GdlServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    only = params.context.only
    if only and not any(types.CodeActionKind.QuickFix.startswith(kind) for kind in only):
        return []
    uri = params.text_document.uri
    played = ls.opened(uri).played

    def found(version: Version) -> list[types.CodeAction]:
        start, end = map(version.places.offset, (params.range.start, params.range.end))
        return list(islice(fixes_of(version, uri, (start, end), played), MAX_FINDINGS))

    return await ls.opened(uri).ask(found)


# --- Commands ---------------------------------------------------------------------------------

PLAY, DRAW, WHY = "ggp.play", "ggp.draw", "ggp.why"
DRAW_SECONDS = 60.0
_MAX_OUTPUT = 1 << 20


async def _lenses(ls: GdlServer, params: types.CodeLensParams) -> list[types.CodeLens]:
    uri = params.text_document.uri
    return await ls.opened(uri).ask(lambda version: _lenses_of(version, uri)[:MAX_ITEMS])


def _lenses_of(version: Version, uri: str) -> list[types.CodeLens]:
    is_begun, found = False, list[types.CodeLens]()

    def add(title: str, command: str, *arguments: str) -> None:
        run = types.Command(title, command, arguments=[uri, *arguments])
        found.append(types.CodeLens(place, run))

    for entry in version.document.outline:
        word, _, subject = entry.name.partition(" ")
        place = version.places.range(*entry.word)
        if word == "role" and subject and not subject.startswith("?") and not entry.children:
            add(f"play as {subject}", PLAY, subject)
        if word == "init" and not is_begun:
            is_begun = True
            add("play from here", PLAY, "")
            add("draw", DRAW)
    return found


async def _play(ls: GdlServer, uri: str, role: str) -> dict[str, object]:
    """Return the command line that plays the game in a terminal of the editor."""
    file = _file_of(ls, uri)
    command = [sys.executable, "-m", "ggp", "play", str(file)]
    if role:
        command += ["--as", role]
    return {"command": command, "title": f"ggp play {file.name}"}


async def _draw(ls: GdlServer, uri: str) -> dict[str, object]:
    file = _file_of(ls, uri)
    picture = ls.folder_of(uri) / f"{file.stem}.svg"
    arguments = ("games", str(file), "--picture", str(picture))
    process = await start_module(
        "ggp", *arguments, stderr=asyncio.subprocess.PIPE, limit=_MAX_OUTPUT
    )
    try:
        async with asyncio.timeout(DRAW_SECONDS):
            _, complaint = await process.communicate()
    except TimeoutError:
        raise RequestError(f"the game was not drawn in {DRAW_SECONDS:g} s") from None
    finally:
        await end_process(process)
    if process.returncode:
        raise RequestError(complaint.decode(errors="replace").strip() or "nothing was drawn")
    shown = uris.from_fs_path(str(picture))
    window = ls.client_capabilities.window
    if shown and window and window.show_document and window.show_document.support:
        ls.window_show_document(types.ShowDocumentParams(shown, take_focus=False))
    return {"file": str(picture)}


async def _why(ls: GdlServer, uri: str, fact: str, moves: str = "") -> dict[str, object]:
    """Return an explanation of why a fact holds after moves, or why not.

    It uses the newest text that has no errors.
    """
    opened = ls.opened(uri)
    text = (opened.sound or opened.version).text
    try:
        return {"text": await ls.explanations.why(text, str(fact), str(moves))}
    except SandboxError as error:
        raise RequestError(str(error)) from error


def _file_of(ls: GdlServer, uri: str) -> Path:
    """Return the file of a text, or of a copy if the text has unsaved changes."""
    text = ls.opened(uri).version.text
    path = Path(uris.to_fs_path(uri) or "rules.kif")
    try:
        if path.read_text(encoding="utf-8") == text:
            return path
    except (OSError, ValueError):
        pass  # not saved yet
    copy = ls.folder_of(uri) / f"{path.stem or 'rules'}.kif"
    copy.write_text(text, encoding="utf-8", errors="replace")
    return copy


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
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: LEGEND,
    types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionOptions([types.CodeActionKind.QuickFix]),
    types.TEXT_DOCUMENT_RENAME: types.RenameOptions(prepare_provider=True),
    types.TEXT_DOCUMENT_DID_SAVE: types.SaveOptions(include_text=False),
}
_COMMANDS: dict[str, Callable[..., Any]] = {PLAY: _play, DRAW: _draw, WHY: _why}

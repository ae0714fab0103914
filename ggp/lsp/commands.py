"""What an editor can run: play the game from its first state, draw that, and ask why."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls import uris

from ggp.lsp.open_document import Version
from ggp.lsp.server import GdlServer, RequestError
from ggp.processes import end_process, start_module
from ggp.sandbox import SandboxError

PLAY, DRAW, WHY = "ggp.play", "ggp.draw", "ggp.why"
DRAW_SECONDS = 60.0
_MAX_OUTPUT = 1 << 20


def lenses_of(version: Version, uri: str) -> list[types.CodeLens]:
    """What may be run at the lines of a text: at the first state, and at each role."""
    return list(_lenses(version, uri))


def _lenses(version: Version, uri: str) -> Iterator[types.CodeLens]:
    is_begun = False
    for entry in version.document.outline:
        word, _, subject = entry.name.partition(" ")
        place = version.places.range(*entry.word)
        if word == "role" and subject and not subject.startswith("?") and not entry.children:
            title = f"play as {subject}"
            yield types.CodeLens(place, types.Command(title, PLAY, arguments=[uri, subject]))
        if word == "init" and not is_begun:
            is_begun = True
            yield types.CodeLens(place, types.Command("play from here", PLAY, arguments=[uri, ""]))
            yield types.CodeLens(place, types.Command("draw", DRAW, arguments=[uri]))


async def play(ls: GdlServer, uri: str, role: str) -> dict[str, object]:
    """The command line that plays the game, for a terminal of the editor to run."""
    file = _file_of(ls, uri)
    command = [sys.executable, "-m", "ggp", "play", str(file)]
    if role:
        command += ["--as", role]
    return {"command": command, "title": f"ggp play {file.name}"}


async def draw(ls: GdlServer, uri: str) -> dict[str, object]:
    """Draw the first state, and let the editor show the picture if it can."""
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


async def why(ls: GdlServer, uri: str, fact: str, moves: str = "") -> dict[str, object]:
    """Why a fact holds after moves, or why not, as a text; by the last text without an error."""
    opened = ls.opened(uri)
    text = (opened.sound or opened.version).text
    try:
        return {"text": await ls.explanations.why(text, str(fact), str(moves))}
    except SandboxError as error:
        raise RequestError(str(error)) from error


def _file_of(ls: GdlServer, uri: str) -> Path:
    """The file of a text; one beside, if it was changed since it was saved."""
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


COMMANDS: dict[str, Callable[..., Any]] = {PLAY: play, DRAW: draw, WHY: why}

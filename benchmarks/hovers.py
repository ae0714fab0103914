"""Measure how soon `ggp lsp` answers a hover with an explanation of the first state.

    python benchmarks/hovers.py ../shared/corpus/rules/*.kif

The script opens each file in a server as an editor does, and points at some of its words, evenly
spread over the text. `asked` counts the words for which something may hold in the first state, and
`told` those that were explained in time.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from language_server import read
from lsprotocol import types
from pygls.lsp.client import LanguageClient

import gdl

WORDS = 30
SECONDS_FOR_CHECK = 20.0


@dataclass(frozen=True, slots=True)
class Pointed:
    """One hover.

    Attributes:
        milliseconds: From the request to its answer.
        is_asked: Whether something may hold there.
        is_told: Whether it was said.
    """

    milliseconds: float
    is_asked: bool
    is_told: bool


async def hovers(files: Sequence[Path], num_words: int) -> dict[Path, list[Pointed]]:
    """Point at words of the files, one after the other."""
    client = LanguageClient("benchmark", "1")
    arrived: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
    def _keep(found: types.PublishDiagnosticsParams) -> None:
        arrived.put_nowait(found)

    await client.start_io(sys.executable, "-m", "ggp", "lsp", "--no-play")
    await client.initialize_async(types.InitializeParams(types.ClientCapabilities()))
    found: dict[Path, list[Pointed]] = {}
    for path in files:
        text, uri = read(path), path.resolve().as_uri()
        item = types.TextDocumentItem(uri, "gdl", 0, text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        await asyncio.wait_for(arrived.get(), SECONDS_FOR_CHECK)
        found[path] = await _pointed(client, uri, text, num_words)
        closed = types.TextDocumentIdentifier(uri)
        client.text_document_did_close(types.DidCloseTextDocumentParams(closed))
        await asyncio.wait_for(arrived.get(), SECONDS_FOR_CHECK)
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]
    return found


async def _pointed(client: Any, uri: str, text: str, num_words: int) -> list[Pointed]:
    document = gdl.document(text)
    places = document.index.occurrences
    found = []
    for place in places[:: max(1, len(places) // num_words)]:
        before = text[: place.start]
        column = place.start - (before.rfind("\n") + 1)
        position = types.Position(before.count("\n"), column)
        asked = types.HoverParams(types.TextDocumentIdentifier(uri), position)
        begin = time.perf_counter()
        answer = await client.text_document_hover_async(asked)
        took = 1000 * (time.perf_counter() - begin)
        is_told = answer is not None and "In the first state" in answer.contents.value
        found.append(Pointed(took, bool(document.fact_at(place.start)), is_told))
    return found


def main() -> int:
    """Point and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("files", nargs="+", type=Path, help="rulesheets")
    parser.add_argument("--words", type=int, default=WORDS, help="words of each file")
    given = parser.parse_args()
    found = asyncio.run(hovers(given.files, given.words))
    times = sorted(one.milliseconds for rows in found.values() for one in rows)
    asked = sum(one.is_asked for rows in found.values() for one in rows)
    told = sum(one.is_told for rows in found.values() for one in rows)
    print(f"{len(found)} files, {len(times)} hovers, {asked} asked, {told} told")
    cut = statistics.quantiles(times, n=100)
    print(f"median {cut[49]:.1f} ms, 99 % {cut[98]:.1f} ms, most {times[-1]:.1f} ms")
    slow = {path.stem: max(one.milliseconds for one in rows) for path, rows in found.items()}
    for name, most in sorted(slow.items(), key=lambda item: -item[1])[:5]:
        print(f"{name:32} {most:8.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

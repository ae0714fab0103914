"""Texts that a client of `ggp lsp` has opened."""

from __future__ import annotations

import asyncio
import itertools

from lsprotocol import types
from pytest_lsp import LanguageClient

_numbers = itertools.count()


class Text:
    """A text that the client has opened."""

    def __init__(self, client: LanguageClient, text: str, name: str = "game.kif") -> None:
        self.client = client
        self.uri = f"file:///nowhere/{next(_numbers)}/{name}"
        self.document = types.TextDocumentIdentifier(self.uri)
        self.text = text
        self.version = 0
        item = types.TextDocumentItem(self.uri, "gdl", self.version, text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, text: str) -> None:
        """Tell the server of another version."""
        self.text, self.version = text, self.version + 1
        whole = types.TextDocumentContentChangeWholeDocument(text)
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))

    async def findings(self) -> list[types.Diagnostic]:
        """The next findings that the server publishes of this text."""
        while True:
            await asyncio.wait_for(
                self.client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS), 60
            )
            if self.uri in self.client.diagnostics:
                return list(self.client.diagnostics.pop(self.uri))

    def at(self, words: str, word: str = "") -> types.Position:
        """Place of a word within words that stand in the text."""
        start = self.text.index(words)
        offset = start + words.index(word)
        before = self.text[:offset]
        return types.Position(before.count("\n"), offset - (before.rfind("\n") + 1))

    def offset(self, place: types.Position) -> int:
        """Offset of a place, of a text in ASCII."""
        lines = self.text.split("\n")
        return sum(len(line) + 1 for line in lines[: place.line]) + place.character

    def edited(self, edits: list[types.TextEdit]) -> str:
        """The text after changes."""
        text = self.text
        for edit in sorted(edits, key=lambda one: self.offset(one.range.start), reverse=True):
            start, end = self.offset(edit.range.start), self.offset(edit.range.end)
            text = text[:start] + edit.new_text + text[end:]
        return text

    def words(self, places: list[types.Location]) -> list[str]:
        """The words at some places of this text."""
        assert {place.uri for place in places} <= {self.uri}
        return [
            self.text[self.offset(place.range.start) : self.offset(place.range.end)]
            for place in places
        ]

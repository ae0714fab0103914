"""Questions that the process behind a sandbox answers."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any, Final

import gdl
from ggp.errors import GgpError
from ggp.match.rulebook import MachineRulebook, Position
from ggp.protocol.rules import epilog_of
from ggp.sandbox import explaining
from ggp.sandbox.believing import FollowedBelief

MAX_FINDINGS: Final = 200
MAX_WORDS: Final = 100
PLAY_SECONDS: Final = 5.0
MAX_STEPS: Final = 500
MAX_BYTES: Final = 1 << 20
"""Of a state, of the legal moves in it, and of what is seen of a move."""

Question = Mapping[str, Any]


class Answering:
    """Answers questions about rules, and remembers those of the match it was opened for."""

    def __init__(self) -> None:
        self._book: MachineRulebook | None = None
        self._game: gdl.Game | None = None
        self._beliefs: dict[str, FollowedBelief] = {}
        self._answers: Mapping[str, Callable[[Question], object]] = {
            "check": _check,
            "format": _format,
            "values": _values,
            "symbol": _symbol,
            "complete": _complete,
            "position": explaining.position,
            "why": explaining.why,
            "why_text": explaining.why_text,
            "explain": lambda asked: _document(asked).first_state.explanation(asked["fact"]),
            "epilog": lambda asked: epilog_of(asked["text"], asked["name"]),
            "open": self._open,
            "first": lambda _: self._told(self._opened.first()),
            "at": lambda asked: self._told(self._opened.at(asked["facts"])),
            "after": lambda asked: self._told(self._opened.after(asked["facts"], asked["moves"])),
            "believe": self._believe,
            "statistics": _statistics,
        }

    def answer(self, question: Question) -> object:
        """The answer, as JSON can hold it.

        Raises:
            GgpError: There is none.
            GdlError: The rules cannot be read or evaluated.
        """
        return self._answers[question["ask"]](question)

    @property
    def _opened(self) -> MachineRulebook:
        if self._book is None:
            raise GgpError("no rules were opened")
        return self._book

    def _open(self, question: Question) -> object:
        rules = gdl.read_rules(question["text"], question["name"])
        machine = gdl.load(rules, "interpreter")
        has_percepts = ("sees", 2) in rules.definitions
        self._game, self._beliefs = machine, {}
        self._book = MachineRulebook(machine, has_percepts=has_percepts, max_bytes=MAX_BYTES)
        return {
            "roles": self._book.roles,
            "has_percepts": self._book.has_percepts,
            "kif": " ".join(map(str, rules.forms)),
        }

    def _believe(self, question: Question) -> object:
        if self._game is None:
            raise GgpError("no rules were opened")
        role = str(question["role"])
        if role not in self._beliefs:
            self._beliefs[role] = FollowedBelief(self._game, role)
        turns = question["turns"]
        return self._beliefs[role].after(turns, is_over=question["is_over"])

    @staticmethod
    def _told(position: Any) -> object:
        found: Position = asyncio.run(position)
        return asdict(found)


def _check(question: Question) -> object:
    text, name = question["text"], question["name"]
    document = _document(question)
    findings = list(document.diagnostics)
    if question["is_played"] and not document.has_errors:
        limits = gdl.PlayLimits(seconds=PLAY_SECONDS)
        findings += gdl.check_play(gdl.read_rules(text, name), limits)
    return [
        {
            "severity": str(found.severity),
            "code": found.code,
            "message": found.message,
            "line": found.span.line,
            "column": found.span.column,
            "length": max(1, found.span.end - found.span.start),
            "cures": [_cure(text, cure) for cure in document.cures(found)],
        }
        for found in findings[:MAX_FINDINGS]
    ]


def _cure(text: str, cure: Any) -> dict[str, object]:
    """A change of a text that does what a finding asks for."""
    edits = [_place(text, start, end) | {"text": new} for start, end, new in cure.edits]
    return {"title": cure.title, "edits": edits}


def _format(question: Question) -> object:
    text, name = question["text"], question["name"]
    if gdl.is_epilog(text):
        raise GgpError("expected prefix KIF; Epilog is not laid out")
    return gdl.format_kif(text, name)


def _symbol(question: Question) -> object:
    document = _document(question)
    offset = _offset(document.text, question["line"], question["column"])
    found, fact = document.hover(offset), document.fact_at(offset)
    told = [found.text] if found else []
    if fact:
        sound = _read_document(question["sound"] or question["text"], question["name"])
        told.append(sound.first_state.explanation(fact))

    def places(found: Sequence[Any]) -> list[dict[str, Any]]:
        return [_place(document.text, one.start, one.end) for one in found]

    return {
        "text": "\n\n".join(filter(None, told)),
        "definitions": places(document.definitions(offset)),
        "uses": places(document.references(offset)),
    }


def _complete(question: Question) -> object:
    document = _document(question)
    offset = _offset(document.text, question["line"], question["column"])
    words = document.completions(offset)[:MAX_WORDS]
    return {
        "begun": _place(document.text, document.begun(offset), offset),
        "words": [
            {"word": one.word, "detail": one.detail, "kind": one.kind.value} for one in words
        ],
    }


def _place(text: str, start: int, end: int) -> dict[str, Any]:
    """A place in a text; lines and columns count from 1."""
    line = text.count("\n", 0, start) + 1
    return {"line": line, "column": start - text.rfind("\n", 0, start), "length": end - start}


@lru_cache(maxsize=2)  # the text, and the last one without errors
def _read_document(text: str, name: str) -> gdl.Document:
    return gdl.document(text, name)


def _document(question: Question) -> gdl.Document:
    """The text that a question is about; nearly always the one of the question before."""
    return _read_document(question["text"], question["name"])


def _offset(text: str, line: int, column: int) -> int:
    """Offset of a line and column, both counted from 1; the nearest one if there is none."""
    lines = text.split("\n")
    index = min(max(line, 1), len(lines)) - 1
    before = sum(len(one) + 1 for one in lines[:index])
    return before + min(max(column - 1, 0), len(lines[index]))


def _values(question: Question) -> object:
    return _document(question).values_seen(question["seconds"])


def _statistics(question: Question) -> object:
    """Random playouts for a while: how long, how broad, and how they end."""
    rules = gdl.read_rules(question["text"], question["name"])
    machine = gdl.load(rules, "interpreter")
    rng, end = random.Random(question["seed"]), time.monotonic() + question["seconds"]
    played: list[dict[str, Any]] = []
    while time.monotonic() < end and len(played) < question["most"]:
        played.append(_playout(machine, rng))
    ended = [one for one in played if one["goals"]]
    roles = [role.name for role in machine.roles]
    return {
        "playouts": len(played),
        "unfinished": len(played) - len(ended),
        "length": _mean([one["length"] for one in played]),
        "branching": _mean([num for one in played for num in one["branching"]]),
        "goals": {
            role: _mean([one["goals"][index] for one in ended]) for index, role in enumerate(roles)
        },
        "draws": _mean([float(len(set(one["goals"])) == 1) for one in ended]),
    }


def _playout(machine: gdl.StateMachine, rng: random.Random) -> dict[str, Any]:
    state, length = machine.initial_state(), 0
    branching: list[int] = []
    while not machine.is_terminal(state):
        legal = [machine.legal_moves(state, role) for role in machine.roles]
        if length >= MAX_STEPS or not all(legal):
            return {"length": length, "branching": branching, "goals": []}
        branching += [len(moves) for moves in legal if len(moves) > 1]
        state = machine.next_state(state, [rng.choice(moves) for moves in legal])
        length += 1
    goals = [machine.goal(state, role) for role in machine.roles]
    return {"length": length, "branching": branching, "goals": goals}


def _mean(numbers: list[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None

"""Questions about the text of rules. A sandbox process answers them with JSON values.

All functions raise GdlError if the rules cannot be read or evaluated.
"""

from __future__ import annotations

import random
import time
from functools import lru_cache
from typing import Any, Final

import gdl
from ggp.errors import GgpError
from ggp.naming.annotations import with_annotations
from ggp.protocol.rules import epilog_of

NAME: Final = "rules"
"""Name of the rules in messages."""
MAX_FINDINGS: Final = 200
MAX_WORDS: Final = 100
MAX_STEPS: Final = 500
PLAY_SECONDS: Final = 5.0


def check(text: str, *, is_played: bool = False) -> list[dict[str, Any]]:
    """Return the findings on a rulesheet: severity, code, message, line, column, length and cures.

    With `is_played`, also play random games for up to `PLAY_SECONDS`, as `ggp check` does, and add
    the findings that they show.
    """
    document = _document(text)
    of_play = _of_play(document) if is_played else ()
    found = (*document.diagnostics, *of_play)
    findings = with_annotations(found, text, NAME, document.rulesheet)
    return [_finding(document, found) for found in findings[:MAX_FINDINGS]]


def check_play(text: str) -> list[dict[str, Any]]:
    """Return the findings that only random games show."""
    document = _document(text)
    return [_finding(document, found) for found in _of_play(document)[:MAX_FINDINGS]]


def _of_play(document: gdl.Document) -> tuple[gdl.Diagnostic, ...]:
    if document.rulesheet is None or not document.is_sound:
        return ()
    return gdl.check_play(document.rulesheet, gdl.PlayLimits(seconds=PLAY_SECONDS))


def _finding(document: gdl.Document, found: gdl.Diagnostic) -> dict[str, Any]:
    return {
        "severity": str(found.severity),
        "code": found.code,
        "message": found.message,
        "line": found.span.line,
        "column": found.span.column,
        "length": max(1, found.span.end - found.span.start),
        "cures": [_cure(document.text, cure) for cure in document.cures(found)],
    }


def format_rules(text: str) -> str:
    """Return the rules in the standard layout.

    Raises:
        GgpError: The rules are in Epilog.
    """
    if gdl.is_epilog(text):
        raise GgpError("expected prefix KIF, got Epilog, which cannot be formatted")
    return gdl.format_kif(text, NAME)


def scramble(text: str, seed: int, *, symbols: bool, board: bool) -> dict[str, Any]:
    """Return the same game with other names, and the mapping of names. See `gdl.scramble`."""
    found = gdl.scramble(gdl.read_rules(text, NAME), seed, symbols=symbols, board=board)
    return {"text": found.text, "mapping": found.mapping}


def epilog(text: str) -> str:
    """Return the rules in Epilog, translated if necessary."""
    return epilog_of(text, NAME)


def values(text: str, *, seconds: float = 2.0) -> dict[str, list[list[str]]]:
    """Return the values that arguments of facts, moves and relations take in random games.

    The keys are symbols such as `cell/3`. For each argument there is a list of values.
    """
    return _document(text).values_seen(seconds)


def symbol(text: str, line: int, column: int, sound: str | None = None) -> dict[str, Any]:
    """Return a Markdown description of the symbol at a position, and where it is defined and used.

    Args:
        sound: Rules to use for explaining facts of the first state. Default: `text`.
    """
    document = _document(text)
    offset = _offset(text, line, column)
    found, fact = document.hover(offset), document.fact_at(offset)
    notes = [found.text] if found else []
    if fact:
        notes.append(explanation(sound or text, fact))
    return {
        "text": "\n\n".join(filter(None, notes)),
        "definitions": [_place(text, one.start, one.end) for one in document.definitions(offset)],
        "uses": [_place(text, one.start, one.end) for one in document.references(offset)],
    }


def completions(text: str, line: int, column: int) -> dict[str, Any]:
    """Return the words that fit at a position, the likeliest first, and where the word begins."""
    document = _document(text)
    offset = _offset(text, line, column)
    words = document.completions(offset)[:MAX_WORDS]
    return {
        "begun": _place(text, document.begun(offset), offset),
        "words": [
            {"word": one.word, "detail": one.detail, "kind": one.kind.value} for one in words
        ],
    }


def explanation(text: str, fact: str) -> str:
    """Return in Markdown why a fact does or does not hold in the first state, or "" if unknown."""
    return _document(text).first_state.explanation(fact)


def statistics(
    text: str, *, seconds: float = 2.0, most: int = 1000, seed: int = 0
) -> dict[str, Any]:
    """Return statistics on random playouts: length, branching, mean goals and draws.

    `stuck` describes the playouts in which a role had no move before the end: their number, the
    roles in the first such playout, and the earliest and latest turn in which this happened.
    """
    machine = gdl.load(gdl.read_rules(text, NAME), "interpreter")
    rng, end = random.Random(seed), time.monotonic() + seconds
    played: list[dict[str, Any]] = []
    while time.monotonic() < end and len(played) < most:
        played.append(_playout(machine, rng))
    ended = [one for one in played if one["goals"]]
    stuck = [one for one in played if one["stuck"]]
    turns = [one["length"] + 1 for one in stuck]
    return {
        "playouts": len(played),
        "unfinished": len(played) - len(ended) - len(stuck),
        "stuck": {
            "playouts": len(stuck),
            "roles": stuck[0]["stuck"],
            "first_turn": min(turns),
            "last_turn": max(turns),
        }
        if stuck
        else None,
        "length": _mean([one["length"] for one in played]),
        "branching": _mean([num for one in played for num in one["branching"]]),
        "goals": {
            role.name: _mean([one["goals"][index] for one in ended])
            for index, role in enumerate(machine.roles)
        },
        "draws": _mean([float(len(set(one["goals"])) == 1) for one in ended]),
    }


def _playout(machine: gdl.StateMachine, rng: random.Random) -> dict[str, Any]:
    state, length = machine.initial_state(), 0
    branching: list[int] = []
    while not machine.is_terminal(state):
        legal = [machine.legal_moves(state, role) for role in machine.roles]
        stuck = [role.name for role, moves in zip(machine.roles, legal, strict=True) if not moves]
        if length >= MAX_STEPS or stuck:
            return {"length": length, "branching": branching, "goals": [], "stuck": stuck}
        branching += [len(moves) for moves in legal if len(moves) > 1]
        state = machine.next_state(state, [rng.choice(moves) for moves in legal])
        length += 1
    goals = [machine.goal(state, role) for role in machine.roles]
    return {"length": length, "branching": branching, "goals": goals, "stuck": []}


def _mean(numbers: list[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None


def _cure(text: str, cure: Any) -> dict[str, object]:
    edits = [_place(text, start, end) | {"text": new} for start, end, new in cure.edits]
    return {"title": cure.title, "edits": edits}


def _place(text: str, start: int, end: int) -> dict[str, Any]:
    """Return a range of a text as lines and columns, which count from 1."""
    line = text.count("\n", 0, start) + 1
    return {"line": line, "column": start - text.rfind("\n", 0, start), "length": end - start}


def _offset(text: str, line: int, column: int) -> int:
    """Return the offset of a line and column, counted from 1, or the nearest offset in the text."""
    lines = text.split("\n")
    index = min(max(line, 1), len(lines)) - 1
    before = sum(len(one) + 1 for one in lines[:index])
    return before + min(max(column - 1, 0), len(lines[index]))


@lru_cache(maxsize=2)  # the current text, and the last text without errors
def _document(text: str) -> gdl.Document:
    return gdl.document(text, NAME)

"""The record of a match in GGP-Base's XML, as `org.ggp.base.util.match.Match.toXML` writes it.

The XML represents the JSON object as elements. A list becomes a sequence of elements. States are in
`herstory`, joint moves in `history`, and errors in `errorHistory`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

from ggp.records.record import MatchRecord, RecordError
from ggp.term_text import first_term, spaced, spaced_group, tokens

WHOLE: Final = frozenset({"startClock", "playClock", "previewClock", "startTime"})
FLAGS: Final = frozenset({"isCompleted", "isAborted", "scrambled"})
LISTS: Final = {"goalValues": int, "stateTimes": int, "playerNamesFromHost": str}
MAX_DEPTH: Final = 100
_ILLEGAL = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_start(head: MatchRecord) -> str:
    """Return the beginning of the XML, up to the first state. `head` is a record without turns."""
    root = Element("match")
    for name, value in head.to_json().items():
        if name in {"states", "moves", "errors"}:
            continue
        for item in value if isinstance(value, list) else [value]:
            _add(root, name, _value_text(item))
    _add(root, "herstory", "?")
    return ET.tostring(root, encoding="unicode").removesuffix("?</herstory></match>")


def xml_state(facts: Iterable[str]) -> str:
    """Return the XML of a state."""
    state = Element("state")
    for fact in facts:
        _write_term(_add(state, "fact"), fact, is_fact=True)
    return ET.tostring(state, encoding="unicode")


def xml_end(
    times: Iterable[int], moves: Iterable[Sequence[str]], errors: Iterable[Sequence[str]]
) -> str:
    """Return the end of the XML, which follows the last state: joint moves, times and errors."""
    root = Element("match")
    for time in times:
        _add(root, "stateTimes", str(time))
    history, rows = _add(root, "history"), _add(root, "errorHistory")
    for joint in moves:
        move = _add(history, "move")
        for one in joint:
            _write_term(_add(move, "action"), one, is_fact=False)
    for texts in errors:
        row = _add(rows, "errors")
        for error in texts:
            _add(row, "error", error)
    return "</herstory>" + ET.tostring(root, encoding="unicode").removeprefix("<match>")


def record_from(text: str) -> MatchRecord:
    """Parse a record in JSON or XML. Raise RecordError if the text is not a record."""
    return from_xml(text) if text.lstrip().startswith("<") else MatchRecord.from_text(text)


def from_xml(text: str) -> MatchRecord:
    """Parse a record that we or GGP-Base wrote.

    Raises:
        RecordError: The text is not the XML of a match, or a field is missing or wrong.
    """
    if "<!" in text:  # entities can expand one line to gigabytes, and no record uses any
        raise RecordError("expected a match record in XML without declarations, got '<!'")
    try:
        root = ET.fromstring(text)  # noqa: S314  # safe, because the text has no entities
    except (ET.ParseError, ValueError) as error:
        raise RecordError(f"expected a match record in XML: {error}") from error
    if root.tag != "match":
        raise RecordError(f"expected an element match, got: {root.tag[:40]!r}")
    fields: dict[str, Any] = {}
    for element in root:
        _read(element, fields)
    return MatchRecord.from_text(json.dumps(fields))


def _read(element: Element, fields: dict[str, Any]) -> None:
    name, text = element.tag, element.text or ""
    if name == "herstory":
        fields["states"] = [spaced_group(_terms(state, 0)) for state in element]
    elif name == "history":
        fields["moves"] = [[spaced(_term(move, 0)) for move in joint] for joint in element]
    elif name == "errorHistory":
        fields["errors"] = [[error.text or "" for error in row] for row in element]
    elif name in LISTS:
        value = _whole(text, name) if LISTS[name] is int else text
        fields.setdefault(name, []).append(value)
    elif name in WHOLE:
        fields[name] = _whole(text, name)
    elif name in FLAGS:
        fields[name] = text.strip() == "true"
    else:
        fields[name] = text


def _whole(text: str, name: str) -> int:
    if re.fullmatch(r"-?[0-9]{1,18}", text.strip()) is None:
        raise RecordError(f"{name}: expected a whole number, got: {text[:40]!r}")
    return int(text)


def _terms(element: Element, depth: int) -> list[str]:
    return [_term(child, depth) for child in element]


def _term(element: Element, depth: int) -> str:
    if depth > MAX_DEPTH:
        raise RecordError(f"expected terms nested at most {MAX_DEPTH} deep")
    if len(element) == 0:
        return (element.text or "").strip()
    words = _terms(element, depth + 1)
    # A proposition without arguments consists only of its name.
    return words[0] if len(words) == 1 else f"({' '.join(words)})"


def _write_term(parent: Element, term: str, *, is_fact: bool) -> None:
    words = tokens(first_term(term) or "")
    if len(words) <= 1:
        word = words[0] if words else ""
        if is_fact:
            _add(parent, "relation", word)
        else:
            parent.text = _clean(word)
        return
    places = [parent]
    for word in words[1:-1]:
        if word == "(":
            places.append(_add(places[-1], "argument"))
        elif word == ")":
            places.pop()
        else:
            _add(places[-1], "argument" if len(places[-1]) else "relation", word)


def _add(parent: Element, name: str, text: str = "") -> Element:
    child = ET.SubElement(parent, name)
    child.text = _clean(text) or None
    return child


def _clean(text: str) -> str:
    return _ILLEGAL.sub("?", text)


def _value_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value)

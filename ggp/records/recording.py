"""Files of recorded play, to be replayed: traces of random playouts, and records of matches.

A file of matches holds one record in the JSON of GGP-Base, or one a line, as `ggp match --json`
prints them, or one in its XML; perhaps with gzip. Which of these a file is, its beginning says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ggp.records.errors import RecordError, TraceError
from ggp.records.record import MatchRecord
from ggp.records.trace import Trace, TracedState, open_trace, text_lines
from ggp.records.xml import from_xml

SUFFIXES = (".jsonl", ".jsonl.gz", ".json", ".json.gz", ".xml", ".xml.gz")
MAX_LINES = 1_000_000  # of a record that somebody has laid out over several lines


@dataclass(frozen=True, slots=True)
class MatchFile:
    """A file of match records; each match counts as a playout."""

    path: Path
    roles: None = None
    """A record does not name its roles; their number is compared."""

    def states(self, roles: Sequence[str]) -> Iterator[TracedState]:
        """The states of all matches, read as they are asked for.

        Args:
            roles: Of the game, in lower case, to give the goals their names.

        Raises:
            TraceError: The file holds something else than match records.
        """
        for playout, record in enumerate(_records(self.path)):
            yield from traced_states(record, roles, playout)


def open_recording(path: Path) -> Trace | MatchFile:
    """The trace or the matches in a file; the states are not read yet.

    Raises:
        TraceError: The file is neither, or cannot be read.
    """
    head = "".join(islice(text_lines(path), 2)).lstrip()
    # A trace begins with a line that is a whole object and names the roles.
    is_record = '"matchId"' in head or (path.name.endswith((".json", ".json.gz")) and head)
    is_laid_out = head.partition("\n")[0].strip() == "{"
    return MatchFile(path) if is_record or is_laid_out or _is_xml(head) else open_trace(path)


def traced_states(
    record: MatchRecord, roles: Sequence[str], playout: int = 0
) -> Iterator[TracedState]:
    """The states of a match, each with what the match says of it.

    A joint move was made in every state but the last. That one is terminal and has goals if the
    match was completed; otherwise nothing is known of it.
    """
    for step, facts in enumerate(record.states):
        is_last = step == len(record.moves)
        has_result = is_last and record.is_completed
        goals = dict(zip(roles, record.goals, strict=False)) if record.goals else None
        yield TracedState(
            playout=playout,
            step=step,
            facts=facts,
            is_terminal=False if not is_last else True if has_result else None,
            legal=None,
            moves=None if is_last else tuple(move.lower() for move in record.moves[step]),
            goals=goals if has_result else None,
            goal_sets={},
        )


def recording_name(path: Path) -> str:
    """The name of a file of recorded play without its endings."""
    return (
        path.name.removesuffix(".gz")
        .removesuffix(".jsonl")
        .removesuffix(".json")
        .removesuffix(".xml")
    )


def _is_xml(head: str) -> bool:
    return head.lstrip("\ufeff \t\r\n").startswith("<")


def _records(path: Path) -> Iterator[MatchRecord]:
    lines = list(islice(text_lines(path), MAX_LINES))
    is_one_a_line = lines[0].strip() != "{" and '"matchId"' in lines[0]
    is_xml = _is_xml(lines[0])
    texts = [line for line in lines if line.strip()] if is_one_a_line else ["".join(lines)]
    for number, text in enumerate(texts, start=1):
        try:
            record = from_xml(text) if is_xml else MatchRecord.from_text(text)
        except RecordError as error:
            place = f"{path}:{number}" if len(texts) > 1 else str(path)
            raise TraceError(f"{place}: no match record: {error}") from error
        if not record.states:
            raise TraceError(f"{path}: states: expected those of the match, got none")
        yield record

"""A whole record as XML. The manager sends its parts one after the other."""

from __future__ import annotations

from dataclasses import replace

from ggp.records.record import MatchRecord
from ggp.records.xml import xml_end, xml_start, xml_state


def to_xml(record: MatchRecord) -> str:
    """Return the record as an element `match`."""
    head = replace(record, states=(), state_times=(), moves=(), errors=())
    parts = (
        xml_start(head),
        *map(xml_state, record.states),
        xml_end(record.state_times, record.moves, record.errors),
    )
    return "".join(parts)

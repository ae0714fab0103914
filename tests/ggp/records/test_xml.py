"""Records in the XML of GGP-Base are read and written like those in JSON."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ggp.records.record import MatchRecord, RecordError
from ggp.records.xml import from_xml
from tests.ggp.records.whole_xml import to_xml
from tests.shared import require

RECORD = MatchRecord(
    match_id="m.1",
    start_time=1,
    startclock=10,
    playclock=5,
    random_token="x" * 32,
    player_names=("ann", "bob & co"),
    states=(("(cell (at 1 2) x)", "start"), ("(cell 1 x)",)),
    state_times=(2, 3),
    moves=(("(mark (at 1 2) <)", "noop"),),
    errors=(("", "TO"), ("IL x", "")),
    goals=(100, 0),
    is_completed=True,
)


def test_what_ggp_base_wrote_says_the_same_in_both_forms() -> None:
    """The JSON and the XML of one match."""
    as_json = MatchRecord.from_text(require("protocol", "match_plain.json").read_text())
    as_xml = from_xml(require("protocol", "match_plain.xml").read_text())

    assert replace(as_xml, states=(), extra={}) == replace(as_json, states=(), extra={})
    assert list(map(set, as_xml.states)) == list(map(set, as_json.states))


def test_a_record_comes_back_as_it_was() -> None:
    """Nested terms, bare words, and what XML must write in another way."""
    assert from_xml(to_xml(RECORD)) == RECORD


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<match", "expected a match record in XML"),
        ("<game/>", "expected an element match, got: 'game'"),
        ("<match/>", "matchId: this field is missing"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><match/>', "without declarations"),
        ("<match><startClock>soon</startClock></match>", "startClock: expected a whole number"),
        (
            "<match><history><move><action>" + "<a>" * 200 + "</a>" * 200 + "</action></move>"
            "</history></match>",
            "nested at most 100 deep",
        ),
    ],
)
def test_what_is_no_record_is_refused(text: str, message: str) -> None:
    """The message says what was expected."""
    with pytest.raises(RecordError, match=message):
        from_xml(text)

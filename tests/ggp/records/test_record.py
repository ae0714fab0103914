"""Match records are GGP-Base's: what it wrote we read, and write back the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ggp.records.record import MatchRecord, RecordError
from ggp.term_text import first_term, spaced, spaced_group, terms_of
from tests.shared import require


def record() -> MatchRecord:
    """A match of one turn that is over."""
    empty = MatchRecord(
        match_id="m.1", start_time=1, startclock=10, playclock=5, player_names=("a", "b")
    )
    began = empty.after_start(["(cell 1 b)", "open"], ["", "TO"], time=2)
    return began.after_turn(["(mark 1)", "noop"], ["(cell 1 x)"], ["IL x", ""], 3).completed(
        (100, 0)
    )


@pytest.mark.parametrize("name", ["match_plain", "match_scrambled", "match_abort"])
def test_records_of_ggp_base_survive_reading_and_writing(name: str) -> None:
    """Every field has the same value, and every term the same blanks."""
    text = require("protocol", f"{name}.json").read_text(encoding="utf-8")

    read = MatchRecord.from_text(text)

    assert read.to_json() == json.loads(text)
    assert dict(read.extra) == {}


def test_own_records_survive_writing_and_reading() -> None:
    """Nothing is lost on the way."""
    written = record()

    assert MatchRecord.from_text(written.to_text()) == written


def test_terms_are_written_with_the_blanks_of_ggp_base() -> None:
    """Moves and states look as its own do."""
    fields = record().to_json()

    assert fields["moves"] == [["( mark 1 )", "noop"]]
    assert fields["states"] == ["( ( cell 1 b ) open )", "( ( cell 1 x ) )"]
    assert fields["errors"] == [["", "TO"], ["IL x", ""]]
    assert fields["goalValues"] == [100, 0]


def test_a_match_that_is_not_over_has_no_goals() -> None:
    """The field is absent, not null or empty."""
    empty = MatchRecord(match_id="m", start_time=1, startclock=1, playclock=1)

    assert "goalValues" not in empty.aborted().to_json()
    assert empty.aborted().to_json()["isAborted"] is True


def test_tokens_are_32_letters_and_digits_and_differ() -> None:
    """The token is what a spectator server knows a match by."""
    tokens = {MatchRecord(match_id="m", start_time=1, startclock=1, playclock=1).random_token}
    tokens |= {record().random_token}

    assert len(tokens) == 2
    assert all(len(token) == 32 and token.isalnum() for token in tokens)


def test_unknown_fields_are_kept() -> None:
    """A signature that we cannot check is written back."""
    fields = record().to_json() | {"matchHostSignature": "abc"}

    read = MatchRecord.from_text(json.dumps(fields))

    assert read.to_json() == fields


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"matchId": None}, "matchId: expected a text, got: null$"),
        ({"moves": [[None]]}, r"moves\[0\]: expected a text, got: null$"),
        ({"moves": [[{"a": True}]]}, r"moves\[0\]: expected a text, got: {\"a\": true}$"),
        ({"playClock": "5"}, 'playClock: expected a whole number, got: "5"'),
        ({"playClock": True}, "playClock: expected a whole number, got: true"),
        ({"isCompleted": 1}, "isCompleted: expected true or false"),
        ({"moves": ["x"]}, r"moves\[0\]: expected a list"),
        ({"moves": [["("]]}, "moves: expected a term"),
        ({"states": ["(a) b"]}, "states: expected"),
        ({"states": ["( a )"]}, "states: expected one more than joint moves, got 1 states and 1"),
        ({"goalValues": ["a"]}, "goalValues: expected a whole number"),
    ],
)
def test_a_field_of_the_wrong_kind_is_named(change: dict[str, Any], message: str) -> None:
    """The error says which field, and what would be right."""
    text = json.dumps(record().to_json() | change)

    with pytest.raises(RecordError, match=message):
        MatchRecord.from_text(text)


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, '{"matchId": "m"}'])
def test_a_text_that_is_no_record_is_refused(text: str) -> None:
    """Broken JSON, another kind of JSON, missing fields."""
    with pytest.raises(RecordError, match=r"expected|is missing"):
        MatchRecord.from_text(text)


def test_saving_replaces_the_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    """The folder holds the new record only."""
    path = tmp_path / "match.json"
    path.write_text("old")

    saved = record()
    saved.save(path)

    assert MatchRecord.from_text(path.read_text()) == saved
    assert list(tmp_path.iterdir()) == [path]


def test_a_record_that_cannot_be_saved_leaves_the_old_one(tmp_path: Path) -> None:
    """No temporary file stays behind where the file cannot be replaced."""
    path = tmp_path / "match.json"
    path.mkdir()

    with pytest.raises(OSError, match=r"match\.json"):
        record().save(path)

    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("noop", "noop"),
        (" ( pair(q 1)2) ", "(pair (q 1) 2)"),
        ("(a) b", "(a)"),
        ("()", None),
        ("((a) b)", None),
        ("(a", None),
        (") a", None),
        (" ", None),
    ],
)
def test_the_first_term_of_a_text(text: str, term: str | None) -> None:
    """One term, single-spaced, or None."""
    assert first_term(text) == term


@pytest.mark.parametrize("facts", [(), ("a",), ("(a 1)", "b", "(c (d 2) e)")])
def test_a_list_of_terms_comes_apart_as_it_was_put_together(facts: tuple[str, ...]) -> None:
    """Spacing a list and reading it again gives the same terms."""
    assert terms_of(spaced_group(facts)) == facts
    assert terms_of(f"({' '.join(facts)})") == facts


def test_spacing_is_that_of_ggp_base() -> None:
    """Blanks on both sides of each parenthesis."""
    assert spaced("(pair (q 1) 2)") == "( pair ( q 1 ) 2 )"

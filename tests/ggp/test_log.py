"""Of what is said again and again, one line a second is written."""

from __future__ import annotations

import logging

import pytest

from ggp.log import OnceASecond, log_event


def record(
    text: str, when: float, level: int = logging.WARNING, **fields: object
) -> logging.LogRecord:
    """As a logger makes it."""
    made = logging.LogRecord("ggp.events", level, "", 0, text, None, None)
    made.created, made.fields = when, fields
    return made


def test_the_same_warning_is_written_once_a_second() -> None:
    """The next one tells how many were not; numbers make no difference."""
    once = OnceASecond()
    flood = [
        record(f"no descriptor for client {n}", 10 + n / 1000, client="10.0.0.9")
        for n in range(900)
    ]
    later = record("no descriptor for client 7", 11.5, client="10.0.0.9")

    written = [one for one in flood if once.filter(one)]

    assert written == flood[:1]
    assert once.filter(later)
    assert vars(later)["fields"]["suppressed"] == 899


def test_other_warnings_are_not_held_back() -> None:
    """Nor is what is no warning."""
    once = OnceASecond()
    told = [
        record("refused", 1.0, reason="connections"),
        record("refused", 1.0, reason="no HTTP"),
        record("refused", 1.0, logging.ERROR, reason="connections"),
        *[record("turn", 1.0, logging.INFO)] * 3,
    ]

    assert all(once.filter(one) for one in told)


def test_no_more_kinds_are_remembered_than_a_thousand() -> None:
    """Whoever has an address for each line fills no memory."""
    once = OnceASecond()
    for one in range(3000):
        letters = str(one).translate(str.maketrans("0123456789", "abcdefghij"))
        assert once.filter(record("refused", 1.0, client=letters))

    assert len(once._last) == 1000


def test_an_error_in_words_is_a_field(caplog: pytest.LogCaptureFixture) -> None:
    """As the place of an exception is."""
    log_event(logging.WARNING, "answer replaced", error="TO", seconds=None)
    log_event(logging.ERROR, "failed", error=ValueError("no number"))

    found = [vars(record)["fields"] for record in caplog.records]
    assert found == [{"error": "TO"}, {"error": "ValueError: no number"}]

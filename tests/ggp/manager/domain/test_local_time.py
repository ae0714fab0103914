"""Times in the host's time zone, also on the two days of the year that are not 24 hours long."""

from __future__ import annotations

import pytest

from ggp.manager.domain.local_time import LocalTime, UnknownZoneError
from ggp.manager.errors import WrongRequestError

BERLIN = LocalTime.of("Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2026-12-01T18:00", "Tue 1 Dec 2026, 18:00 (Europe/Berlin)"),
        ("2026-07-01 18:00", "Wed 1 Jul 2026, 18:00 (Europe/Berlin)"),
        ("2026-07-01T18:00Z", "Wed 1 Jul 2026, 20:00 (Europe/Berlin)"),
        ("2026-10-25T02:30+02:00", "Sun 25 Oct 2026, 02:30 (Europe/Berlin)"),
    ],
)
def test_a_time_is_shown_as_it_is_written(text: str, shown: str) -> None:
    """A time with an offset from UTC is shown in the time zone of the host."""
    assert BERLIN.shown(BERLIN.read(text, "time")) == shown


def test_the_hour_that_comes_twice_has_two_times() -> None:
    """They are an hour apart, and the message about the ambiguous time gives both."""
    early, late = (BERLIN.read(f"2026-10-25T02:30{offset}", "time") for offset in ("+02:00", "+01"))

    with pytest.raises(WrongRequestError, match=r"time: .* happens twice .*\+02:00 or .*\+01:00"):
        BERLIN.read("2026-10-25T02:30", "time")
    assert late - early == 3_600_000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2027-03-28T02:30", "time: 2027-03-28 02:30 does not exist in Europe/Berlin"),
        ("tomorrow", "time: expected a date and a time such as"),
        ("1969-12-31T00:00", "time: expected a year from 2000 to 2199, got 1969"),
    ],
)
def test_what_is_no_time_is_refused(text: str, message: str) -> None:
    """The message names the field and says what is wrong."""
    with pytest.raises(WrongRequestError, match=message):
        BERLIN.read(text, "time")


@pytest.mark.parametrize("name", ["Mars/Olympus", "", "../etc/passwd"])
def test_a_zone_that_does_not_exist_is_named(name: str) -> None:
    """Wherever the name would lead in the file system."""
    with pytest.raises(UnknownZoneError, match="expected a time zone such as UTC"):
        LocalTime.of(name)

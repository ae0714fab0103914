"""Times in the host's time zone, as people read and write them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ggp.errors import GgpError
from ggp.manager.errors import WrongRequestError

MIN_YEAR, MAX_YEAR = 2000, 2199
EXAMPLE = "2026-12-01T18:00"


class UnknownZoneError(GgpError):
    """There is no time zone with this name."""


@dataclass(frozen=True, slots=True)
class LocalTime:
    """The time zone of the host.

    >>> berlin = LocalTime.of("Europe/Berlin")
    >>> berlin.shown(berlin.read("2026-12-01T18:00", "time"))
    'Tue 1 Dec 2026, 18:00 (Europe/Berlin)'
    """

    zone: ZoneInfo

    @classmethod
    def of(cls, name: str) -> LocalTime:
        """Return the time zone with a name such as `Europe/Berlin`.

        Raises:
            UnknownZoneError: There is no such time zone, or this machine does not know it.
        """
        try:
            return cls(ZoneInfo(name))
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise UnknownZoneError(
                f"expected a time zone such as UTC or Europe/Berlin, got {name!r:.60}; if this "
                "machine has no list of time zones, install the package tzdata"
            ) from error

    def read(self, text: str, where: str) -> int:
        """Return the time that a text such as `2026-12-01T18:00` means, in milliseconds since 1970.

        The text may end with an offset from UTC, such as `+01:00`. Without one it means the time in
        the host's time zone.

        Args:
            where: The name of the field, for the error message.

        Raises:
            WrongRequestError: The text is no time, or the clocks skip this time or show it twice.
        """
        try:
            given = datetime.fromisoformat(text)
        except ValueError:
            raise WrongRequestError(
                f"{where}: expected a date and a time such as {EXAMPLE}, got {text!r:.40}"
            ) from None
        if not MIN_YEAR <= given.year <= MAX_YEAR:
            raise WrongRequestError(
                f"{where}: expected a year from {MIN_YEAR} to {MAX_YEAR}, got {given.year}"
            )
        return _milliseconds(given if given.tzinfo is not None else self._local(given, where))

    def _local(self, given: datetime, where: str) -> datetime:
        early, late = (given.replace(tzinfo=self.zone, fold=fold) for fold in (0, 1))
        if early.utcoffset() == late.utcoffset():
            return early
        if early.astimezone(UTC).astimezone(self.zone).replace(tzinfo=None) != given:
            raise WrongRequestError(
                f"{where}: {given:%Y-%m-%d %H:%M} does not exist in {self.zone.key}, because the "
                "clocks go forward; choose an earlier or a later time"
            )
        raise WrongRequestError(
            f"{where}: {given:%Y-%m-%d %H:%M} happens twice in {self.zone.key}, because the clocks "
            f"go back; expected {early.isoformat()} or {late.isoformat()}"
        )

    def shown(self, milliseconds: int) -> str:
        """Return a time as people read it, with the name of the time zone."""
        moment = datetime.fromtimestamp(milliseconds / 1000, self.zone)
        return f"{moment:%a} {moment.day} {moment:%b %Y, %H:%M} ({self.zone.key})"


def _milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)

"""How often somebody may try to log in: by account and by address, within a time."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

from ggp.manager.errors import TooOftenError

WINDOW_SECONDS: Final = 600.0
MOST_OF_ACCOUNT: Final = 10
MOST_OF_ADDRESS: Final = 100
"""Failures within the window; a class may come from one address."""
MOST_KEPT: Final = 20_000
"""Accounts and addresses that are remembered; the one that failed longest ago is forgotten."""


class LoginBounds:
    """Counts tries to log in that failed; also of names that do not exist."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: OrderedDict[tuple[str, str], deque[float]] = OrderedDict()

    def begin(self, account: str, address: str) -> None:
        """Count a try as failed until it has succeeded: many at once are no way around.

        Raises:
            TooOftenError: There have been too many.
        """
        now = self._clock()
        bounds = (("account", account), MOST_OF_ACCOUNT), (("address", address), MOST_OF_ADDRESS)
        for key, most in bounds:
            failed = self._recent(key, now)
            if len(failed) >= most:
                minutes = max(1, round((failed[0] + WINDOW_SECONDS - now) / 60))
                raise TooOftenError(
                    f"too many tries to log in with this {key[0]}; "
                    f"expected the next one in {minutes} min"
                )
        for key, _ in bounds:
            self._failures.setdefault(key, deque()).append(now)
            self._failures.move_to_end(key)
        while len(self._failures) > MOST_KEPT:
            self._failures.popitem(last=False)

    def succeed(self, account: str, address: str) -> None:
        """Take the last try back; the account's failures are forgotten."""
        self._failures.pop(("account", account), None)
        of_address = self._failures.get(("address", address))
        if of_address:
            of_address.pop()

    def _recent(self, key: tuple[str, str], now: float) -> deque[float]:
        failed = self._failures.get(key, deque())
        while failed and failed[0] <= now - WINDOW_SECONDS:
            failed.popleft()
        return failed

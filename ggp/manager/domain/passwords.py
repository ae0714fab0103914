"""Passwords: hashed by Argon2id, a few at a time; and how often somebody may try one."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final

from ggp.manager.errors import BusyError, TooOftenError

MIN_PASSWORD: Final = 10
MAX_PASSWORD: Final = 200
NUM_THREADS: Final = 2
"""Hashes at once; each takes 64 MiB."""
MOST_WAITING: Final = 32
NO_PASSWORD: Final = "nobody has this one"  # noqa: S105
"""Whose hash stands for the password of a name that is not known."""
WINDOW_SECONDS: Final = 600.0
MOST_OF_ACCOUNT: Final = 10
MOST_OF_ADDRESS: Final = 100
"""Failures within the window; a class may come from one address."""
MOST_KEPT: Final = 20_000
"""Accounts and addresses that are remembered; the one that failed longest ago is forgotten."""


class Passwords:
    """Makes hashes of passwords and compares with them; the parameters are those of RFC 9106."""

    def __init__(self) -> None:
        # Only here: a manager without accounts does without it.
        from argon2 import PasswordHasher

        self._hasher = PasswordHasher()
        self._threads = ThreadPoolExecutor(NUM_THREADS, thread_name_prefix="password")
        self._num_waiting = 0
        self._no_hash = self._hasher.hash(NO_PASSWORD)

    async def hash(self, password: str) -> str:
        """A hash with its parameters and its salt."""
        return (await self._run(password, None))[0]

    async def matches(self, password: str, known: str | None) -> bool:
        """Whether a password has a hash; takes as long where there is none (None)."""
        _, is_right = await self._run(password, known or self._no_hash)
        return is_right and known is not None

    def close(self) -> None:
        """End the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _run(self, password: str, known: str | None) -> tuple[str, bool]:
        if self._num_waiting >= MOST_WAITING:
            raise BusyError("too many people log in at once; expected the same again a bit later")
        self._num_waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, self._work, password, known)
        finally:
            self._num_waiting -= 1

    def _work(self, password: str, known: str | None) -> tuple[str, bool]:
        from argon2.exceptions import InvalidHashError, VerificationError

        if known is None:
            return self._hasher.hash(password), True
        with suppress(VerificationError, InvalidHashError):
            return "", self._hasher.verify(known, password)
        return "", False


class LoginBounds:
    """Counts tries to log in that failed; also of names that do not exist."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: OrderedDict[tuple[str, str], deque[float]] = OrderedDict()

    def begin(self, account: str, address: str) -> None:
        """Count a try as failed until it has succeeded: many at once are no way around."""
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

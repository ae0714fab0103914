"""Hashing passwords with Argon2id, a few at a time, and limiting login attempts."""

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
"""Number of hashes to compute at the same time. Each one takes 64 MiB."""
MAX_WAITING: Final = 32
NO_PASSWORD: Final = "no account has this password"  # noqa: S105
"""If the name is unknown, the password is compared with the hash of this text."""
WINDOW_SECONDS: Final = 600.0
MAX_OF_ACCOUNT: Final = 10
MAX_OF_ADDRESS: Final = 100
"""Largest number of failures in the window. A whole class may share an address."""
MAX_KEPT: Final = 20_000
"""Largest number of accounts and addresses to remember. The oldest failure is dropped first."""


class Passwords:
    """Hashing passwords and comparing them with hashes, with the parameters of RFC 9106."""

    def __init__(self) -> None:
        # Imported here because a manager without accounts does not need it.
        from argon2 import PasswordHasher

        self._hasher = PasswordHasher()
        self._threads = ThreadPoolExecutor(NUM_THREADS, thread_name_prefix="password")
        self._num_waiting = 0
        self._no_hash = self._hasher.hash(NO_PASSWORD)

    async def hash(self, password: str) -> str:
        """Return the hash of a password, with its parameters and its salt."""
        return (await self._run(password, None))[0]

    async def matches(self, password: str, known: str | None) -> bool:
        """Return whether a password matches a hash.

        If `known` is None, return False after the same time that a comparison takes.
        """
        _, is_right = await self._run(password, known or self._no_hash)
        return is_right and known is not None

    def close(self) -> None:
        """Stop the hashing threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _run(self, password: str, known: str | None) -> tuple[str, bool]:
        if self._num_waiting >= MAX_WAITING:
            raise BusyError("too many people are logging in; try again in a moment")
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
    """Limits on failed login attempts. Attempts with unknown names count too."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: OrderedDict[tuple[str, str], deque[float]] = OrderedDict()

    def begin(self, account: str, address: str) -> None:
        """Count an attempt as failed until it succeeds, so that simultaneous attempts count too.

        Raises:
            TooOftenError: The account or the address has failed too often.
        """
        now = self._clock()
        bounds = (("account", account), MAX_OF_ACCOUNT), (("address", address), MAX_OF_ADDRESS)
        for key, most in bounds:
            failed = self._recent(key, now)
            if len(failed) >= most:
                minutes = max(1, round((failed[0] + WINDOW_SECONDS - now) / 60))
                raise TooOftenError(
                    f"too many login attempts for this {key[0]}; try again in {minutes} min"
                )
        for key, _ in bounds:
            self._failures.setdefault(key, deque()).append(now)
            self._failures.move_to_end(key)
        while len(self._failures) > MAX_KEPT:
            self._failures.popitem(last=False)

    def succeed(self, account: str, address: str) -> None:
        """Remove the address's last attempt from the count, and forget the account's failures."""
        self._failures.pop(("account", account), None)
        of_address = self._failures.get(("address", address))
        if of_address:
            of_address.pop()

    def _recent(self, key: tuple[str, str], now: float) -> deque[float]:
        failed = self._failures.get(key, deque())
        while failed and failed[0] <= now - WINDOW_SECONDS:
            failed.popleft()
        return failed

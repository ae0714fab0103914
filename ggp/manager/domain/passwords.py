"""Passwords: hashed by Argon2id, away from the event loop, a few at a time."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final

from ggp.manager.errors import BusyError

MIN_PASSWORD: Final = 10
MAX_PASSWORD: Final = 200
"""Characters."""
NUM_THREADS: Final = 2
"""Hashes at once; each takes 64 MiB."""
MOST_WAITING: Final = 32
NO_PASSWORD: Final = "nobody has this one"  # noqa: S105
"""Whose hash stands for the password of a name that is not known."""


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
        """A hash with its parameters and its salt.

        Raises:
            BusyError: Too many are waited for.
        """
        return (await self._run(password, None))[0]

    async def matches(self, password: str, known: str | None) -> bool:
        """Whether a password has a hash; takes as long where there is none (None).

        Raises:
            BusyError: Too many are waited for.
        """
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

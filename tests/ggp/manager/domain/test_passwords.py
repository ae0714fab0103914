"""Passwords: hashed with salt, in threads, a few at a time, and at the same cost for everybody."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Literal

import pytest

pytest.importorskip("argon2", reason="needs argon2-cffi, of the extra `manager`")

from argon2 import PasswordHasher, extract_parameters

from ggp.manager.domain.passwords import MOST_WAITING, Passwords
from ggp.manager.errors import BusyError


@pytest.fixture
def passwords() -> Iterator[Passwords]:
    """With the library's own parameters."""
    made = Passwords()
    yield made
    made.close()


async def test_a_hash_fits_its_password_only(passwords: Passwords) -> None:
    """With salt: the same password has another hash each time."""
    one, other = await asyncio.gather(passwords.hash("secret"), passwords.hash("secret"))

    assert one != other
    assert await passwords.matches("secret", one)
    assert not await passwords.matches("Secret", one)
    assert not await passwords.matches("secret", "no hash")
    assert one.startswith("$argon2id$")


async def test_a_name_that_is_not_known_costs_the_same(passwords: Passwords) -> None:
    """A hash with the same parameters is compared with, and never fits."""
    seen: list[str] = []

    class Watching(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
            seen.append(str(hash))
            return super().verify(hash, password)

    passwords._hasher = Watching()
    known = await passwords.hash("secret")
    for given in ("secret", "nobody has this one"):
        await passwords.matches("secret", known)
        assert not await passwords.matches(given, None)

    assert len(seen) == 4
    assert all(extract_parameters(one) == extract_parameters(known) for one in seen)


async def test_the_event_loop_goes_on_and_the_queue_is_bounded(passwords: Passwords) -> None:
    """Who comes when too many wait is told so at once."""
    may_go_on = threading.Event()
    passwords._work = lambda *_: (str(may_go_on.wait(20)), True)  # type: ignore[method-assign]
    waiting = [asyncio.create_task(passwords.hash("secret")) for _ in range(MOST_WAITING)]
    await asyncio.sleep(0)  # a turn of the loop: they have begun

    with pytest.raises(BusyError, match="too many people log in at once"):
        await passwords.hash("secret")
    may_go_on.set()

    assert await asyncio.gather(*waiting) == ["True"] * MOST_WAITING

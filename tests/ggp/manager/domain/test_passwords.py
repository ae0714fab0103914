"""Passwords: hashed with salt, in threads, a few at a time, at the same cost for everybody.

Tries to log in are counted by account and by address, and forgotten after a while.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Literal

import argon2
import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.profiles import RFC_9106_LOW_MEMORY

from ggp.manager.domain import passwords as passwords_module
from ggp.manager.domain.passwords import (
    MAX_OF_ACCOUNT,
    MAX_OF_ADDRESS,
    MAX_WAITING,
    WINDOW_SECONDS,
    LoginBounds,
    Passwords,
)
from ggp.manager.errors import BusyError, TooOftenError


@pytest.fixture
def passwords() -> Iterator[Passwords]:
    """Hashes with little memory, as in all tests of the manager."""
    made = Passwords()
    yield made
    made.close()


def test_hashes_have_the_parameters_of_the_standard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of RFC 9106, and the hash that stands for an unknown name has them as well."""
    monkeypatch.setattr(argon2, "PasswordHasher", PasswordHasher)
    passwords = Passwords()
    passwords.close()

    assert extract_parameters(passwords._no_hash) == RFC_9106_LOW_MEMORY


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

    passwords._hasher = Watching(time_cost=1, memory_cost=64, parallelism=1)
    known = await passwords.hash("secret")
    for given in ("secret", "no account has this password"):
        await passwords.matches("secret", known)
        assert not await passwords.matches(given, None)

    assert len(seen) == 4
    assert all(extract_parameters(one) == extract_parameters(known) for one in seen)


async def test_the_event_loop_goes_on_and_the_queue_is_bounded(passwords: Passwords) -> None:
    """Who comes when too many wait is told so at once."""
    may_go_on = threading.Event()
    passwords._work = lambda *_: (str(may_go_on.wait(20)), True)  # type: ignore[method-assign]
    waiting = [asyncio.create_task(passwords.hash("secret")) for _ in range(MAX_WAITING)]
    await asyncio.sleep(0)  # a turn of the loop: they have begun

    with pytest.raises(BusyError, match="too many people are logging in"):
        await passwords.hash("secret")
    may_go_on.set()

    assert await asyncio.gather(*waiting) == ["True"] * MAX_WAITING


def test_an_account_is_closed_for_a_while_whoever_tries() -> None:
    """From whatever addresses; and open again when the window is over."""
    now = [0.0]
    bounds = LoginBounds(lambda: now[0])
    for number in range(MAX_OF_ACCOUNT):
        bounds.begin("ann", f"10.0.0.{number}")

    with pytest.raises(TooOftenError, match=r"for this account; try again in 10 min"):
        bounds.begin("ann", "10.0.1.1")
    bounds.begin("bob", "10.0.0.1")
    now[0] = WINDOW_SECONDS
    bounds.begin("ann", "10.0.0.1")


def test_an_address_is_closed_whatever_accounts_it_tries() -> None:
    """Others are not."""
    bounds = LoginBounds(lambda: 0.0)
    for number in range(MAX_OF_ADDRESS):
        bounds.begin(f"name {number}", "10.0.0.1")

    with pytest.raises(TooOftenError, match="for this address"):
        bounds.begin("ann", "10.0.0.1")
    bounds.begin("ann", "10.0.0.2")


def test_who_gets_in_is_not_counted() -> None:
    """A class logs in from one address."""
    bounds = LoginBounds(lambda: 0.0)

    for number in range(3 * MAX_OF_ADDRESS):
        bounds.begin(f"name {number}", "10.0.0.1")
        bounds.succeed(f"name {number}", "10.0.0.1")


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever names are tried; the one that failed longest ago is forgotten."""
    monkeypatch.setattr(passwords_module, "MAX_KEPT", 10)
    bounds = LoginBounds(lambda: 0.0)

    for number in range(50):
        bounds.begin(f"name {number}", f"10.0.0.{number}")

    assert len(bounds._failures) == 10

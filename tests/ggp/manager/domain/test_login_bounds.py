"""Tries to log in are counted by account and by address, and forgotten after a while."""

from __future__ import annotations

import pytest

from ggp.manager.domain import login_bounds
from ggp.manager.domain.login_bounds import (
    MOST_OF_ACCOUNT,
    MOST_OF_ADDRESS,
    WINDOW_SECONDS,
    LoginBounds,
)
from ggp.manager.errors import TooOftenError


def test_an_account_is_closed_for_a_while_whoever_tries() -> None:
    """From whatever addresses; and open again when the window is over."""
    now = [0.0]
    bounds = LoginBounds(lambda: now[0])
    for number in range(MOST_OF_ACCOUNT):
        bounds.begin("ann", f"10.0.0.{number}")

    with pytest.raises(TooOftenError, match=r"with this account; expected the next one in 10 min"):
        bounds.begin("ann", "10.0.1.1")
    bounds.begin("bob", "10.0.0.1")
    now[0] = WINDOW_SECONDS
    bounds.begin("ann", "10.0.0.1")


def test_an_address_is_closed_whatever_accounts_it_tries() -> None:
    """Others are not."""
    bounds = LoginBounds(lambda: 0.0)
    for number in range(MOST_OF_ADDRESS):
        bounds.begin(f"name {number}", "10.0.0.1")

    with pytest.raises(TooOftenError, match="with this address"):
        bounds.begin("ann", "10.0.0.1")
    bounds.begin("ann", "10.0.0.2")


def test_who_gets_in_is_not_counted() -> None:
    """A class logs in from one address."""
    bounds = LoginBounds(lambda: 0.0)

    for number in range(3 * MOST_OF_ADDRESS):
        bounds.begin(f"name {number}", "10.0.0.1")
        bounds.succeed(f"name {number}", "10.0.0.1")


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever names are tried; the one that failed longest ago is forgotten."""
    monkeypatch.setattr(login_bounds, "MOST_KEPT", 10)
    bounds = LoginBounds(lambda: 0.0)

    for number in range(50):
        bounds.begin(f"name {number}", f"10.0.0.{number}")

    assert len(bounds._failures) == 10

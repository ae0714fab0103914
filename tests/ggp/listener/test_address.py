"""The address by which others reach a machine."""

from __future__ import annotations

import pytest

from ggp.listener.address import ANY, reached_host


@pytest.mark.parametrize("host", ["127.0.0.1", "games.example.org", "::1"])
def test_one_address_is_itself(host: str) -> None:
    """Also a name."""
    assert reached_host(host) == host


@pytest.mark.parametrize("host", ANY)
def test_all_addresses_are_reached_by_one(host: str) -> None:
    """A number of this machine, or its name where it has none."""
    assert reached_host(host) not in {"", *ANY}

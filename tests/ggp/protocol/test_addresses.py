"""Addresses of players are distinguished from names, and mistakes in them are explained."""

from __future__ import annotations

import pytest

from ggp.errors import WrongUseError
from ggp.protocol.addresses import check_address, is_address


@pytest.mark.parametrize(
    "text",
    ["http://127.0.0.1:9147", "https://host/player", "localhost:9147", "10.0.0.1:80/x", "[::1]:80"],
)
def test_addresses_have_a_scheme_or_a_port(text: str) -> None:
    """An address has a scheme or a port."""
    check_address(text)

    assert is_address(text)


@pytest.mark.parametrize("text", ["mcts", "mcts:c=0.7", "package.module:Class", "greedy:n=1,m=2"])
def test_names_are_no_addresses(text: str) -> None:
    """A colon alone makes no address."""
    assert not is_address(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ftp://foo", "got ftp://"),
        ("http://", "got no host"),
        ("http:", "got no host"),
        ("http://host:99999", "a port from 1 to 65535"),
        ("http://host:x", "a port from 1 to 65535"),
        ("http://[::1", "a port from 1 to 65535"),
        ("host:0", "got port 0"),
    ],
)
def test_what_is_meant_as_an_address_but_is_none_is_explained(text: str, reason: str) -> None:
    """Not taken for a player's name, and with the form that is expected."""
    assert is_address(text)
    with pytest.raises(WrongUseError, match=reason) as caught:
        check_address(text)
    assert "expected an address http://HOST:PORT" in str(caught.value)

"""Addresses of players are distinguished from names, and mistakes in them are explained."""

from __future__ import annotations

import pytest

from ggp.errors import WrongUseError
from ggp.protocol.addresses import check_address, check_apart, is_address, place


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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://localhost:9147", "http://127.0.0.1:9147/"),
        ("http://LocalHost.:9147", "localhost:9147"),
        ("http://[::1]:9147", "http://[0:0:0:0:0:0:0:1]:9147//"),
        ("http://0.0.0.0:9147", "http://[::ffff:127.0.0.1]:9147"),
        ("http://127.1:9147", "http://2130706433:09147"),
        ("http://10.0.0.1", "10.0.0.1:80"),
        ("https://players.example", "https://Players.Example:443/?a=b"),
        ("http://h:1/white", "http://user@h:1/%77hite/#now"),
    ],
)
def test_two_spellings_of_an_address_are_one_place(one: str, other: str) -> None:
    """So two seats there are refused, with what would be right."""
    assert place(one) == place(other)
    with pytest.raises(
        WrongUseError, match=r"^players: red and blue at one address, .*/white and "
    ):
        check_apart([("red", one), ("computer", "mcts"), ("blue", other)])


def test_seats_at_different_addresses_are_apart() -> None:
    """A port or a path of its own is enough, and players without an address are none."""
    texts = ["http://h:1", "http://h:1/red", "http://h:1/Red", "http://h:2", "g:1", "mcts", "mcts"]
    texts += ["127.0.0.2:1", "127.0.0.1:1", *["llm:http://h:1/v1,model=m"] * 2]

    check_apart((f"player {number}", text) for number, text in enumerate(texts))

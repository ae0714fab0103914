"""A cluster that cannot be used: one line says what is missing."""

from __future__ import annotations

import socket

import pytest

from ggp.cluster import connection
from ggp.cluster.connection import ClusterError, connect


class TestConnect:
    """Connecting to what is no cluster, or is not there."""

    @pytest.mark.parametrize(
        "address", ["", "head", "head:", ":6379", "head:0", "head:70000", "a:b"]
    )
    def test_what_is_no_address_is_refused(self, address: str) -> None:
        with pytest.raises(
            ClusterError, match="expected HOST:PORT of a Ray cluster's head, or auto"
        ):
            connect(address)

    def test_an_address_where_nobody_listens_is_told_at_once(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        with pytest.raises(ClusterError, match=f"127.0.0.1:{port}: no program listens at this"):
            connect(f"127.0.0.1:{port}")

    def test_without_ray_the_error_says_what_to_install(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connection, "find_spec", lambda _: None)
        with pytest.raises(ClusterError, match=r"pip install 'ggp-agent\[cluster\]'"):
            connect("auto")

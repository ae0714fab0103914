"""The SDK of the protocol, imported once, and sandboxes within this process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fakes.near_sandbox import near_sandboxes


@pytest.fixture(scope="session")
def sdk() -> None:
    """The SDK and the server, imported."""
    import jsonschema  # type: ignore[import-untyped]  # noqa: F401  # it comes with the SDK
    import mcp  # noqa: F401

    from ggp.mcp_server import http, server  # noqa: F401


@pytest.fixture(autouse=True)
def sandboxes(sdk: None) -> Iterator[None]:
    """Questions about rules and matches are answered in this process."""
    with near_sandboxes():
        yield

"""`ggp manager`: what is wrong with its options and its surroundings."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from ggp.cli import app


@pytest.mark.parametrize("token", ["", " \t"])
def test_an_empty_variable_lets_nobody_in(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Setting the variable means asking for a token."""
    monkeypatch.setenv("GGP_TOKEN", token)

    done = CliRunner().invoke(app, ["manager", "--port", "0"])

    assert done.exit_code == 2, done.output
    assert "GGP_TOKEN: token: expected letters, digits and signs" in done.output

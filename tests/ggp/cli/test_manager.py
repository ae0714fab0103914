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


def test_accounts_and_a_token_exclude_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one would be a way around the other."""
    pytest.importorskip("argon2", reason="needs argon2-cffi, of the extra `manager`")
    monkeypatch.setenv("GGP_TOKEN", "s3cret")

    done = CliRunner().invoke(app, ["manager", "--port", "0", "--accounts"])

    assert done.exit_code == 2, done.output
    assert "GGP_TOKEN: expected a token or --accounts, got both" in done.output

"""`ggp match` with a language model: wrong specs are refused before the match."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from ggp.cli import app


def _refusal(spec: str) -> str:
    result = CliRunner().invoke(app, ["match", "ticTacToe", spec, "legal"])
    assert result.exit_code == 2, result.output
    return " ".join(result.output.split())


def test_a_wrong_option_is_refused() -> None:
    """With the one that may be meant."""
    assert "modell" in (said := _refusal("llm:http://127.0.0.1:1/v1,modell=a"))
    assert "did you mean model" in said


def test_an_address_without_http_is_refused() -> None:
    """The message shows the form."""
    assert "llm:http://HOST:PORT/v1" in _refusal("llm:localhost:8080/v1")


def test_a_key_that_cannot_be_sent_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the name of its variable; its value is not shown."""
    monkeypatch.setenv("GGP_LLM_KEY", "two secrets")

    said = _refusal("llm:http://127.0.0.1:1/v1")

    assert "GGP_LLM_KEY" in said
    assert "secrets" not in said

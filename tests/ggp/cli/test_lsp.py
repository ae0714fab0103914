"""`ggp lsp`: what it says where what it needs is not installed."""

from __future__ import annotations

import sys

import pytest
from typer.testing import CliRunner

from ggp.cli import app


def test_without_the_extra_it_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, as of the other extras."""
    monkeypatch.setitem(sys.modules, "pygls", None)

    result = CliRunner().invoke(app, ["lsp"])

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "ggp lsp: the language server needs pygls, which is not installed; "
        "type  pip install 'ggp-agent[lsp]'  or, in a clone,  pip install '.[lsp]'\n"
    )

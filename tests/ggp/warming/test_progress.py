"""Steps of compiling, after an install."""

from __future__ import annotations

import pytest

import gdl
from ggp.warming import MESSAGE, kernels

pytestmark = pytest.mark.usefixtures("kernels")


def test_each_step_is_said_before_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing where all is compiled."""
    said: list[str] = []
    monkeypatch.setattr(gdl, "warm_up", lambda: said.append("reasoner"))
    monkeypatch.setattr(gdl, "compile_ahead", lambda *_: said.append("searches"))
    monkeypatch.setattr(kernels, "PARTS", {})
    for is_compiled in (False, True):
        kernels._load.cache_clear()
        monkeypatch.setattr(kernels, "is_compiled", lambda found=is_compiled: found)
        kernels.warm_up(said.append)
    kernels._load.cache_clear()

    assert [text[:6] for text in said] == [
        *(MESSAGE[:6], "1 of 3", "reason", "2 of 3", "search", "3 of 3"),
        *("reason", "search"),
    ]

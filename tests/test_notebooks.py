"""The example notebook runs, as Jupyter would run it: in a loop, and with each result shown."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.usefixtures("kernels")

NOTEBOOK = Path(__file__).parents[1] / "docs" / "notebooks" / "first_steps.ipynb"


def _cells() -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def _shown(source: str, names: dict[str, Any]) -> object:
    """Run a cell; what its last line is worth."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
    if last is None:
        return None
    assert isinstance(last, ast.Expr)
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)


async def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches have less time than a reader gives them, and the players need no process."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for cell in _cells():
        source = re.sub(r"seconds=[\d.]+", "seconds=0.03", "".join(cell["source"]))
        source = re.sub(r'"mcts:iterations=\d+"|"greedy"', '"legal"', source)
        found = _shown(source, names)
        html = getattr(found, "_repr_html_", lambda: "")()
        assert (found is None) or repr(found) or html


def test_the_notebook_is_kept_without_outputs() -> None:
    """They differ each time and on each machine, and would be most of the file."""
    assert all(cell["outputs"] == [] for cell in _cells())
    assert all(cell["execution_count"] is None for cell in _cells())

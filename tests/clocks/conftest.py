"""Tests for which real time is the point: real processes that hang, die or are late.

At most 40 of them. They follow each other in one process (`tests/scheduling.py`), and each holds on
a machine with four other busy processes: no bound on time is below `PATIENCE_SECONDS`.
"""

from __future__ import annotations

from tests.ggp.conftest import _engines_are_forked
from tests.ggp.engine.conftest import pool, start_match

__all__ = ["_engines_are_forked", "pool", "start_match"]

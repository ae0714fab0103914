"""What tests of the API share."""

from __future__ import annotations

import pytest


@pytest.fixture
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The right algorithm with little memory: the library's own parameters take a while."""
    argon2 = pytest.importorskip("argon2", reason="needs argon2-cffi, of the extra `manager`")
    quick = argon2.PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    monkeypatch.setattr(argon2, "PasswordHasher", lambda: quick)

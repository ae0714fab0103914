"""The folder of the material outside the repository: recorded messages, real rulesheets, traces.

A clone that stands alone lacks it. A test that needs it calls `require` and is skipped then, with
a reason; nothing but such tests may read it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
ENGINE_PATH = os.pathsep.join(map(str, [REPOSITORY / "tests/fakes/engine_path", REPOSITORY]))
"""`PYTHONPATH` of processes that tests start: engines find the players that live in the tests, and
load only the kernels that they use."""
SHARED = Path(os.environ.get("GGP_SHARED", REPOSITORY.parent / "shared"))


def require(*parts: str) -> Path:
    """The path of a shared file or folder; skips the calling test when it is absent.

    `require("corpus", "rules")` is `../shared/corpus/rules`, seen from the repository, unless the
    environment variable `GGP_SHARED` names another folder.
    """
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"needs the shared material: {path} does not exist")
    return path

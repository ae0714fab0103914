"""In tests an engine process begins without the kernels; those that it uses are loaded then.

Python imports this file when it starts, if its folder is on the path (`tests.shared.ENGINE_PATH`).
To load all kernels takes a process longer than all that most tests have it do.
"""

from __future__ import annotations

import sys
from types import ModuleType

NAME = "ggp.warming.kernels"


class _NoWarming(ModuleType):
    def is_compiled(self) -> bool:
        """Nothing need be compiled."""
        return True

    def warm_up(self, progress: object = None) -> None:
        """Do nothing."""


if any(argument.startswith("ggp.engine.worker") for argument in sys.orig_argv):
    sys.modules[NAME] = _NoWarming(NAME)

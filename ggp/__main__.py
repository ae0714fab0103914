"""`python -m ggp` is the command `ggp`."""

from __future__ import annotations

from ggp.cli import main

if __name__ == "__main__":
    main()

"""Measure how long it takes to read rulesheets.

    python benchmarks/reading.py FILE.kif ...

For each file, the script prints its size, the time to read it as a rulesheet, and the time for a
text of 455 kB. That text repeats the file. 455 kB is the size of the largest START message on
record.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import gdl

LARGEST_START = 455_000  # bytes


def seconds_to_read(text: str) -> float:
    """Return the time to read a text as a rulesheet, including its dependency graph."""
    start = time.perf_counter()
    assert gdl.read_rules(text, "benchmark").graph.components
    return time.perf_counter() - start


def main() -> None:
    """Measure and print one line per file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, help="rulesheets")
    print(f"{'file':28} {'kB':>6} {'read s':>7} {'455 kB s':>9}")
    for path in parser.parse_args().files:
        text = path.read_text(encoding="latin-1")
        large = text * (LARGEST_START // len(text) + 1)
        once, often = seconds_to_read(text), seconds_to_read(large)
        print(f"{path.stem:28} {len(text) / 1e3:6.1f} {once:7.3f} {often:9.2f}", flush=True)


if __name__ == "__main__":
    main()

"""Measure the CPU time of compiling all kernels, and list the most expensive ones.

    python benchmarks/kernels.py [--top 10] [--markdown]

Compile each part of the kernels in its own process, one after the other, into an empty cache
folder. Then one more process loads all kernels from it. The script prints the CPU seconds of these
processes and, for each function, the seconds in which numba compiled it. `own` excludes the
functions that it calls; `whole` includes those that were compiled because of it. To measure other
sources, name their folder in PYTHONPATH.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import resource
import runpy
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from typing import Any

MODULES = ("gdl.circuit.warming", "ggp.warming.kernels")


@dataclass(slots=True)
class Cost:
    """What it took to compile a function, for all types of its arguments and in all processes."""

    times: int = 0
    own: float = 0.0  # seconds
    whole: float = 0.0  # seconds

    def add(self, other: Cost) -> None:
        """Add the cost of further compilations."""
        self.times += other.times
        self.own += other.own
        self.whole += other.whole


class Stopwatch:
    """Measures each compilation that numba announces."""

    def __init__(self) -> None:
        self.costs: dict[str, Cost] = defaultdict(Cost)
        self._running: list[tuple[float, float]] = []  # start, seconds in inner compilations

    def on_start(self, event: Any) -> None:
        """Note when a compilation begins."""
        self._running.append((time.process_time(), 0.0))

    def on_end(self, event: Any) -> None:
        """Add a compilation to the costs of its function."""
        start, inner = self._running.pop()
        whole = time.process_time() - start
        function = event.data["dispatcher"].py_func
        name = f"{function.__module__}.{function.__qualname__}"
        self.costs[name].add(Cost(1, whole - inner, whole))
        if self._running:
            start, inner = self._running[-1]
            self._running[-1] = start, inner + whole


def compile_part(module: str, part: str) -> None:
    """Compile a part as `python -m MODULE PART` does, and print its costs as JSON."""
    event: Any = importlib.import_module("numba.core.event")  # untyped
    listener = type("Listener", (Stopwatch, event.Listener), {})()
    event.register("numba:compile", listener)
    sys.argv = [module, part]
    runpy.run_module(module, run_name="__main__")
    print(json.dumps({name: astuple(cost) for name, cost in listener.costs.items()}))


def load_all() -> None:
    """Load all kernels."""
    for module in MODULES:
        for load_part in importlib.import_module(module).PARTS.values():
            load_part()


def parts_of(module: str) -> list[str]:
    """Return the names of a module's parts."""
    return run("--parts", module)[0].split()


def run(*arguments: str) -> tuple[str, float]:
    """Run this script in a process; return its output and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, __file__, *arguments]
    output = subprocess.run(  # noqa: S603 - ours
        command, check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return output, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@contextmanager
def empty_cache() -> Iterator[None]:
    """Let processes started meanwhile keep their kernels in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GGP_CACHE_DIR"] = os.environ["NUMBA_CACHE_DIR"] = folder
        yield


def measure() -> tuple[dict[str, float], dict[str, Cost]]:
    """Compile and load all kernels; return the seconds of each process, and all costs."""
    seconds: dict[str, float] = {}
    costs: dict[str, Cost] = defaultdict(Cost)
    jobs = [(module, part) for module in MODULES for part in parts_of(module)]
    with empty_cache():
        for module, part in jobs:
            output, seconds[f"{module} {part}"] = run("--part", module, part)
            for name, values in json.loads(output.splitlines()[-1]).items():
                costs[name].add(Cost(*values))
        seconds["load all"] = run("--load")[1]
    return seconds, costs


def rows(costs: dict[str, Cost], num: int) -> Iterator[tuple[str, ...]]:
    """Return the rows of the `num` functions with the highest cost of their own."""
    for name, cost in sorted(costs.items(), key=lambda item: -item[1].own)[:num]:
        yield name, str(cost.times), f"{cost.own:.2f}", f"{cost.whole:.2f}"


def main() -> int:
    """Measure, and print both tables; or be one of the processes that are measured."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--top", type=int, default=10, metavar="N", help="functions to list (10)")
    parser.add_argument("--markdown", action="store_true", help="print rows of a table")
    parser.add_argument("--part", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--parts", help=argparse.SUPPRESS)
    parser.add_argument("--load", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        compile_part(*options.part)
    elif options.parts:
        print(*importlib.import_module(options.parts).PARTS)
    elif options.load:
        load_all()
    else:
        seconds, costs = measure()
        num = sum(cost.times for cost in costs.values())
        print(f"{sum(seconds.values()):.1f} s of CPU, {num} compilations of {len(costs)} functions")
        table = [(name, f"{spent:.2f}") for name, spent in seconds.items()]
        for row in [*table, ("function", "times", "own s", "whole s"), *rows(costs, options.top)]:
            print(f"| {' | '.join(row)} |" if options.markdown else "  ".join(row), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

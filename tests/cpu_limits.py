"""A plugin that measures the CPU time of tests and fixtures, and with `--cpu-limits` bounds it.

It is the CPU time of the test's process and of all processes that it has started (on Linux;
elsewhere, of those that have ended). The bounds are higher on a machine that is slower than the one
for which they were set, as the tests themselves show: one in twenty takes longer than
`LONGER_SECONDS` there. What is over its bound is listed. The run fails only at twice the bound
(`FAILS_AT`), because the same test takes up to half as much again where it is the first in its
process, or where others use the processor's caches.

The figures of the latest run are in `.pytest_cache/v/ggp/cpu_seconds`; the scheduler
(`tests/scheduling.py`) starts the files that took longest first.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

import pytest

TEST_SECONDS: Final = 1.0
FIXTURE_SECONDS: Final = 3.0
FAILS_AT: Final = 2.0
MAX_EXCEPTIONS: Final = 25
EXCEPTIONS: Final = Path(__file__).with_name("cpu_exceptions.txt")
CACHE_KEY: Final = "ggp/cpu_seconds"

LONGER_SECONDS: Final = 0.11
MIN_TESTS: Final = 2000
"""With fewer tests, they say nothing about the machine."""

MIN_SECONDS: Final = 0.05  # of a fixture that is worth keeping
LONG_SECONDS: Final = 0.1

_PROPERTY: Final = "cpu_seconds"
_TICKS_PER_SECOND: Final = os.sysconf("SC_CLK_TCK")


class CpuClock:
    """The CPU time of this process and of its children, ended or not.

    Children that still run are looked at only after `LONG_SECONDS`, because that reads many files,
    or if one has ended. What they use before counts for the next long phase.
    """

    def __init__(self) -> None:
        self._alive = self._ended = 0.0

    def seconds(self, *, is_long: bool) -> float:
        """Return the CPU time until now."""
        times = os.times()
        ended = times.children_user + times.children_system
        if is_long or ended != self._ended:
            self._ended, self._alive = ended, sum(map(_cpu_seconds_of, _descendants(os.getpid())))
        return time.process_time() + self._ended + self._alive


def _descendants(pid: int) -> Iterator[int]:
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                yield child
                yield from _descendants(child)
    except OSError:  # it has ended, or this is not Linux
        return


def _cpu_seconds_of(pid: int) -> float:
    """Return the CPU time of a process and of those of its children that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / _TICKS_PER_SECOND


def exceptions() -> dict[str, str]:
    """Return the tests and fixtures that may take longer, each with the reason."""
    lines = EXCEPTIONS.read_text(encoding="utf-8").splitlines()
    pairs = (line.partition("  ") for line in lines if line and not line.startswith("#"))
    return {name: reason.strip() for name, _, reason in pairs}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption(
        "--cpu-limits",
        action="store_true",
        help=f"list each test that takes more than {TEST_SECONDS:g} s of CPU time and each fixture "
        f"that takes more than {FIXTURE_SECONDS:g} s, except those in {EXCEPTIONS.name}; fail if "
        f"one takes {FAILS_AT:g} times as much",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Measure in the processes that run tests, and collect what they report in the first one."""
    if hasattr(config, "workerinput") or not config.getvalue("numprocesses"):
        config.pluginmanager.register(_Meter(), "cpu-meter")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Collector(config), "cpu-collector")


class _Meter:
    """Adds the CPU time of each phase, and of the fixtures set up in it, to its report."""

    def __init__(self) -> None:
        self._clock = CpuClock()
        self._fixtures: dict[str, float] = {}

    @contextmanager
    def _measured(self, keep: Callable[[float], None]) -> Iterator[None]:
        began, cpu_began = time.monotonic(), self._clock.seconds(is_long=False)
        try:
            yield
        finally:
            is_long = time.monotonic() - began >= LONG_SECONDS
            keep(max(0.0, self._clock.seconds(is_long=is_long) - cpu_began))

    @contextmanager
    def _phase(self, item: pytest.Item, phase: str) -> Iterator[None]:
        def keep(seconds: float) -> None:
            found = {"phase": phase, "seconds": seconds, "fixtures": self._fixtures}
            item.user_properties = [(_PROPERTY, found)]
            self._fixtures = {}

        with self._measured(keep):
            yield

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, Any]:
        with self._phase(item, "setup"):
            return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        with self._phase(item, "call"):
            return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, Any]:
        def keep(seconds: float) -> None:
            name = f"{fixturedef.baseid or 'pytest'}::{fixturedef.argname}"
            self._fixtures[name] = max(self._fixtures.get(name, 0.0), seconds)

        with self._measured(keep):
            return (yield)


class _Collector:
    """Keeps the figures of all tests; with `--cpu-limits`, fails if one takes far too long."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._tests: dict[str, dict[str, float]] = {}
        self._fixtures: dict[str, float] = {}

    @property
    def _slowness(self) -> float:
        """How much slower the machine was than the usual one, at least 1."""
        calls = [figures.get("call", 0.0) for figures in self._tests.values()]
        if len(calls) < MIN_TESTS:
            return 1.0
        return max(1.0, quantiles(calls, n=20)[-1] / LONGER_SECONDS)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        found: Any = dict(report.user_properties).get(_PROPERTY)
        if not found or found["phase"] != report.when:
            return
        test = self._tests.setdefault(report.nodeid, {})
        test[found["phase"]] = round(found["seconds"], 3)
        test["wall"] = round(test.get("wall", 0.0) + report.duration, 3)
        for fixture, seconds in found["fixtures"].items():
            if seconds > self._fixtures.get(fixture, MIN_SECONDS):
                self._fixtures[fixture] = round(seconds, 3)

    @property
    def _over(self) -> list[tuple[float, float, str]]:
        """The figure, the bound and the name of each that is over it, the longest first."""
        may, slowness = exceptions(), self._slowness
        tests = {name: figures.get("call", 0.0) for name, figures in self._tests.items()}
        over = [
            (seconds, bound * slowness, name)
            for figures, bound in ((tests, TEST_SECONDS), (self._fixtures, FIXTURE_SECONDS))
            for name, seconds in figures.items()
            if seconds > bound * slowness and name not in may
        ]
        return sorted(over, reverse=True)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if (cache := getattr(self._config, "cache", None)) and self._tests:
            before = cache.get(CACHE_KEY, {}).get("tests", {})
            cache.set(CACHE_KEY, {"tests": before | self._tests, "fixtures": self._fixtures})
        is_far_over = any(seconds > FAILS_AT * bound for seconds, bound, _ in self._over)
        if self._config.option.cpu_limits and is_far_over and not session.exitstatus:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if not self._config.option.cpu_limits:
            return
        total = sum(one.get("setup", 0.0) + one.get("call", 0.0) for one in self._tests.values())
        terminalreporter.write_sep("=", f"CPU time: {total:.0f} s in {len(self._tests)} tests")
        if (slowness := self._slowness) > 1:
            terminalreporter.write_line(
                f"a slow machine: the bounds are {slowness:.2f} times as high"
            )
        for seconds, bound, name in self._over:
            verdict = "too long" if seconds > FAILS_AT * bound else "over the bound"
            terminalreporter.write_line(f"{verdict}: {seconds:6.2f} s  {name}")

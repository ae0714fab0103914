"""The order in which files of tests are run."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.cpu_limits import CACHE_KEY
from tests.scheduling import pytest_collection_modifyitems, scope_of

WORDS = "tests/gdl/test_words.py::test_a"
KERNELS = "tests/gdl/test_kernels.py::test_a"
SLOW_WORDS = "tests/ggp/test_slow_words.py::test_a"
CLOCK = "tests/clocks/test_late.py::test_a"
OTHER_CLOCK = "tests/clocks/test_hanging.py::test_a"


def order(*names: str, seed: str | None = None) -> list[str]:
    """Return the order of tests; those with `kernels` or `clocks` in their names use kernels."""
    seconds = {SLOW_WORDS: {"wall": 9.0}}
    config: Any = SimpleNamespace(
        option=SimpleNamespace(shuffle=seed),
        cache=SimpleNamespace(get=lambda key, _: {CACHE_KEY: {"tests": seconds}}[key]),
    )
    items: list[Any] = [
        SimpleNamespace(
            nodeid=name,
            fixturenames=["kernels"] if "kernels" in name or "clocks" in name else [],
        )
        for name in names
    ]
    pytest_collection_modifyitems(config, items)
    return [item.nodeid for item in items]


def test_tests_on_clocks_follow_each_other_in_one_process() -> None:
    """Two of them would take each other's CPU time."""
    assert scope_of(CLOCK) == scope_of(OTHER_CLOCK) == "clocks"
    assert scope_of(WORDS) == "tests/gdl/test_words.py"


def test_files_that_need_no_kernels_come_first() -> None:
    """Of these the slowest; of the others those on clocks, which wait."""
    assert order(KERNELS, CLOCK, WORDS, SLOW_WORDS) == [SLOW_WORDS, WORDS, CLOCK, KERNELS]


def test_a_seed_shuffles_files_and_keeps_their_tests_together() -> None:
    """The same seed gives the same order, also if the tests were collected in another one."""
    names = [f"tests/test_{file}.py::test_{test}" for file in range(9) for test in "ab"]

    found = {seed: order(*names, seed=seed) for seed in "abc"}

    assert len(set(map(tuple, found.values()))) == 3
    assert found["a"] == order(*names, seed="a")
    for shuffled in found.values():
        assert shuffled[0::2] == [name.replace("_b", "_a") for name in shuffled[1::2]]


@pytest.mark.parametrize("seed", [None, "a"])
def test_no_test_is_lost(seed: str | None) -> None:
    """Each is run once, shuffled or not."""
    names = [KERNELS, CLOCK, WORDS, SLOW_WORDS, OTHER_CLOCK]

    assert sorted(order(*names, seed=seed)) == sorted(names)

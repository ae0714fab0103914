"""What holds for all tests: none of them reads or writes the caches of who runs them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Keep kernels in pytest's own cache: a second run need not compile them again.

    Where they are kept is settled when the first of them is imported, which is before any fixture.
    """
    is_kept = config.pluginmanager.hasplugin("cacheprovider")
    if is_kept and "NUMBA_CACHE_DIR" not in os.environ:
        folder = config.cache.mkdir("numba")
        folder.chmod(0o700)  # others may not write here, whatever the umask says
        os.environ["NUMBA_CACHE_DIR"] = str(folder)


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Circuits are kept for as long as the tests run; processes that tests start inherit it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GGP_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield

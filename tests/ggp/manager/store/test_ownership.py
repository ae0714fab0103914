"""One manager a database, by whatever name it is called."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ggp.manager.store.database import opened
from ggp.manager.store.ownership import InUseError, LinkedError


@pytest.mark.parametrize("name", ["ggp.db", "alias.db", "../real/ggp.db", "file:ggp.db?uri=true"])
async def test_a_database_is_claimed_under_all_its_names(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A symbolic link, another spelling or a URI of the file lead to the same lock."""
    folder = tmp_path / "real"
    folder.mkdir()
    (folder / "alias.db").symlink_to(folder / "ggp.db")
    monkeypatch.chdir(folder)

    async with opened(f"sqlite:///{folder}/ggp.db", alone=True):
        with pytest.raises(InUseError, match="another manager or tournament uses it"):
            async with opened(f"sqlite:///{name}", alone=True):
                pass
    async with opened(f"sqlite:///{name}", alone=True):
        pass


async def test_a_file_with_a_second_name_is_refused(tmp_path: Path) -> None:
    """Under the other one nobody would find the lock, nor what SQLite wrote last."""
    async with opened(f"sqlite:///{tmp_path}/ggp.db"):
        pass
    os.link(tmp_path / "ggp.db", tmp_path / "twin.db")

    with pytest.raises(LinkedError, match=r"ggp.db has 2 \(hard links\)"):
        async with opened(f"sqlite:///{tmp_path}/ggp.db", alone=True):
            pass

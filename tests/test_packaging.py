"""The installed files: one version, one command, the typing markers, the games, no stray names."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest

import ggp
from ggp import games
from ggp.cli import checks
from tests.shared import REPOSITORY

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of this tree, unpacked as an installer does it."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=REPOSITORY,
        check=True,
        capture_output=True,
    )
    [built] = folder.glob("*.whl")
    unpacked = folder / "unpacked"
    with zipfile.ZipFile(built) as archive:
        archive.extractall(unpacked)
    return unpacked


def test_version_has_one_source() -> None:
    """The package and the project file name the same version."""
    assert ggp.__version__ == PROJECT["version"]


def test_changelog_has_a_section_for_this_version() -> None:
    """A release that the changelog does not describe is not finished."""
    changelog = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")

    assert f"\n## [{PROJECT['version']}]" in changelog


def test_what_only_the_manager_needs_is_an_extra() -> None:
    """A player is installed without a database; who tests has all."""
    extra = PROJECT["optional-dependencies"]["manager"]
    names = {re.split(r"[\[<>=]", one)[0] for one in extra}
    modules = {name.removesuffix("-cffi").replace("-", "_") for name in names}

    assert modules == {*checks.PACKAGES, *checks.OF_ACCOUNTS}
    assert not [one for one in PROJECT["dependencies"] if one.startswith(tuple(names))]
    everything = "ggp-agent[cluster,lsp,manager,mcp,metrics,rl]"
    assert everything in PROJECT["optional-dependencies"]["test"]


def test_console_script_can_be_called() -> None:
    """The command `ggp` leads to a function."""
    [script] = distribution("ggp-agent").entry_points.select(group="console_scripts")

    main = script.load()

    assert script.name == "ggp"
    assert callable(main)


def test_wheel_takes_two_names_in_site_packages(wheel: Path) -> None:
    """`gdl` and `ggp`; above all no `games` and no `tests`."""
    names = {entry.name for entry in wheel.iterdir() if entry.suffix != ".dist-info"}

    assert names == {"gdl", "ggp"}


def test_wheel_is_typed_and_carries_its_license(wheel: Path) -> None:
    """Type checkers see both packages, and the licence travels along."""
    assert (wheel / "gdl" / "py.typed").is_file()
    assert (wheel / "ggp" / "py.typed").is_file()
    assert list(wheel.glob("*.dist-info/licenses/LICENSE"))


def test_wheel_carries_every_bundled_game(wheel: Path) -> None:
    """Whatever lies in `games/` is in the wheel, byte for byte."""
    source = REPOSITORY / "games"
    expected = {
        file.relative_to(source): file.read_bytes()
        for file in source.rglob("*")
        if file.suffix in {".kif", ".epilog", ".toml"}
    }

    packed = {file: (wheel / "ggp" / "_games" / file).read_bytes() for file in expected}

    assert expected
    assert packed == expected


def test_installed_package_finds_its_games(wheel: Path, tmp_path: Path) -> None:
    """Away from the repository the names come out of the package itself."""
    program = "from ggp import games; print(games.folder()); print(*games.names())"

    lines = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(wheel)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()

    assert lines == [str(wheel / "ggp" / "_games"), " ".join(games.names())]

"""The sessions in the documents print what they show."""

from __future__ import annotations

import doctest
import re

import pytest

from tests.shared import REPOSITORY

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.mark.parametrize(
    ("page", "num_blocks", "package"),
    [
        pytest.param("reasoner", 7, "gdl", marks=pytest.mark.thorough),
        ("editors", 1, "gdl"),
        ("environments", 2, "gymnasium"),
        pytest.param("environments_tour", 7, "gymnasium", marks=pytest.mark.thorough),
        pytest.param("openspiel", 4, "pyspiel", marks=pytest.mark.thorough),
    ],
)
def test_the_examples_print_what_they_show(
    page: str, num_blocks: int, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All blocks of a page, one after the other, as one session in a clone."""
    pytest.importorskip(package, reason="needs the extra rl")
    monkeypatch.chdir(REPOSITORY)
    path = REPOSITORY / "docs" / f"{page}.md"
    blocks = re.findall(r"```pycon\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, path.name, str(path), 0)

    results = doctest.DocTestRunner().run(example)

    assert (results.failed, len(blocks)) == (0, num_blocks)


def test_the_pictures_are_those_that_the_environment_draws() -> None:
    """Of the walk through a game."""
    pytest.importorskip("gymnasium", reason="needs the extra rl")
    from ggp import environments

    env = environments.make("connectFour", opponents="self", render_mode="svg")
    env.reset(seed=1)
    for name, columns in (("middle", (4, 4, 3, 3)), ("end", (5, 2, 6))):
        for column in columns:
            env.step(env.action_names().index(f"(drop {column})"))
        picture = REPOSITORY / "docs" / "pictures" / f"environment-{name}.svg"
        assert picture.read_text(encoding="utf-8") == env.render()

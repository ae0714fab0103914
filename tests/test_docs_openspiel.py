"""docs/environments_openspiel.md shows what happens."""

from __future__ import annotations

import doctest
import re

import pytest

from tests.shared import REPOSITORY

PAGE = REPOSITORY / "docs" / "environments_openspiel.md"


def test_the_examples_print_what_they_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """All blocks of the page, one after the other, as one session in a clone."""
    monkeypatch.chdir(REPOSITORY)
    blocks = re.findall(r"```pycon\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    session = "\n".join(blocks)
    example = doctest.DocTestParser().get_doctest(session, {}, PAGE.name, str(PAGE), 0)

    results = doctest.DocTestRunner().run(example)

    assert (results.failed, len(blocks)) == (0, 4)

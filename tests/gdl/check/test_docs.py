"""The page about the language documents every check, with an example that shows it."""

from __future__ import annotations

import re

import pytest

import gdl
from gdl.check.diagnostic import CODES
from tests.shared import REPOSITORY

PAGE = (REPOSITORY / "docs" / "gdl.md").read_text(encoding="utf-8")
SECTION = re.compile(
    r"^#### `(?P<code>[a-z-]+)` \((?P<severity>\w+)\)\n\n(?P<text>.*?)(?=^#)", re.M | re.S
)
SECTIONS = {match["code"]: match for match in SECTION.finditer(PAGE + "\n#")}
QUICK = gdl.PlayLimits(playouts=5, steps=50)


def test_every_code_has_a_section_and_every_section_a_code() -> None:
    """In the order in which the codes stand in the source."""
    assert list(SECTIONS) == list(CODES)


@pytest.mark.parametrize("code", CODES)
def test_section_says_how_bad_it_is_and_what_it_means(code: str) -> None:
    """The words are those of the source."""
    section = SECTIONS[code]

    assert section["severity"] == CODES[code].severity
    assert " ".join(section["text"].split()).startswith(CODES[code].meaning.rstrip("."))


@pytest.mark.parametrize("code", sorted(CODES.keys() - {"play-time"}))
def test_example_has_the_fault(code: str) -> None:
    """A copy of the example shows the finding; it takes two lines."""
    found = re.search(r"```(?:kif|epilog)\n(.*?)```", SECTIONS[code]["text"], re.S)
    assert found is not None
    example = found[1]

    codes = {one.code for one in gdl.check(example)}
    if code.startswith("play-"):
        codes = {one.code for one in gdl.check_play(gdl.read_kif(example), QUICK)}

    assert code in codes
    assert example.count("\n") == 2

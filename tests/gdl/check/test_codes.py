"""Each check finds its fault, in its place, and is silent where there is none."""

from __future__ import annotations

import pytest

import gdl
from gdl.check.codes import CODES
from tests.gdl.check.examples import EXAMPLES, SOUND, Example

PLAYED = {code for code in CODES if code.startswith("play-")}


def ids(example: Example) -> str:
    """The name of an example in reports."""
    return example.code


@pytest.mark.parametrize("example", EXAMPLES, ids=ids)
def test_fault_is_found_where_it_stands(example: Example) -> None:
    """The finding marks exactly the words at fault and has the severity of its code."""
    findings = gdl.check(example.faulty_text, "rules.kif")

    found = [found for found in findings if found.code == example.code]
    places = [(one.span.line, one.span.column) for one in found]
    texts = [example.faulty_text[one.span.start : one.span.end] for one in found]
    assert (*places, *texts) == (example.place[:2], example.place[2])
    assert str(found[0].severity) == CODES[example.code].severity


@pytest.mark.parametrize("example", EXAMPLES, ids=ids)
def test_sound_twin_has_no_such_finding(example: Example) -> None:
    """The rules as they should be written are not blamed."""
    findings = gdl.check(example.sound_text)

    assert [str(found) for found in findings if found.code == example.code] == []


def test_every_code_has_an_example() -> None:
    """No check is without a known answer; what playing finds is tested beside."""
    assert {example.code for example in EXAMPLES} == CODES.keys() - PLAYED


def test_sound_rulesheet_has_no_finding() -> None:
    """The rulesheet to which the examples are added is clean."""
    assert [str(found) for found in gdl.check(SOUND)] == []

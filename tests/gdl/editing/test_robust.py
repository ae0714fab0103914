"""Whatever stands in a text, every service answers at every place."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gdl
from gdl.editing.renaming import RenamingError, edited

KIF = "( ( ( ) ) ) <= role init true does next legal goal terminal distinct not or and x y ?x ?y"
KIF += ' cell 1 2 100 ; :- " \n \n'
EPILOG = '( ( ) ) , , & | ~ :- :: ==> role init true does next legal goal X Y _ cell p 1 [ ] ! " %'
EPILOG += " . p( q(X) terminal \n \n"


def texts(words: str) -> st.SearchStrategy[str]:
    """Texts of some words, of which a blank separates some."""
    word = st.sampled_from([*words.split(" "), " ", " ", " "])
    return st.lists(word, max_size=60).map("".join)


@pytest.mark.parametrize("num", [40, pytest.param(400, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("words", [KIF, EPILOG], ids=["kif", "epilog"])
def test_every_service_answers(words: str, num: int) -> None:
    """No text makes one fail, at any place, and a cure is a change of the text."""

    @settings(max_examples=num, deadline=None, database=None)
    @given(texts(words), texts(words), st.integers(0, 200))
    def try_one(text: str, other: str, place: int) -> None:
        document = gdl.document(text, before=gdl.document(other))
        assert document.outline is not None
        assert document.colours == sorted(document.colours)
        for offset in {place, 0, len(text), max(0, len(text) - place)}:
            document.hover(offset)
            fact = document.fact_at(offset)
            assert "\n" not in fact
            assert isinstance(document.first_state.explanation(fact or "x"), str)
            document.definitions(offset)
            document.completions(offset)
            assert document.begun(min(offset, len(text))) <= offset
            one = document.at(offset)
            assert one is None or one in document.references(offset)
            with suppress(RenamingError):
                edited(text, document.rename(offset, "fresh"))
        for found in document.diagnostics:
            for cure in document.cures(found):
                assert edited(text, cure.edits) != text

    try_one()

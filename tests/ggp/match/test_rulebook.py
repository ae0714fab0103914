"""The rules as a referee needs them, when several matches share one machine."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from ggp.match import rulebook
from ggp.match.rulebook import MachineRulebook


async def test_facts_that_are_known_are_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions of other matches come between; to read one anew takes longer than the move."""
    book = MachineRulebook(gdl.load(gdl.read_rules(games.text("connectFour")), "interpreter"))
    read = list[str]()

    def noting(fact: str) -> gdl.Term:
        read.append(fact)
        return gdl.read_term(fact)

    first = await book.first()
    following = await book.after(first.facts, [legal[0] for legal in first.legal])
    await book.at(first.facts)
    await book.at(following.facts)
    monkeypatch.setattr(rulebook, "gdl", type("Reader", (), {"read_term": noting}))
    for position in (first, following, first):
        assert (await book.at(position.facts)).facts == position.facts

    assert read == []


async def test_long_facts_are_not_kept() -> None:
    """Rules of strangers may make them as long as they like."""
    deep = "n"
    for _ in range(60):
        deep = f"(s {deep})"
    rules = f"(role me) (init {deep}) (legal me go) (<= terminal (true over)) (goal me 0)"
    book = MachineRulebook(gdl.load(gdl.read_kif(rules), "interpreter"))
    before = rulebook._short_term.cache_info().currsize

    assert (await book.at([deep])).facts == (deep,)
    assert (await book.at([])).facts == ()
    assert (await book.at([deep])).facts == (deep,)
    assert rulebook._short_term.cache_info().currsize == before

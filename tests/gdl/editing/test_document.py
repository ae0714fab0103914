"""Language services: what is said of a text while somebody writes it."""

from __future__ import annotations

import pytest

import gdl
from gdl.editing.draft import Draft
from gdl.editing.index import Kind, Space
from gdl.editing.renaming import RenamingError, edited
from ggp import games
from tests.thorough import KINDS, all_but

RULES = """\
; Count to three, or stop.
(role white)
(role black)
(init (count 0))
; What comes after a number.
(succ 0 1)
(succ 1 2)
(succ 2 3)
(<= (legal ?who add) (role ?who))
(legal white (stop now))
(<= (next (count ?m))
    (true (count ?n))
    (succ ?n ?m)
    (does black add))
(<= (next stopped) (does white (stop ?when)))
(<= done (true (count 3)))
(<= done (true stopped))
(<= terminal done)
(<= (goal ?r 100) (role ?r) done)
(<= (goal ?r 0) (role ?r) (not done))
"""


def at(text: str, words: str, word: str) -> int:
    """Offset of a word within some words that stand in a text once."""
    assert text.count(words) == 1
    return text.index(words) + words.index(word)


def lines(text: str, places: list[int]) -> list[int]:
    """The lines, from 1, of offsets."""
    return [text.count("\n", 0, place) + 1 for place in places]


@pytest.mark.parametrize(
    ("words", "word", "kind", "defined"),
    [
        ("(true (count ?n))", "count", Kind.BASE, [4, 11]),
        ("(succ ?n ?m)", "succ", Kind.STATIC, [6, 7, 8]),
        ("(does black add)", "add", Kind.INPUT, [9]),
        ("(does black add)", "black", Kind.ROLE, [3]),
        ("(does black add)", "does", Kind.KEYWORD, [9, 10]),
        ("(does white (stop ?when))", "stop", Kind.INPUT, [10]),
        ("(<= terminal done)", "done", Kind.VIEW, [16, 17]),
        ("(true stopped)", "stopped", Kind.BASE, [15]),
        ("(succ 2 3)", "3", Kind.CONSTANT, [8]),
        ("(succ ?n ?m)", "?m", Kind.VARIABLE, [11]),
        ("(goal ?r 0)", "goal", Kind.KEYWORD, [19, 20]),
    ],
)
def test_each_symbol_has_a_kind_and_a_definition(
    words: str, word: str, kind: Kind, defined: list[int]
) -> None:
    """A relation is defined by its rules, a fact where it is made, a move where it is legal."""
    document = gdl.document(RULES)
    place = at(RULES, words, word)
    found = document.at(place)
    assert found is not None

    assert document.index.kind(found.symbol) is kind
    assert lines(RULES, [one.start for one in document.definitions(place)]) == defined


def test_hover_tells_kind_places_remark_and_values() -> None:
    """Of a relation: what it is, what its author wrote above it, who needs it, with what."""
    document = gdl.document(RULES)

    found = document.hover(at(RULES, "(succ ?n ?m)", "succ"))

    assert found is not None
    assert found.text == (
        "**succ/2**: static relation, 2 arguments\n\n"
        "*What comes after a number.*\n\n"
        "Defined on lines 6, 7 and 8.\n\n"
        "Used by `next count/1`.\n\n"
        "Values written:\n\n1. `0` `1` `2`\n2. `1` `2` `3`"
    )


def test_hover_tells_what_was_seen_in_play() -> None:
    """The values of a fact come from games that were played."""
    document = gdl.document(RULES)
    seen = document.values_seen(seconds=1.0)

    found = document.hover(at(RULES, "(true (count ?n))", "count"), seen)

    assert found is not None
    assert "Values seen in play:\n\n1. `0` `1`" in found.text
    assert seen["stop/1"] == [["now"]]
    assert seen["succ/2"] == [["0", "1", "2"], ["1", "2", "3"]]


def test_what_an_author_writes_is_no_markdown() -> None:
    """Neither in a comment nor as a name."""
    text = "; See [here](command:x) or *there*.\n(a*b c`d e)\n"

    found = gdl.document(text).hover(text.index("a*b"))

    assert found is not None
    assert found.text.startswith("**a\\*b/2**: static relation")
    assert "*See \\[here\\](command:x) or \\*there\\*.*" in found.text
    assert "1. `` c`d ``\n2. `e`" in found.text


def test_hover_of_a_variable_names_the_conditions_it_is_in() -> None:
    """These are where its values come from."""
    found = gdl.document(RULES).hover(at(RULES, "(next (count ?m))", "?m"))

    assert found is not None
    assert "2 places in this statement. In `(succ ?n ?m)`." in found.text


def test_nothing_is_said_where_nothing_stands() -> None:
    """Between words, in comments, behind the end."""
    document = gdl.document(RULES)

    assert document.hover(3) is None
    assert document.hover(10**9) is None
    assert document.definitions(3) == []
    assert gdl.document("").hover(0) is None


@pytest.mark.parametrize(
    ("words", "word", "new", "num_places"),
    [
        ("(true (count ?n))", "count", "number", 4),
        ("(succ ?n ?m)", "succ", "after", 4),
        ("(succ ?n ?m)", "?m", "?next", 2),
        ("(succ ?n ?m)", "?m", "later", 2),
        ("(does black add)", "black", "Schwarz", 2),
        ("(succ 2 3)", "3", "three", 2),
    ],
)
def test_renaming_changes_all_places_and_nothing_else(
    words: str, word: str, new: str, num_places: int
) -> None:
    """The game is the same but for the name."""
    document = gdl.document(RULES)
    place = at(RULES, words, word)

    edits = document.rename(place, new)

    assert len(edits) == num_places
    after = edited(RULES, edits)
    assert gdl.document(after).index.occurrences[-1].statement == 14
    before, renamed = (gdl.read_kif(text).canonical for text in (RULES, after))
    assert before is not None
    assert renamed is not None
    assert before.digest == renamed.digest


@pytest.mark.parametrize(
    ("words", "word", "new", "reason"),
    [
        ("(true (count ?n))", "count", "succ", "'succ' is taken, see line 6"),
        ("(true (count ?n))", "count", "two words", "is not a valid name of a symbol"),
        ("(true (count ?n))", "count", "", "is not a valid name of a symbol"),
        ("(true (count ?n))", "count", "?x", "is not a valid name of a symbol"),
        ("(true (count ?n))", "count", "legal", "has a special meaning"),
        ("(succ ?n ?m)", "?m", "?N", "'?N' is taken, see line 12"),
        ("(goal ?r 0)", "goal", "aim", "'goal' cannot be renamed"),
        ("(goal ?r 100)", "100", "win", "it may be a goal value"),
        ("; Count", ";", "x", "there is no name here"),
    ],
)
def test_renaming_that_would_change_the_game_is_refused(
    words: str, word: str, new: str, reason: str
) -> None:
    """The reason is told, and nothing is changed."""
    with pytest.raises(RenamingError, match=reason.replace("?", r"\?")):
        gdl.document(RULES).rename(at(RULES, words, word), new)


@pytest.mark.parametrize(
    ("typed", "offered", "not_offered"),
    [
        ("(<= (legal white (st", ["stop"], ["count", "succ"]),
        ("(<= win (true (", ["count"], ["stop", "succ"]),
        ("(<= win (", ["done", "succ", "true", "does", "not", "distinct"], ["init", "count"]),
        ("(", ["<=", "role", "init", "succ"], ["true", "count"]),
        ("(<= (next (count ?new)) (succ ?old ?", ["?new", "?old"], ["?who", "succ"]),
        ("(<= win (does ", ["white", "black"], []),
        ("(<= win do", ["done"], ["succ"]),
        ("(succ ", ["0", "1", "2"], []),
        ("; a (comment ", [], ["succ", "0"]),
    ],
)
def test_completion_offers_what_may_stand_there(
    typed: str, offered: list[str], not_offered: list[str]
) -> None:
    """Also while the statement that is typed has no end."""
    text = RULES + typed

    found = [one.word for one in gdl.document(text).completions(len(text))]

    assert set(offered) <= set(found)
    assert not set(not_offered) & set(found)


def test_completion_offers_the_likeliest_first() -> None:
    """Constants that stand as this argument elsewhere come before all others."""
    text = RULES + "(succ "

    found = [one.word for one in gdl.document(text).completions(len(text))]

    assert found[:3] == ["0", "1", "2"]


def test_statements_in_a_row_are_one_entry_of_the_outline() -> None:
    """With the statements below it."""
    found = gdl.document(RULES).outline

    assert [entry.name for entry in found][:6] == [
        "role white",
        "role black",
        "init count/1",
        "succ/2",
        "legal add",
        "legal stop/1",
    ]
    [successors] = [entry for entry in found if entry.name == "succ/2"]
    assert (successors.detail, len(successors.children)) == ("3 statements", 3)
    assert RULES[successors.start : successors.end].endswith("(succ 2 3)")


def test_each_word_has_a_colour() -> None:
    """And each comment; none is left out, and none comes twice."""
    document = gdl.document(RULES)

    found = [RULES[one.start : one.end] for one in document.colours]

    assert found[0] == "; Count to three, or stop."
    words = [one for one in found if not one.startswith(";")]
    assert words == [str(word) for form in gdl.read_forms(RULES) for word in words_of(form)]


def words_of(form: object) -> list[str]:
    """The words of a form."""
    return str(form).replace("(", " ").replace(")", " ").split()


UNFINISHED = ["(<= (next (count ?k)", "(<= ", "(", ")", "(()", "((f) a", "(<= (p ?x) (or (q", '"']


@pytest.mark.parametrize("typed", UNFINISHED)
@pytest.mark.parametrize("behind", [True, False])
def test_a_text_with_faults_has_the_symbols_that_can_be_read(typed: str, behind: bool) -> None:
    """What somebody is typing takes nothing from the rest of the text."""
    text = f"{RULES}{typed}\n" if behind else f"{typed}\n{RULES}"
    document = gdl.document(text)
    place = at(text, "(<= terminal done)", "done")

    found = document.hover(place)

    assert found is not None
    assert found.text.startswith("**done**: view")
    assert len(document.outline) >= 10
    assert len(document.definitions(place)) == 2
    assert document.completions(len(text)) is not None


@pytest.mark.parametrize("name", all_but(KINDS, games.names()))
def test_a_version_is_the_same_whatever_came_before(name: str) -> None:
    """A text that was typed step by step says what it says when it is opened."""
    text = games.text(name)
    document = gdl.document(text[: len(text) // 2])
    for part in (text[:-1], text + ")", text):
        document = gdl.document(part, before=document)
        alone = gdl.document(part)

        assert [str(one) for one in document.diagnostics] == [str(one) for one in alone.diagnostics]
        assert [one[:5] for one in document.index.occurrences] == [
            one[:5] for one in alone.index.occurrences
        ]
    assert document.diagnostics == ()


EPILOG = """\
role(white)
role(black)
init(count(0))
succ(0,1)
legal(W,add) :- role(W)
next(count(M)) :- true(count(N)) & succ(N,M) & does(white,add)
terminal :- true(count(1))
goal(W,50) :- role(W)
"""


def test_epilog_has_the_same_services() -> None:
    """Places are those of the text as its author wrote it."""
    document = gdl.document(EPILOG)
    place = at(EPILOG, "true(count(N))", "count")

    assert lines(EPILOG, [one.start for one in document.definitions(place)]) == [3, 6]
    assert edited(EPILOG, document.rename(place, "number")) == EPILOG.replace("count", "number")
    variable = at(EPILOG, "true(count(N))", "N")
    assert edited(EPILOG, document.rename(variable, "Old")).count("Old") == 2
    with pytest.raises(RenamingError, match="not a valid name of a variable"):
        document.rename(variable, "old")
    hover = document.hover(at(EPILOG, "succ(N,M)", "succ"))
    assert hover is not None
    assert hover.text.startswith("**succ/2**: static relation")
    with pytest.raises(gdl.GdlSyntaxError, match="cannot be formatted"):
        document.formatted()


def test_a_sequential_game_has_one_name_for_a_fact_and_its_condition() -> None:
    """Its facts stand in conditions without `true`."""
    text = "role(white)\ninit(heap(3))\nlegal(white,take)\ntake :: heap(3) ==> ~heap(3) & heap(2)\n"
    document = gdl.document(text)

    found = document.references(at(text, "init(heap(3))", "heap"))

    assert len(found) == 4
    assert {one.symbol.space for one in found} == {Space.TERM}
    assert document.index.kind(found[0].symbol) is Kind.BASE


def test_characters_that_epilog_does_not_have_are_passed_over() -> None:
    """The rest of the text keeps its symbols."""
    document = Draft(EPILOG + 'x = "open\n')

    assert len(document.statements) >= 8
    assert not document.is_sound

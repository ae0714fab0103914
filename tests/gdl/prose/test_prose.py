"""The rules in prose: what is said of a rule, and that nothing is left out."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from ggp.boards.wording import samples, wording_of

QUICK = ("ticTacToe", "othello", "kuhnPoker")
ASKED = (("legal", 2), ("next", 1), ("init", 1), ("goal", 2), ("terminal", 0), ("sees", 2))
BOARD = gdl.Wording(
    gdl.Relation("control", 1), {gdl.Relation("cell", 3): gdl.CellForm((0, 1), (2,), "b")}
)


def prose(name: str) -> gdl.Prose:
    """A bundled game with the words of a board."""
    return gdl.tell_rules(gdl.read_kif(games.text(name)), BOARD)


TOLD = {
    "connectFour": """\
- ROLE may play `(drop COLUMN)` if it is ROLE's turn and the square (COLUMN, 6) is empty (b). \
[line 69]
- `line ROLE` holds also if, for some A from 1 to 4 and some E from 1 to 4, the squares \
(A, E), (A+1, E+1), (A+2, E+2) and (A+3, E+3) all hold ROLE. [line 122]
- If it is the turn of ROLE's opponent, then afterwards it is ROLE's turn. [line 97]
- If the square (COLUMN, ROW) holds PIECE, that stays so unless `filled COLUMN ROW` \
holds. [line 93]""",
    "breakthrough": """\
- The square (COLUMN, ROW) holds black wherever COLUMN is from 1 to 8, and ROW is 7 or 8. \
[line 74]""",
    "nim": """\
  - SIZE = TAKEN + REST, with TAKEN from 1 to 7, REST from 0 to 6, SIZE from 1 to 7""",
    "hex": """\
- `adjacent C1 R1 C2 R2` holds where (C2, R2) is (C1-1, R1), (C1-1, R1+1), (C1, R1-1), \
(C1, R1+1), (C1+1, R1-1) or (C1+1, R1), with C1 and C2 from 1 to 7, R1 and R2 from 1 to 7. \
[lines 47, 49]""",
    "goofspiel": """\
- If `(hand ROLE CARD)` is in the position, that stays so unless ROLE plays `(lay CARD)`. \
[line 103]""",
    "kuhnPoker": """\
- first is told `(got CARD)` if, for some OTHER, random plays `(deal CARD OTHER)`. [line 96]""",
}


@pytest.mark.parametrize("game", TOLD)
def test_rules_are_told_in_the_words_of_people(game: str) -> None:
    """Steps and opponents need no names, what stays is told as such, and lines are named."""
    told = prose(game).text().splitlines()

    assert [line for line in TOLD[game].splitlines() if line not in told] == []


NAMED = """(role ann) (init (heap 3)) (<= (legal ann (take ?n)) (true (heap ?n)))
(init (last nobody)) (<= (next (heap 1)) (does ann (take 3)) (not (true (last ann))))
(<= (next (last ann)) (does ann (take ?n))) (<= terminal (true (heap 1))) (goal ann 100)"""


def test_the_names_of_an_author_stand_behind_facts_and_moves() -> None:
    """Which are those of positions and answers; a name may be no sentence."""
    names = {
        ("fact", "heap"): lambda n: f"{n} left",
        ("move", "take"): lambda n: f"take {n} away",
    }

    def name_of(kind: str, words: tuple[str, ...]) -> str:
        return names[kind, words[0]](words[1]) if (kind, words[0]) in names else ""

    wording = gdl.Wording(name_of=name_of, words={"nobody": "no player yet", "none": "nothing"})
    told = gdl.tell_rules(gdl.read_kif(NAMED), wording).text(has_lines=False).splitlines()

    for line in (
        "- `(heap N)`: N left.",
        "- `(last nobody)` is in the position.",
        "- `(heap 3)` (3 left) is in the position.",
        "- `nobody` stands for: no player yet.",
        "- ann may play `(take N)` (take N away) if `(heap N)` (N left) is in the position.",
        "- If ann plays `(take N)` (take N away), then afterwards `(last ann)` is in the position.",
    ):
        assert line in told, (line, told)
    assert not any("none" in line for line in told)


BOXES = """(role ann) (index 1) (index 2)
(<= (base (box ?x ?y nobody)) (index ?x) (index ?y))
(<= (init (box ?x ?y nobody)) (index ?x) (index ?y))
(<= (legal ann (take ?x ?y)) (true (box ?x ?y nobody)))
(<= (next (box ?x ?y ann)) (does ann (take ?x ?y)))
(<= (next (box ?x ?y ?who)) (true (box ?x ?y ?who)) (not (does ann (take ?x ?y))))
(<= terminal (true (box 1 1 ann))) (goal ann 100)"""


def test_a_square_with_a_fact_for_emptiness_is_not_said_to_have_none() -> None:
    """A content whose name is not known to mean that a square is empty may mean it."""
    cells = {gdl.Relation("box", 3): gdl.CellForm((0, 1), (2,))}
    made = "(<= (init (box ?x ?y nobody)) (index ?x) (index ?y))"
    bare = "(init (box 1 1 nobody))"
    boxes, others = (
        gdl.tell_rules(gdl.read_kif(text), gdl.Wording(None, cells)).text()
        for text in (BOXES, BOXES.replace(made, bare))
    )

    assert "has no such fact" not in boxes
    assert "has no such fact" in others


COUNTED = "`(count N)` is in the position"


def test_operations_are_told_by_what_they_change() -> None:
    """What they do not touch stays: no rule of the translation shows."""
    rules = gdl.read_rules("""
role(a) role(b) init(control(a)) init(count(2)) init(won(b)) succ(0,1) succ(1,2)
legal(take) :- count(N) & succ(M,N)
take :: count(N) & succ(M,N) ==> ~count(N) & count(M)
take :: control(a) ==> ~control(a) & control(b)
terminal :- ~legal(take)
goal(R,100) :- role(R)
""")

    told = gdl.tell_rules(rules, BOARD)

    assert {relation.name for relation in rules.definitions} > {"deleted", "movable"}
    assert "deleted" not in told.text()
    assert "movable" not in told.text()
    turns = told.section("Turns")
    assert "Facts that no move touches stay" in turns.intro
    assert [sentence.said for sentence in turns.sentences] == [
        f"If ROLE plays `take` and {before}, then afterwards {after}."
        for before, after in (
            (COUNTED, "`(count N-1)` is in the position, with N (1 or 2)"),
            (COUNTED, "`(count N)` is not in the position, with N (1 or 2)"),
            ("it is a's turn", "it is b's turn"),
            ("it is a's turn", "it is not a's turn"),
        )
    ]
    end = "The match is over as soon as the move `take` is not legal."
    assert [sentence.said for sentence in told.section("End").sentences] == [end]


def check_is_told(name: str) -> None:
    """Each rule that play depends on is told: it has a sentence, or is within one."""
    rules = gdl.read_kif(games.text(name))
    machine = gdl.load(rules, "interpreter")
    told = gdl.tell_rules(rules, wording_of(machine, samples(machine, most=40)))
    needed = rules.graph.reachable({gdl.Relation(*one) for one in ASKED})

    is_told = told.lines | told.within
    asked = [rule for rule in rules.rules if rule.relation in needed]
    missing = {str(rule) for rule in asked if rule.span.line not in is_told}

    assert missing == set()


@pytest.mark.parametrize("name", QUICK)
def test_nothing_is_left_out(name: str) -> None:
    """Of a board game, one with recursion, and one with hidden cards."""
    check_is_told(name)


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name in games.names() if name not in QUICK])
def test_nothing_is_left_out_anywhere(name: str) -> None:
    """Of all bundled games."""
    check_is_told(name)


def test_scrambled_rules_are_told_as_well() -> None:
    """What is known of a board depends on no name."""
    scrambled = gdl.scramble(gdl.read_kif(games.text("ticTacToe")), 5, board=False).text
    rules = gdl.read_kif(scrambled)
    machine = gdl.load(rules, "interpreter")

    told = gdl.tell_rules(rules, wording_of(machine, samples(machine))).text()

    assert "'s turn and the square (" in told
    assert "the squares (" in told


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([(1, 2), (2, 3), (3, 4)], "holds where Y = X + 1, with X from 1 to 3."),
        ([(1, 2), (1, 3), (2, 3)], "holds where X is less than Y, with X 1 or 2, Y 2 or 3."),
        ([(1, 4), (2, 2), (3, 9), (4, 4), (7, 1)], "holds for: 1 4; 2 2; 3 9; 4 4; 7 1."),
        ([("a", 1), ("b", 2)], "holds where Y is 1 where X is a or 2 where X is b."),
    ],
)
def test_tables_are_told_by_what_is_in_them(pairs: list[tuple[object, object]], said: str) -> None:
    """As a step, an order, or a list."""
    facts = " ".join(f"(table {x} {y})" for x, y in pairs)
    rules = gdl.read_kif(
        f"(role me) (init (s 1)) {facts}"
        " (<= (legal me (go ?x)) (true (s ?x)) (not (table ?x ?y)) (true (s ?y)))"
        " (<= (next (s ?x)) (true (s ?x))) (<= terminal (table 9 ?x)) (goal me 50)"
        " (<= (sees me ?y) (table ?x ?y))"
    )

    [table] = gdl.tell_rules(rules).section("Tables").sentences

    assert table.said.partition("` ")[2] == said


def test_tables_stand_before_the_moves_that_name_them() -> None:
    """After the positions, whose facts need none."""
    sections = gdl.tell_rules(gdl.read_kif(games.text("breakthrough"))).sections

    titles = [section.title for section in sections]
    assert titles == ["Roles", "Positions", "Setup", "Tables", "Moves", "Turns", "End", "Scoring"]


TOGETHER = """(role red) (role blue) (other red blue) (other blue red) (init (control red))
(<= (legal ?r go) (true (control ?r))) (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
(<= (next (control ?r)) (true (control ?s)) (other ?s ?r)) (<= (next met) (does red go))
(<= terminal (true met))
"""
OPPONENTS = "red and blue are each other's opponent."


@pytest.mark.parametrize(
    ("goals", "are_opponents"),
    [
        ("(goal red 100) (goal blue 0)", True),
        ("(goal red 50) (goal blue 50)", True),
        (
            "(<= (goal ?r 50) (role ?r) (not (true met))) (<= (goal ?r 100) (true (control ?r)))",
            True,
        ),
        ("(<= (goal ?r 100) (role ?r) (true met))", False),
        ("(<= (goal red 90) (true never)) (<= (goal blue 80) (true never))", False),
        ("(<= (goal red 60) (true met)) (<= (goal blue 70) (not (true (control red))))", False),
    ],
)
def test_players_who_win_together_are_no_opponents(goals: str, are_opponents: bool) -> None:
    """By the rules for the goals, or by the ends of random games."""
    told = gdl.tell_rules(gdl.read_kif(TOGETHER + goals), BOARD)
    said = [one.said for one in told.section("Roles").sentences]

    assert (OPPONENTS in said) == are_opponents
    assert ("opponent" in told.text().replace("are not opponents", "")) == are_opponents
    turn = told.section("Turns").sentences[0].said
    assert ("the turn of the role other than S." in turn) != are_opponents


def test_no_section_is_empty() -> None:
    """What the rules leave out is said, and no word announces what does not come."""
    told = gdl.tell_rules(gdl.read_kif("(role red) (legal red go)"))
    texts = {section.title: section.text() for section in told.sections}

    assert all(section.sentences for section in told.sections)
    assert texts["End"] == "End\n- No rule ends the match."
    assert texts["Setup"] == "Setup\n- At the start the position has no facts."


HEADS = """(role red) (legal red go) (<= (line a) (true p)) (<= (line b) (true q))
(<= (line a) (true q)) (<= (line ?x) (true (r ?x))) (goal red 0)
(<= terminal (line a)) (<= terminal (line b))"""


def test_only_what_was_said_to_hold_holds_also() -> None:
    """The first rule for other arguments is a first one."""
    told = gdl.tell_rules(gdl.read_kif(HEADS)).text(has_lines=False)
    said = [
        line.partition(" if ")[0]
        for line in told.splitlines()
        if "`line" in line and " holds" in line
    ]

    assert [line for line in said if line.startswith("- `")] == [
        "- `line a` holds",
        "- `line b` holds",
        "- `line a` holds also",
        "- `line X` holds also",
    ]


def test_cases_stand_behind_what_they_are_of() -> None:
    """So a word may stand before them."""
    rows = [("a", str(n), "x") for n in range(1, 9)] + [("b", str(n), "y") for n in range(3, 9)]
    facts = " ".join(f"(init (at {' '.join(row)}))" for row in rows)
    told = gdl.tell_rules(gdl.read_kif(f"(role red) (legal red go) (goal red 0) {facts}"))

    [setup] = [one.said for one in told.section("Setup").sentences]

    assert "wherever where" not in setup
    assert " wherever B is from 1 to 8, and C is x where A is a; " in setup

"""Every message, as the managers of each dialect write it."""

from __future__ import annotations

import contextlib

import pytest

from ggp.protocol import (
    EMPTY_TURN,
    Abort,
    Dialect,
    Happened,
    Info,
    Message,
    MessageLimits,
    Notation,
    Ping,
    Play,
    Preview,
    ProtocolError,
    Start,
    Stop,
    Turn,
    Unknown,
    decode,
    encode,
    start_header,
)
from tests.timing import seconds_of

INFIX = Notation.INFIX
JOINT = Happened("((mark 2 3) noop)", ("(mark 2 3)", "noop"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("( INFO )", Info()),
        ("(info)", Info()),
        (" ( iNfO ) ", Info()),
        ("info()", Info(INFIX)),
        ("info(7)", Info(INFIX, "7")),
        ("(ping)", Ping()),
        ("(ping p1)", Ping(identifier="p1")),
        ("ping(p1)", Ping(INFIX, "p1")),
        ("( PREVIEW (( role x ) ) 2 )", Preview("( role x ) ", 2)),
        ("(PREVIEW anything 2)", Preview("anything", 2)),
        ("( ABORT Match.1 )", Abort("Match.1")),
        ("abort(m)", Abort("m", INFIX)),
        ("tell(m,x)", Unknown("tell")),
    ],
)
def test_a_message_means_the_same_in_any_case_and_notation(text: str, message: Message) -> None:
    """Words in any case, blanks anywhere, prefix or infix."""
    assert decode(text) == message


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("( PLAY m NIL )", Happened("NIL", None)),
        ("(play m nil)", Happened("nil", None)),
        ("(PLAY m whatever)", Happened("whatever", None)),
        ("(PLAY m ())", Happened("()", ())),
        ("( PLAY m (( mark 2 3 ) noop ) )", JOINT),
        ("(PLAY m ((mark 2 3) noop))", JOINT),
        ("(PLAY m ((mark\n2 3)noop)) and more", JOINT),
        ("(PLAY D.1 (NOOP))", Happened("(NOOP)", ("NOOP",))),
    ],
)
def test_prefix_play_tells_the_last_turn(text: str, last: Happened) -> None:
    """Any atom or an empty list says that there were no moves; trailing text is ignored."""
    message = decode(text)

    assert isinstance(message, Play)
    assert message.last == last


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("play(m,nil)", None),
        ("play(m)", None),
        ("play(m,noop)", "noop"),
        ("play(m, noop() )", "noop"),
        ("play(m,mark(1,1))", "(mark 1 1)"),
        ('play( m , move(cell(a,1) , "b") )', "(move (cell a 1) b)"),
        ("(play m (mark 1 1))", "(mark 1 1)"),
        ("(play m NIL)", None),
    ],
)
def test_gamemasters_play_tells_a_single_move(text: str, move: str | None) -> None:
    """The move is KIF, whatever the message was written in."""
    message = decode(text)

    assert isinstance(message, Play)
    assert message.last.single_move() == move


def test_infix_play_may_tell_a_joint_move() -> None:
    """A list holds one move for each role."""
    message = decode("play(m,[mark(1,1),noop])")

    assert isinstance(message, Play)
    assert message.last.joint_move() == ("(mark 1 1)", "noop")


def test_atoms_and_empty_lists_are_no_joint_move() -> None:
    """To GGP-Base, `NIL`, any other atom and `()` mean that nothing was played yet."""
    texts = ("(PLAY m NIL)", "(PLAY m foo)", "(PLAY m ())")

    messages = [decode(text) for text in texts]

    assert all(isinstance(m, Play) and m.last.joint_move() is None for m in messages)


def test_stop_is_read_like_play() -> None:
    """The final joint move."""
    assert decode("( STOP m (( mark 2 3 ) noop ) )") == Stop("m", JOINT)
    assert decode("( STOP m NIL )") == Stop("m", EMPTY_TURN)
    assert decode("stop(m,noop)") == Stop("m", Happened("noop", None), notation=INFIX)


def test_percepts_without_a_turn_look_like_moves() -> None:
    """The older GDL-II form; only who knows the rules can tell percepts from moves."""
    message = decode("(PLAY D.1 ((SEES X) Y))")

    assert isinstance(message, Play)
    assert message.last.items == ("(SEES X)", "Y")


@pytest.mark.parametrize("word", ["PLAY", "STOP"])
def test_the_later_gdl2_form_has_turn_and_own_move(word: str) -> None:
    """`(PLAY match turn lastmove percepts)`."""
    message = decode(f"({word} D.1 3 (MARK 1 1) ((SEES X) Y))")
    first = decode(f"({word} D.1 0 NIL NIL)")

    assert isinstance(message, Play | Stop)
    assert isinstance(first, Play | Stop)
    assert message.turn == Turn(3, "(MARK 1 1)")
    assert message.last.items == ("(SEES X)", "Y")
    assert first.turn == Turn(0, None)
    assert first.last.items is None


def test_start_keeps_the_rules_as_they_are() -> None:
    """The rules stay text, blank for blank; extra arguments are tolerated."""
    rules = "( role White ) ( <= ( goal ?p 100 )\n (true (x ?p)) )"

    message = decode(f"( START T.x.17952 White ({rules}) 30 15 extra (stuff))")

    assert message == Start("T.x.17952", "White", rules, 30, 15)


EPILOG = "role(a)\nlegal(X) :- p(X) & q(X,[b,c])"


@pytest.mark.parametrize(
    "text",
    [
        "start(m,a,[role(a),legal(X) :- p(X) & q(X,[b,c])],10,5)",
        "start(m,a,[ruleset,role(a),legal(X) :- p(X) & q(X,[b,c])],10,5)",
        "start(m,a,ruleset(role(a),legal(X) :- p(X) & q(X,[b,c])),10,5)",
        "start(m,a,role(a),legal(X) :- p(X) & q(X,[b,c]),10,5)",
        'start(m,a,"role(a)\\nlegal(X) :- p(X) & q(X,[b,c])",10,5)',
        f"start(m,a,{EPILOG},10,5)",
        f"start( m , a , [{EPILOG}] , 10 , 5 )",
    ],
)
def test_gamemasters_start_gives_rules_in_several_ways(text: str) -> None:
    """In a list, with the word `ruleset`, in quotes, or one argument a rule."""
    message = decode(text)

    assert message == Start("m", "a", EPILOG, 10, 5, INFIX, INFIX)


@pytest.mark.parametrize(
    "text",
    [
        f"(start m a ({EPILOG}) 10 5)",
        f"(start m a (ruleset {EPILOG}) 10 5)",
        "(start m a [role(a),legal(X) :- p(X) & q(X,[b,c])] 10 5)",
    ],
)
def test_prefix_start_may_carry_epilog_rules(text: str) -> None:
    """Then the match is in Gamemaster's dialect."""
    message = decode(text)

    assert isinstance(message, Start)
    assert message.rules.strip() == EPILOG
    assert message.rules_notation is INFIX
    assert message.dialect is Dialect.GAMEMASTER


STATEMENTS = "(<= terminal\r ; (never\r (true off))\r(role x) (succ 1 2)"


@pytest.mark.parametrize("rules", [STATEMENTS, "(succ 1 2) (role x)", "(role x)"])
def test_statements_of_kif_may_stand_without_a_list(rules: str) -> None:
    """As in the specification's example, however many they are and whatever comes first."""
    many = rules + " (role y)" * 100
    started = decode(f"(START M.1 x {rules} ; clocks\r 30 20 extra (stuff))")
    wrapped = decode(f"(START M.1 x ({rules}) 30 20)")

    assert started == wrapped
    assert decode(f"(preview {rules} 7)") == decode(f"(PREVIEW ({rules}) 7)") == Preview(rules, 7)
    assert decode(f"(START M.1 x {many} 30 20)") == decode(f"(START M.1 x ({many}) 30 20)")


def test_prefix_start_with_kif_rules_is_ggp_bases() -> None:
    """Dresden's upper case makes no difference."""
    message = decode("(START D.1 XPLAYER ((ROLE XPLAYER) (<= TERMINAL OPEN)) 5 3)")

    assert isinstance(message, Start)
    assert message.dialect is Dialect.GGP_BASE
    assert message.rules_notation is Notation.PREFIX


@pytest.mark.parametrize(
    ("text", "field", "expected", "got", "position"),
    [
        ("", "message", "a message such as (INFO) or ping(id)", "end of message", 1),
        ("info", "message", "a message such as (INFO) or ping(id)", "info", 1),
        ("(FOO)", "message", "one of INFO, PING, PREVIEW, START, PLAY, STOP, ABORT", "FOO", 2),
        ("(INFO", "message", ") to end the message", "end of message", 6),
        ("(INFO x)", "message", ") after the 0 arguments of INFO", "x", 7),
        ("((INFO))", "message", "a word such as INFO", "(INFO))", 2),
        ("(PLAY)", "match", "a match (one word)", ")", 6),
        ("(PLAY (m) NIL)", "match", "a match (one word)", "(m)", 7),
        ("(PLAY m)", "moves", "the moves of the last turn, or NIL, as argument 2 of PLAY", ")", 8),
        (
            "(START m a ((role a)) 10)",
            "playclock",
            "a playclock in whole seconds, at most 3600",
            ")",
            25,
        ),
        (
            "(START m a () 1.5 5)",
            "startclock",
            "a startclock in whole seconds, at most 3600",
            "1.5",
            15,
        ),
        (
            "(START m a () -1 5)",
            "startclock",
            "a startclock in whole seconds, at most 3600",
            "-1",
            15,
        ),
        (
            "(START m a () 10 9999)",
            "playclock",
            "a playclock in whole seconds, at most 3600",
            "9999",
            18,
        ),
        ("(START m a rules 10 5)", "rules", "( to begin the rules", "rules", 12),
        (
            "(START m a (role a) (role b) 5)",
            "playclock",
            "a playclock in whole seconds, at most 3600",
            ")",
            31,
        ),
        ("(START m a ((role a) 10 5)", "message", ") to end the message", "end of message", 27),
        (
            "(PLAY m NIL NIL)",
            "turn",
            "the number of a turn, as more than a match and its moves follow (GDL-II)",
            "NIL",
            9,
        ),
        ("play(m,mark(1,))", "moves", "a term such as mark(1,1)", ")", 15),
        ("play(m,,x)", "message", "a term", ",x)", 8),
        ('play(m,"x\x07\n"', "message", ") to end the message", "end of message", 13),
    ],
)
def test_an_error_names_the_field_and_the_place(
    text: str, field: str, expected: str, got: str, position: int
) -> None:
    """The character is counted from 1."""
    with pytest.raises(ProtocolError) as caught:
        decode(text)

    error = caught.value
    assert (error.field, error.expected) == (field, expected)
    assert (error.got, error.position) == (got, position)


def test_an_error_is_one_line() -> None:
    """The line has what was expected, what came, and where."""
    with pytest.raises(ProtocolError) as caught:
        decode("(START m a () 10 9999)")

    line = "expected a playclock in whole seconds, at most 3600, got: 9999 at character 18"
    assert str(caught.value) == line


def test_errors_escape_and_shorten_what_came() -> None:
    """Nobody writes a second line into our answer or log."""
    with pytest.raises(ProtocolError) as caught:
        decode("\x1b[31m" + "x" * 1000)

    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize(
    "text",
    [
        "(INFO" + " " * 1000,
        f"(PLAY {'m' * 60} NIL)",
        f"(PLAY m ({'(a ' * 12}{')' * 12}))",
        f"(PLAY m ({'a ' * 200}))",
        "(START m a () 61 1)",
        "(START m a () 1 11)",
        f"({'INFO ' * 65})",
    ],
)
def test_limits_are_kept(text: str) -> None:
    """Length, depth, clocks and number of arguments."""
    limits = MessageLimits(
        num_characters=1000,
        startclock=60,
        playclock=10,
        num_word_characters=50,
        num_moves_characters=300,
        depth=10,
    )

    with pytest.raises(ProtocolError):
        decode(text, limits)


@pytest.mark.parametrize(
    "text",
    [
        f"( START m x ({'( <= ( next ( cell ?x ) ) ( true ( cell ?x ) ) ) ' * 9300}) 10 5)",
        f"start(m,x,[{'next(cell(X)) :- true(cell(X)) & p(X,Y),' * 11000}role(x)],10,5)",
        "start(m,x," + "a," * 200_000,
        "(" * 455_000,
        "f(" * 200_000,
        "f(" + "/*" * 200_000,
        "f(" + '"\\' * 200_000,
        "play(m," + '"\\' * 45_000 + ")",
        '(PLAY m ("' + "\\" * 90_000 + "))",
        "(INFO" + ";\n" * 200_000,
    ],
    ids=["kif", "epilog", "many", "open", "nested", "comment", "string", "move", "quote", "blank"],
)
def test_decoding_is_fast_whatever_comes(text: str) -> None:
    """A START of 455 kB takes under 0.1 s here; the bound leaves room for a busy machine."""

    def read() -> None:
        with contextlib.suppress(ProtocolError):
            decode(text)

    assert seconds_of(read) < 0.4


KIF = "(role x) (legal x wait)"
EPILOG_START = "role(x) legal(x,wait)"


@pytest.mark.parametrize(
    "text",
    [
        f"( START m.1 x ( {KIF} ) 10 5 )",
        f"(start m.1 x ({KIF}) 10 5)",
        f"(START m.1 x ( ; as written\n{KIF}) 10 5)",
        f"(START m.1 x {KIF} 10 5)",
        f"(START m.1 x (<= terminal (true over)) {KIF} 10 5)",
        f"( start m.1 x ({EPILOG_START}) 10 5)",
        f"( start m.1 x [{EPILOG_START}] 10 5)",
        f"start(m.1,x,[{EPILOG_START}],10,5)",
        f" start( m.1 , x, {EPILOG_START}, 10, 5)",
    ],
)
def test_the_header_says_what_the_whole_says(text: str) -> None:
    """The match's name, and in whose words the answer has to be."""
    seen, read = start_header(text), decode(text)

    assert isinstance(read, Start)
    assert seen is not None
    told = (read.match, read.notation, read.dialect)
    assert (seen.match, seen.notation, seen.dialect) == told


@pytest.mark.parametrize("text", ["", "(", "( PLAY m NIL )", "start", "start(", "(START ; m\n x"])
def test_what_is_no_start_is_none(text: str) -> None:
    """Or what is none at a start_header: then it has to be read."""
    assert start_header(text) is None


def test_other_messages_are_none() -> None:
    """They are short."""
    assert start_header(encode(Play("m"), Dialect.GGP_BASE)) is None
    assert start_header(encode(Info(Notation.INFIX), Dialect.GAMEMASTER)) is None

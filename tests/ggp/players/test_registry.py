"""Players are found by name, with their options; what is wrong is said with what would be right."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

import gdl
from ggp.clock import Deadline
from ggp.players import Player, PlayerSpec, PlayerSpecError, create, names, parse_spec, registry
from tests.fakes.gametree import decision, game_tree, terminal

OWN_PLAYER = """
from ggp.players import Option, Player, whole

class Last(Player):
    OPTIONS = (Option("skip", whole(0), 0, "moves to leave out at the end"),)

    def choose(self, state, deadline):
        return self.legal_moves(state)[-1]

class Lazy(Player):
    pass

class Unborn(Last):
    def __init__(self, *args):
        raise RuntimeError("out of luck")

class Bare(Last):
    def __init__(self):
        self.seen = set()

class Careless(Last):
    OPTIONS = (Last.OPTIONS[0])

not_a_player = 3
"""


@pytest.fixture
def machine() -> gdl.Game:
    """A game of one decision."""
    return game_tree(("me",), decision("me", a=terminal(0), b=terminal(100)))


@pytest.fixture
def own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module with players in the current folder, which is not on the import path."""
    name = "registry_test_players"
    (tmp_path / f"{name}.py").write_text(OWN_PLAYER, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("/nonexistent")  # restores the path, which importing extends
    return name


def make(spec: str, machine: gdl.Game, **options: str) -> Player:
    """The player for the first role."""
    return create(spec, machine, machine.roles[0], options, seed=1)


def test_the_players_of_the_lecture_have_names() -> None:
    """Others may be installed beside them."""
    assert {"greedy", "legal", "mcts", "random"} <= set(names())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mcts", PlayerSpec("mcts")),
        ("mcts:c=0.7", PlayerSpec("mcts", {"c": "0.7"})),
        ("mcts:c=0.7, final=value", PlayerSpec("mcts", {"c": "0.7", "final": "value"})),
        ("a.b:C", PlayerSpec("a.b:C")),
        ("a.b:C:k=v,l=http://x:1/", PlayerSpec("a.b:C", {"k": "v", "l": "http://x:1/"})),
    ],
)
def test_a_spec_is_a_name_and_options(text: str, expected: PlayerSpec) -> None:
    """Options follow the name, or the class, after a colon."""
    assert parse_spec(text) == expected


@pytest.mark.parametrize("text", ["", "mcts:", "mcts:c=1,", "mcts:c=1,c=2", "mcts c=1", "a:b:c"])
def test_a_malformed_spec_is_refused(text: str) -> None:
    """The message quotes it and gives the forms there are."""
    with pytest.raises(PlayerSpecError, match="expected"):
        parse_spec(text)


@pytest.mark.parametrize("name", ["greedy", "legal", "mcts", "random"])
def test_a_player_by_name_chooses_a_legal_move(name: str, machine: gdl.Game) -> None:
    """Every built-in player plays."""
    player = make(name, machine)

    move = player.choose(machine.initial_state(), Deadline.after(60))

    assert move in machine.legal_moves(machine.initial_state(), player.role)


@pytest.mark.parametrize(
    ("spec", "options", "message"),
    [
        ("mtcs", {}, "unknown player 'mtcs': did you mean mcts?"),
        ("mcts:itertaions=5", {}, "unknown option 'itertaions': did you mean iterations"),
        ("mcts", {"nodez": "5"}, "unknown option 'nodez': did you mean nodes"),
        ("mcts:c=high", {}, "option c: expected auto or a number of at least 0, got 'high'"),
        ("mcts:c=nan", {}, "option c: expected auto or a number of at least 0, got 'nan'"),
        ("mcts:nodes=0", {}, "option nodes: expected a whole number from 1 to 64, got '0'"),
        ("mcts:nodes=2,iterations=9", {}, "option nodes: cannot be combined with iterations"),
        (
            "mcts:max_nodes=0",
            {},
            "option max_nodes: expected a whole number of at least 1, got '0'",
        ),
        ("greedy:select=best", {}, "option select: expected one of utility, visits"),
        ("legal:c=1", {}, "unknown option 'c': none are known"),
        ("no.such.module:X", {}, "cannot import no.such.module"),
        ("mcts:c", {}, "option c has no value; expected mcts:c=VALUE"),
        ("random:c", {}, "expected random:KEY=VALUE; unknown option 'c': none are known"),
        ("gdl:Constant", {}, "expected a subclass of ggp.players.Player named 'Constant'"),
    ],
)
def test_what_is_wrong_with_a_player_is_said(
    spec: str, options: dict[str, str], message: str, machine: gdl.Game
) -> None:
    """One line that names the part and what would be right."""
    with pytest.raises(PlayerSpecError) as caught:
        make(spec, machine, **options)

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_options_of_the_spec_come_before_the_others(machine: gdl.Game) -> None:
    """`--option` holds for all players, the spec for this one."""
    with pytest.raises(PlayerSpecError, match="'spec'"):
        make("mcts:c=spec", machine, c="other")


def test_a_class_of_the_current_folder_is_a_player(machine: gdl.Game, own_module: str) -> None:
    """MODULE:CLASS needs no installation."""
    player = make(f"{own_module}:Last:skip=1", machine)

    assert str(player.choose(machine.initial_state(), Deadline.after(60))) == "b"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("lost.py:Last", r"'lost\.py:Last': there is no file /.*lost\.py"),
        ("./:Last", r"there is no file /.*player\.py"),
        ("registry_test_players.py", "there are Last, Unborn, Bare, Careless: name one as regis"),
        ("registry_test_players.py:Lust", "no player class Lust; it has Bare, Careless, Last"),
        ("registry_test_players.py:Careless", "OPTIONS: expected a tuple of Option"),
        ("broken.py", r"broken\.py:1: SyntaxError"),
        ("empty.py", "expected a subclass of ggp.players.Player; there is none"),
        ("a folder.py", "there is no file"),
    ],
)
def test_a_file_is_a_player(
    spec: str, message: str, machine: gdl.Game, own_module: str, tmp_path: Path
) -> None:
    """With its class, where there are several; what is wrong with it is said."""
    (tmp_path / "broken.py").write_text("def")
    (tmp_path / "empty.py").write_text("")
    (tmp_path / "a folder.py").mkdir()
    own = tmp_path / f"{own_module}.py"
    player = make(f"{own}:Last:skip=1", machine)

    assert str(player.choose(machine.initial_state(), Deadline.after(60))) == "b"
    assert type(make(f"{own_module}.py:Last", machine)) is type(player)
    with pytest.raises(PlayerSpecError, match=message):
        make(spec, machine)


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("Lost", "it has Bare, Careless, Last, Lazy, Unborn"),
        ("not_a_player", "expected a subclass"),
        ("Lazy", "it has no method choose"),
        ("Careless", "OPTIONS: expected a tuple of Option, such as"),
        ("Unborn", r"cannot be made: .*registry_test_players\.py:15: RuntimeError: out of luck"),
        ("Bare", r"cannot be made: TypeError: .*; write set_up\(\) in place of __init__$"),
        ("Last:skip=many", "option skip: expected a whole number of at least 0, got 'many'"),
        ("Last:skpi=1", "unknown option 'skpi': did you mean skip"),
    ],
)
def test_a_class_that_is_no_player_is_refused(
    machine: gdl.Game, own_module: str, reference: str, message: str
) -> None:
    """The message says what is missing, or which players the module does have."""
    with pytest.raises(PlayerSpecError, match=message):
        make(f"{own_module}:{reference}", machine)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import nowhere_to_be_found", "{name}.py:1: ModuleNotFoundError: No module named 'nowh"),
        ("x = 1\ny = x / 0", "{name}.py:2: ZeroDivisionError: division by zero"),
        ("def x(:\n    pass", "{name}.py:1: SyntaxError: invalid syntax"),
        ("raise SystemExit('bye')", "{name}.py:1: SystemExit: bye"),
        (
            "from ggp.players import Option\n\nX = Option('x', int, 3, 'a number')",
            "{name}.py:3: TypeError: option x: expected number(...), whole(...) or one_of(...)",
        ),
    ],
)
def test_a_module_that_cannot_be_imported_is_named_with_the_line(
    machine: gdl.Game,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    message: str,
) -> None:
    """Whatever it raises, it is the player that is wrong and not the program."""
    name = f"module_that_raises_{zlib.crc32(text.encode())}"
    (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))

    with pytest.raises(PlayerSpecError) as caught:
        make(f"{name}:X", machine)

    assert f"cannot import {name}: {message.format(name=name)}" in str(caught.value)


def test_an_entry_point_is_a_player(
    machine: gdl.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installed distribution that names a class in the group `ggp.players` adds a player."""
    (tmp_path / "entry_point_players.py").write_text(OWN_PLAYER, encoding="utf-8")
    info = tmp_path / "someones_players-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: someones-players\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[ggp.players]\nlast = entry_point_players:Last\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    player = make("last", machine)

    assert "last" in names()
    assert isinstance(player.role, gdl.Constant)
    assert str(player.choose(machine.initial_state(), Deadline.after(60))) == "b"


def test_installed_players_are_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as Python looks in the same places."""
    looks: list[str] = []

    def look(group: str) -> tuple[()]:
        looks.append(group)
        return ()

    monkeypatch.setattr(registry, "entry_points", look)
    for path in ("/nowhere", "/elsewhere"):
        monkeypatch.syspath_prepend(path)
        for _ in range(3):
            assert set(names()) == set(registry.BUILT_IN)

    assert looks == [registry.ENTRY_POINT_GROUP] * 2


def test_every_option_is_explained() -> None:
    """The one place of an option says what it means, in words."""
    options = [option for name in names() for option in registry.player_class(name).OPTIONS]

    assert options
    assert all(len(option.help) > 20 for option in options)


@pytest.mark.parametrize(
    ("spec", "advice"),
    [
        ("mcts:practise=yes", "option practise: .*`ggp learn GAME`"),
        ("mcts:select=uct", "option select: .*leave it out"),
        ("alphabeta:aspiration=5", "option aspiration: .*leave it out"),
    ],
)
def test_an_option_that_was_dropped_says_what_to_do_instead(
    machine: gdl.Game, spec: str, advice: str
) -> None:
    """Practice gave way to learning before a match; others had one value, or no effect."""
    with pytest.raises(PlayerSpecError, match=advice):
        create(spec, machine, machine.roles[0], {})

"""Sequential games: facts of the state, control and operations, read as GDL."""

from __future__ import annotations

import pytest

import gdl
from gdl.epilog import sequential

FRAME = """
role(a) role(b)
base(control(R)) :- role(R)
init(control(a)) init(p(1))
base(p(N)) :- num(N)
num(1) num(2) num(3)
legal(go) legal(stay)
goal(R,50) :- role(R)
terminal :- p(3)
go :: control(a) ==> ~control(a) & control(b)
go :: control(b) ==> ~control(b) & control(a)
"""


class Game:
    """A sequential game and its current state."""

    def __init__(self, text: str) -> None:
        self.rules = gdl.read_epilog(text, "game.epilog")
        self.machine = gdl.load(self.rules, "interpreter")
        self.state = self.machine.initial_state()

    def facts(self) -> list[str]:
        """The facts of the current state."""
        return [str(fact) for fact in self.machine.facts(self.state)]

    def legal(self, role: str) -> list[str]:
        """The legal moves of a role."""
        by_name = {each.name: each for each in self.machine.roles}
        return sorted(map(str, self.machine.legal_moves(self.state, by_name[role])))

    def play(self, *moves: str) -> list[str]:
        """The facts after a joint move."""
        joint = [gdl.read_term(move, self.rules) for move in moves]
        self.state = self.machine.next_state(self.state, joint)
        return self.facts()


def test_role_in_control_has_the_moves_and_the_other_noop() -> None:
    """One-place `legal` speaks of whoever is in control."""
    game = Game(FRAME)

    before = game.legal("a"), game.legal("b")
    game.play("go", "noop")

    assert before == (["go", "stay"], ["noop"])
    assert (game.legal("a"), game.legal("b")) == (["noop"], ["go", "stay"])


def test_what_no_operation_touches_stays() -> None:
    """A move without operations changes nothing."""
    game = Game(FRAME)

    assert game.play("stay", "noop") == ["(control a)", "(p 1)"]


def test_operations_of_one_action_all_apply() -> None:
    """Their conditions are read before any change."""
    game = Game(FRAME + "go :: p(1) ==> ~p(1) & p(2)   go :: p(2) ==> p(3)")

    assert game.play("go", "noop") == ["(control b)", "(p 2)"]


def test_deletions_happen_before_additions() -> None:
    """A fact that one step both deletes and adds holds afterwards."""
    game = Game(FRAME + "go :: p(X) ==> p(X) & ~p(X)")

    assert game.play("go", "noop") == ["(control b)", "(p 1)"]


def test_effect_without_conditions_always_happens() -> None:
    """The conditions and `==>` may be left out."""
    game = Game(FRAME + "go :: p(2)   go :: true ==> ~p(1)   go :: false ==> p(3)")

    assert game.play("go", "noop") == ["(control b)", "(p 2)"]


def test_deletion_with_an_open_variable_deletes_all_that_match() -> None:
    """`~p(X)` with nothing said of X empties the relation."""
    game = Game(FRAME + "init(p(2)) go :: ~p(_)")

    assert game.play("go", "noop") == ["(control b)"]


def test_called_operations_are_done_in_the_same_step() -> None:
    """An effect that names an operation stands for its effects, with its arguments."""
    text = "go :: p(X) ==> move(X,2)   move(X,Y) :: ~p(Y) ==> ~p(X) & put(Y)   put(X) :: p(X)"
    game = Game(FRAME + text)

    assert game.play("go", "noop") == ["(control b)", "(p 2)"]


def test_variables_of_a_called_operation_are_its_own() -> None:
    """The X of caller and called operation are different variables."""
    text = "go :: p(X) & num(Y) & distinct(X,Y) ==> put(Y)   put(X) :: num(Y) & same(X,2) ==> p(X)"
    game = Game(FRAME + text)

    assert game.play("go", "noop") == ["(control b)", "(p 1)", "(p 2)"]


def test_operation_that_is_called_is_no_action_unless_declared() -> None:
    """Only `action` or `legal` make a called operation a move."""
    rules = gdl.read_epilog(FRAME + "go :: tick(1)  tick(N) :: p(N) ==> ~p(N)")

    assert not any("(tick" in str(rule) for rule in rules.rules)


def test_cycle_of_operations_is_an_error_with_its_place() -> None:
    """Unfolding a cycle would never end."""
    with pytest.raises(gdl.RulesheetError, match=r"rules:2:6: .*cycle: x/0 -> y/0 -> x/0"):
        gdl.read_epilog("role(a) x :: y\ny :: x", "rules")


def test_long_chain_of_operations_is_refused() -> None:
    """A chain of calls is as deep as terms may be, no deeper."""
    chain = [f"o{n} :: o{n + 1}" for n in range(2000)]

    with pytest.raises(gdl.RulesheetError, match="operations call each other more than"):
        gdl.read_epilog("role(a) " + "\n".join(chain) + "\no2000 :: p")


def test_operations_that_unfold_without_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirty levels that double each time would be a billion updates."""
    monkeypatch.setattr(sequential, "MAX_UPDATES", 2_000)  # a tenth, so that it takes less time
    levels = [f"o{n} :: o{n + 1} & o{n + 1}" for n in range(30)]

    with pytest.raises(gdl.RulesheetError, match="more than 2000 effects"):
        gdl.read_epilog("role(a) " + "\n".join([*levels, "o30 :: p"]))


@pytest.mark.parametrize("argument", ["f(X,X)", "f(" * 20 + "X" + ")" * 20])
def test_arguments_that_grow_with_every_call_are_refused(argument: str) -> None:
    """A hostile rulesheet must not fill the memory or the stack."""
    chain = [f"o{n}(X) :: o{n + 1}({argument})" for n in range(100)]

    with pytest.raises(gdl.RulesheetError, match="grow too large"):
        gdl.read_epilog("role(a) " + "\n".join(chain) + "\no100(X) :: p(X)")


def test_several_roles_without_control_are_an_error() -> None:
    """Nothing says who moves."""
    with pytest.raises(gdl.RulesheetError, match="1:14: expected facts 'control"):
        gdl.read_epilog("role(a) role(b) go :: p(1)")


def test_single_role_needs_no_control() -> None:
    """The only role always moves."""
    game = Game("role(me) init(p) legal(go) go :: p ==> ~p & q goal(me,1) :- q terminal :- q")

    assert game.legal("me") == ["go"]
    assert game.play("go") == ["q"]


def test_control_may_be_a_derived_relation() -> None:
    """The role that moves may follow from the other facts."""
    text = (
        "role(a) role(b) init(turn(1)) control(a) :- turn(1) control(b) :- turn(2) legal(go)"
        " go :: turn(1) ==> ~turn(1) & turn(2)  goal(R,1) :- role(R) terminal :- turn(3)"
    )
    game = Game(text)

    assert (game.legal("a"), game.legal("b")) == (["go"], ["noop"])
    assert game.play("go", "noop") == ["(turn 2)"]
    assert (game.legal("a"), game.legal("b")) == (["noop"], ["go"])


def test_conditions_may_ask_for_legal_moves() -> None:
    """A game may end when the role in control cannot move."""
    game = Game(
        "role(a) init(p(1)) legal(take(X)) :- p(X) take(X) :: ~p(X)"
        " terminal :- ~legal(take(1)) goal(a,5)"
    )

    before = game.machine.is_terminal(game.state)
    game.play("(take 1)")

    assert (before, game.machine.is_terminal(game.state)) == (False, True)


def test_helper_relations_never_take_a_name_of_the_file() -> None:
    """A game may call its own facts `deleted`."""
    game = Game(FRAME + "init(deleted(1)) go :: deleted(X) ==> ~p(X)")

    assert game.play("go", "noop") == ["(control b)", "(deleted 1)"]


def test_noop_of_the_file_acts_only_for_the_role_in_control() -> None:
    """The others make the move `noop` too, but it is not theirs."""
    game = Game(FRAME + "legal(noop) noop :: p(1) ==> ~p(1)")

    assert game.play("go", "noop") == ["(control b)", "(p 1)"]


def test_rules_keep_their_place_in_the_file() -> None:
    """A finding about a generated rule points at the operation it stems from."""
    rules = gdl.read_epilog("role(a)\ninit(p)\ngo :: p ==>\n  ~p & q", "game.epilog")

    places = {str(rule): str(rule.span) for rule in rules.rules}

    assert places["(<= (next q) (does a go) (true p))"] == "game.epilog:3:1"
    assert places["(<= (next q) (true q))"] == "game.epilog:4:8"

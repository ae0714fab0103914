"""`ggp why`: why a fact holds in a position, and why not."""

from __future__ import annotations

from typing import Annotated

from ggp.cli.checks import pointing_to_check
from ggp.cli.options import GameOrFile, Json, Moves, argument, option
from ggp.errors import WrongUseError

FACT = "FACT"


def why(
    game: GameOrFile,
    fact: Annotated[
        str,
        argument(
            FACT,
            "What is asked, such as '(legal white noop)', terminal, '(goal white ?n)', "
            "'(true (control white))', '(not terminal)', or a relation of the rules.",
        ),
    ],
    moves: Moves = None,
    next_moves: Annotated[
        str | None,
        option(
            "MOVES",
            "What is done in the position, for facts that depend on it: next, does, sees.",
            "--next",
        ),
    ] = None,
    depth: Annotated[
        int, option("NUMBER", "How many rules deep it is explained.", min=1, max=100)
    ] = 4,
    json: Json = False,
) -> None:
    """Tell why a fact holds in a position, or what is missing for it.

    A fact that holds is derived by rules from the state, from moves and from facts of the rules.
    For one that does not, each rule that could make it is shown with the values that satisfy most
    of its conditions, and the first condition that fails is explained in turn. A variable in the
    fact, such as ?m, stands for whatever holds.

    Examples:
        ggp why ticTacToe '(legal oplayer (mark 1 1))'
        ggp why ticTacToe --moves '(mark 1 1) (mark 2 2)' '(true (cell 2 2 x))'
        ggp why ticTacToe --next '(mark 1 1)' '(next (cell 1 1 ?what))'
        ggp why my.kif '(not terminal)' --depth 6 --json
    """
    import gdl
    from ggp.analysis.position import joint_move, position_after
    from ggp.rulesheets import find_game
    from ggp.terminal.console import print_json
    from ggp.terminal.why_view import show

    with pointing_to_check(game):
        found = find_game(game)
        machine, rules = found.machine, found.rulesheet
        explainer = gdl.Explainer(rules)
    try:
        question = explainer.question(fact, FACT)
    except (gdl.QuestionError, gdl.GdlSyntaxError) as error:
        raise WrongUseError(error.explain()) from error
    with pointing_to_check(game):
        position = position_after(machine, rules, moves or [], may_be_stuck=True)
        made = None
        if next_moves is not None:
            made = joint_move(machine, rules, position.state, next_moves, "--next")
        elif question.needs_moves:
            raise WrongUseError(
                f"{question} depends on what is done in the position; say it with --next MOVES"
            )
        answer = explainer.why(question, position.moves, made, depth)
    if json:
        print_json(answer.to_json())
    else:
        show(answer, depth)

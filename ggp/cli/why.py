"""`ggp why`: explain why a fact holds in a position, or why it does not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ggp.cli.checks import pointing_to_check
from ggp.cli.options import Json, Moves, argument, option
from ggp.errors import WrongUseError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ggp.report.match_line import MatchLine
    from ggp.rulesheets import NamedGame
    from ggp.search.core.choices import Joint

FACT = "FACT"
RECORDS = (".json", ".xml")


def why(
    game: Annotated[
        str,
        argument("GAME|FILE|RECORD", "A bundled game, a file, or a match saved as .json or .xml."),
    ],
    fact: Annotated[
        str,
        argument(
            FACT,
            "The fact to explain, such as '(legal white noop)', terminal, '(goal white ?n)', "
            "'(true (control white))', '(not terminal)', or a relation of the rules.",
        ),
    ],
    moves: Moves = None,
    next_moves: Annotated[
        str | None,
        option(
            "MOVES",
            "Moves made in the position, for facts that depend on them: next, does, sees.",
            "--next",
        ),
    ] = None,
    turn: Annotated[
        int | None,
        option(
            "NUMBER",
            "Explain the position before this turn of a RECORD, counted from 1. Default: the "
            "position at the end of the match.",
            "--turn",
            min=1,
        ),
    ] = None,
    rules: Annotated[
        str | None,
        option(
            "GAME",
            "Rules of a RECORD. Default: the bundled game with the same first state.",
            "--game",
        ),
    ] = None,
    depth: Annotated[
        int,
        option(
            "NUMBER",
            "Depth of the explanation: how many rules it follows from the fact.",
            min=1,
            max=100,
        ),
    ] = 4,
    json: Json = False,
) -> None:
    """Explain why a fact holds in a position, or what is missing for it.

    A fact that holds is derived by rules from the state, from moves and from facts of the rules. If
    it does not hold, each rule that could derive it is shown with the values that satisfy most of
    its conditions. The first condition that fails is explained in the same way. A variable in the
    fact, such as ?m, asks for the values for which the fact holds. For a saved match, the position
    is the end of the match. With --turn, it is the position before that turn, and the moves of that
    turn are known.

    Examples:
        ggp why ticTacToe '(legal oplayer (mark 1 1))'
        ggp why ticTacToe --moves '(mark 1 1) (mark 2 2)' '(true (cell 2 2 x))'
        ggp why ticTacToe --next '(mark 1 1)' '(next (cell 1 1 ?what))'
        ggp why my.kif '(not terminal)' --depth 6 --json
        ggp why match.json --turn 3 '(legal xplayer (mark 1 1))'
    """
    import gdl
    from ggp.analysis.position import joint_move, position_after
    from ggp.rulesheets import find_game
    from ggp.terminal.console import print_json
    from ggp.terminal.why_view import show

    is_record = Path(game).suffix in RECORDS
    if not is_record and (turn is not None or rules is not None):
        raise WrongUseError("--turn and --game need a RECORD, a file that ends in .json or .xml")
    if is_record and (moves or next_moves):
        raise WrongUseError("--moves and --next need a GAME; for a RECORD, give the --turn")
    with pointing_to_check(rules or game):
        found, line = _match(Path(game), rules) if is_record else (find_game(game), None)
        explainer = gdl.Explainer(found.rulesheet)
    try:
        question = explainer.question(fact, FACT)
    except (gdl.QuestionError, gdl.GdlSyntaxError) as error:
        raise WrongUseError(error.explain()) from error
    with pointing_to_check(rules or game):
        made = None
        if line is not None:
            way, made = _position(line, turn, game)
        else:
            position = position_after(
                found.machine, found.rulesheet, moves or [], may_be_stuck=True
            )
            way = position.moves
            if next_moves is not None:
                state = position.state
                made = joint_move(found.machine, found.rulesheet, state, next_moves, "--next")
        if made is None and question.needs_moves:
            option_name = "--turn NUMBER" if is_record else "--next MOVES"
            raise WrongUseError(
                f"whether {question} holds depends on the moves made in the position; "
                f"give {option_name}"
            )
        answer = explainer.why(question, way, made, depth)
    if json:
        print_json(answer.to_json())
    else:
        show(answer, depth)


def _match(file: Path, rules: str | None) -> tuple[NamedGame, MatchLine]:
    from ggp.records.recording import read_record
    from ggp.report.match_line import game_of, line_of
    from ggp.rulesheets import find_game

    record = read_record(file)
    game = game_of(record) if rules is None else find_game(rules)
    return game, line_of(game.machine, record.moves)


def _position(line: MatchLine, turn: int | None, name: str) -> tuple[Sequence[Joint], Joint | None]:
    """Return the joint moves before the turn, and the turn's own. Without a turn: all, and None."""
    if turn is None:
        return line.moves, None
    if turn > line.num_turns:
        why = f"; {line.broken}" if line.broken else ""
        raise WrongUseError(
            f"--turn: expected a number from 1 to {line.num_turns}, the turns of {name}, "
            f"got {turn}{why}"
        )
    return line.moves[: turn - 1], line.moves[turn - 1]

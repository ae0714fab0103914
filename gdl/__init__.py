"""The Game Description Language: read it, check it, play it.

Examples:
    >>> import gdl
    >>> rules = gdl.read_kif("(role me) (init (s 0)) (legal me go) (next (s 1)) (goal me 50)"
    ...                      "(<= terminal (true (s 1)))")
    >>> game = gdl.load(rules)
    >>> state = game.initial_state()
    >>> [str(move) for move in game.legal_moves(state, game.roles[0])]
    ['go']
"""

from typing import TYPE_CHECKING

from gdl import tokens
from gdl.cache import folder as cache_folder
from gdl.cache import remove_oldest
from gdl.check import Diagnostic, PlayLimits, Severity, check, check_play
from gdl.editing import read_document as document
from gdl.epilog.rules import read_epilog, write_epilog
from gdl.epilog.rules import read_term as read_epilog_term
from gdl.epilog.rules import write_term as write_epilog_term
from gdl.errors import (
    EvaluationLimitError,
    GdlError,
    GdlSyntaxError,
    IllegalMoveError,
    RulesheetError,
    Source,
    Span,
    UnstratifiedError,
    with_line_feeds,
)
from gdl.game import ENGINES, Engine, Extra, Game, game_of_part
from gdl.ground import Budget, GroundingError
from gdl.interpreter.lecture_functions import (
    findcontrol,
    findinits,
    findlegals,
    findpercepts,
    findreward,
    findroles,
    findterminalp,
    simulate,
)
from gdl.interpreter.limits import Limits
from gdl.interpreter.machine import Interpreter
from gdl.kernels import (
    collect_garbage_once,
    compile_ahead,
    compile_apart,
    is_compiled_ahead,
    is_warm,
    kernel,
    scalar_kernels,
    warm_up,
    warm_up_decisive,
)
from gdl.kif import format_kif, read_forms, read_kif, read_term
from gdl.loading import Compiled, compile_rules, load, load_compiled, load_lane_machine
from gdl.machine import RANDOM, Move, Role, State, StateMachine, is_random
from gdl.notation import is_epilog, read_faulty_rules, read_rules
from gdl.prose import CellForm, Prose, Wording, fact_domains
from gdl.prose import tell as tell_rules
from gdl.rulesheet import KEYWORDS, CanonicalForm, Relation, Rulesheet, renamed
from gdl.scrambling import Scrambled, invented_words, scramble
from gdl.terms import Compound, Constant, Term, Variable
from gdl.why.explainer import Explainer, QuestionError, why
from gdl.why.reason import Answer, Attempt, Condition, Reason
from gdl.why.reason import Kind as ReasonKind
from gdl.why.reason import Line as ReasonLine
from gdl.why.reason import lines as lines_of

if TYPE_CHECKING:  # imported on first use, because they need numba
    from gdl.circuit.lanes.batch.state_batch import StateBatch as StateBatch
    from gdl.circuit.lanes.expander.expander import Expander as Expander
    from gdl.circuit.lanes.expander.expander import Simulator as Simulator
    from gdl.circuit.netlist import Netlist as Netlist
    from gdl.circuit.numbering import Numbering as Numbering
    from gdl.circuit.playouts import Playouts as Playouts
    from gdl.circuit.scalar.game import ScalarGame as ScalarGame
    from gdl.circuit.scalar.game import ScalarKernels as ScalarKernels
    from gdl.circuit.scalar.game import ScalarPlaces as ScalarPlaces
    from gdl.circuit.scalar.machine import CircuitMachine as CircuitMachine
    from gdl.editing.document import Document as Document
    from gdl.structure.decisive import Decisive as Decisive
    from gdl.structure.degrees import Degrees as Degrees
    from gdl.structure.latches import Latches as Latches
    from gdl.structure.move_kinds import MoveKinds as MoveKinds
    from gdl.structure.reachable_goals import ReachableGoals as ReachableGoals
    from gdl.structure.structure import Decomposition as Decomposition
    from gdl.structure.structure import Structure as Structure
    from gdl.structure.structure import Way as Way
    from gdl.structure.subgame import Subgame as Subgame

prepare = load  # deprecated name, from when `load` returned only the state machine

__all__ = [
    "ENGINES",
    "KEYWORDS",
    "RANDOM",
    "Answer",
    "Attempt",
    "Budget",
    "CanonicalForm",
    "CellForm",
    "Compiled",
    "Compound",
    "Condition",
    "Constant",
    "Diagnostic",
    "Engine",
    "EvaluationLimitError",
    "Explainer",
    "Extra",
    "Game",
    "GdlError",
    "GdlSyntaxError",
    "GroundingError",
    "IllegalMoveError",
    "Interpreter",
    "Limits",
    "Move",
    "PlayLimits",
    "Prose",
    "QuestionError",
    "Reason",
    "ReasonKind",
    "ReasonLine",
    "Relation",
    "Role",
    "Rulesheet",
    "RulesheetError",
    "Scrambled",
    "Severity",
    "Source",
    "Span",
    "State",
    "StateMachine",
    "Term",
    "UnstratifiedError",
    "Variable",
    "Wording",
    "cache_folder",
    "check",
    "check_play",
    "collect_garbage_once",
    "compile_ahead",
    "compile_apart",
    "compile_rules",
    "document",
    "fact_domains",
    "findcontrol",
    "findinits",
    "findlegals",
    "findpercepts",
    "findreward",
    "findroles",
    "findterminalp",
    "format_kif",
    "game_of_part",
    "invented_words",
    "is_compiled_ahead",
    "is_epilog",
    "is_random",
    "is_warm",
    "kernel",
    "lines_of",
    "load",
    "load_compiled",
    "load_lane_machine",
    "prepare",
    "read_epilog",
    "read_epilog_term",
    "read_faulty_rules",
    "read_forms",
    "read_kif",
    "read_rules",
    "read_term",
    "remove_oldest",
    "renamed",
    "scalar_kernels",
    "scramble",
    "simulate",
    "tell_rules",
    "tokens",
    "warm_up",
    "warm_up_decisive",
    "why",
    "with_line_feeds",
    "write_epilog",
    "write_epilog_term",
]

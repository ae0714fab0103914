"""Why a fact holds in a state, and why not: derivations, and the nearest conditions that fail.

>>> import gdl
>>> rules = gdl.read_kif("(role me) (init (s 0)) (goal me 50) (<= (next (s 1)) (true (s 0)))"
...                      "(<= (legal me go) (true (s 1))) (<= terminal (true (s 1)))", "it.kif")
>>> reason = gdl.why(rules, "(legal me go)").reasons[0]
>>> failed = reason.attempts[0].failed
>>> str(reason.kind), failed.text, str(failed.place), failed.reason.near
('no rule makes it', '(true (s 1))', 'it.kif:1:85', ('(s 0)',))
"""

from gdl.why.explainer import Explainer, why
from gdl.why.lines import Line, LineKind, lines
from gdl.why.question import Question, QuestionError
from gdl.why.reason import Answer, Attempt, Condition, Kind, Reason

__all__ = [
    "Answer",
    "Attempt",
    "Condition",
    "Explainer",
    "Kind",
    "Line",
    "LineKind",
    "Question",
    "QuestionError",
    "Reason",
    "lines",
    "why",
]

"""Generated code is made of our own words only."""

from __future__ import annotations

import io
import keyword
import re
import tokenize
from itertools import product

import gdl
from gdl.interpreter.limits import LimitsLeft
from gdl.interpreter.program import Program
from gdl.rulesheet import Relation

OWN_NAME = re.compile(
    r"[afikmnoqtuwx]\d+|[bdgns]|key|out|row|look|step|within|answer|add|args|Cycle|get|items|"
    r"len|list|name|relation|run|set|discard|subscribe|update|x"
)
HOSTILE = """
(role me) (init (s "__import__'os'")) (legal me exec)
(<= (p ?x'+import_os+') (true (s ?x'+import_os+')) (not (__class__ ?x'+import_os+')))
(<= (__class__ eval) (does me exec) (or (distinct "a\\" b") (lambda: 1)))
(<= (p os.system) (p (f{0} ?y)) (q ?y))
(<= (q ?x) (q ?y) (link ?x ?y)) (q exec) (link #comment #comment)
"""


def test_no_text_of_a_rulesheet_gets_into_the_code() -> None:
    """Every name is a keyword of Python or one of ours, and there is no string at all."""
    rules = gdl.read_kif(HOSTILE, "hostile")
    program = Program(rules, LimitsLeft(gdl.Limits()))
    program.table([Relation("q", 1)])

    for relation, is_known in product(rules.definitions, [True, False]):
        query = program.query_of(relation, (is_known,) * relation.arity)
        for token in tokenize.generate_tokens(io.StringIO(program.source(query)).readline):
            is_own = keyword.iskeyword(token.string) or OWN_NAME.fullmatch(token.string)
            assert token.type != tokenize.STRING
            assert token.type != tokenize.NAME or is_own


def test_hostile_names_are_played_like_any_other() -> None:
    """They are symbols, nothing else."""
    machine = gdl.load(gdl.read_kif(HOSTILE, "hostile"), "interpreter")
    state = machine.initial_state()
    me = machine.roles[0]

    assert [str(move) for move in machine.legal_moves(state, me)] == ["exec"]
    assert machine.next_state(state, machine.legal_moves(state, me)) == machine.state_of([])

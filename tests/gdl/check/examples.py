"""A faulty and a sound rulesheet for each check.

In the faulty text the words between « and » are those that the finding must mark.
"""

from __future__ import annotations

from dataclasses import dataclass

SOUND = """\
(role x)
(role o)
(init (step 0))
(succ 0 1)
(<= (legal ?r go)
    (role ?r))
(<= (next (step ?n))
    (true (step ?m))
    (succ ?m ?n))
(<= terminal
    (true (step 1)))
(goal x 100)
(goal o 0)
"""


@dataclass(frozen=True)
class Example:
    """A fault that is found in one text and not in the other.

    `faulty` and `sound` are added to a sound rulesheet, or stand alone.
    """

    code: str
    faulty: str
    sound: str
    stands_alone: bool = False

    @property
    def faulty_text(self) -> str:
        """The faulty rulesheet without the marks."""
        return self._whole(self.faulty).replace("«", "").replace("»", "")

    @property
    def sound_text(self) -> str:
        """The rulesheet without the fault."""
        return self._whole(self.sound)

    @property
    def place(self) -> tuple[int, int, str]:
        """Line and column, from 1, and text of what is marked."""
        before, _, rest = self._whole(self.faulty).partition("«")
        marked = rest.partition("»")[0]
        line = before.count("\n") + 1
        return line, len(before) - before.rfind("\n"), marked

    def _whole(self, text: str) -> str:
        return text if self.stands_alone else SOUND + text


def sheet(code: str, faulty: str, sound: str) -> Example:
    """An example that stands alone."""
    return Example(code, faulty, sound, stands_alone=True)


EXAMPLES = (
    # The text
    sheet("syntax", "«(»role x", "(role x)"),
    sheet("syntax", "(role x)«)»", "(role x)"),
    sheet("syntax", "«(»p a\n(q b)\n(r c)", "(p a)\n(q b)\n(r c)"),
    sheet("syntax", "p(a)\nq(b\n«r»(c)", "p(a)\nq(b)\nr(c)"),
    Example("statement", "«()»", "(p a)"),
    Example("statement", "«(<=)»", "(<= (p a) (role x))"),
    Example("statement", "(<= (p ?r) (role ?r) «(not (role ?r) (role o))»)", "(p a)"),
    Example("statement", "(<= (p ?r) (role ?r) «(distinct ?r)»)", "(p a)"),
    Example("statement", "(<= (p ?r) (role ?r) «(<= (q ?r) (role ?r))»)", "(p a)"),
    Example("statement", "(«?p» x)", "(p x)"),
    Example("statement", "(«:-» closes (closed 1 2))", "(:- closes open)"),
    Example("statement", "«terminal :- over.»", "(<= terminal over) (<= over (role x) (role o))"),
    Example("statement", "(<= q «r(?x)» (role x)) (<= terminal q)", "(<= terminal (role x))"),
    Example("statement", "(«<-» (p ?x) (q ?x))", "(<- (p a) (q a))"),
    Example("statement", "(«=>» (legal x a) (true (step 0)))", "(=> (p a) (q b))"),
    Example("statement", "«((p ?a) (role ?a))»", "(<= (p ?a) (role ?a))"),
    Example("statement", "(<= p «not (role x)»)", "(<= p (not (role x)))"),
    Example("statement", "(<= p «(not role x)»)", "(<= p (not (role x)))"),
    Example("statement", "(<= p (succ ?a ?b) «(?a > ?b)»)", "(<= p (succ ?a ?b) (> ?a ?b))"),
    Example("statement", "(<= p (succ ?a ?b) «(?a != ?b)»)", "(<= p (succ ?a ?b) (!= ?a ?b))"),
    Example("statement", "«(not terminal)»", "(<= p (not terminal))"),
    sheet("without-effect", "role(x)\n«~p(x)»", "role(x)\np(x)"),
    sheet("without-effect", "p(X) :- q(X) & «X»", "p(X) :- q(X) & r(X)"),
    Example("bare-word", "«control»", "(<= control (true (step 0)))"),
    Example("spelling", "(<= (p ?r) (role ?r) («Role» ?r))", "(p a)"),
    Example("spelling", "(<= (p ?r) (role ?r) (role «?R»))", "(<= (p ?r) (role ?r))\n(p ?R)"),
    Example(
        "duplicate",
        "(<= (p ?a) (role ?a))\n«(<= (p ?b)  (role ?b))»",
        "(<= (p ?a ?b) (role ?a) (role ?b))\n(<= (p ?a ?b) (role ?b) (role ?a))",
    ),
    # Leniencies
    Example("empty-body", "(«<=» (p a))", "(p a)"),
    Example("empty-or", "(<= (p a) («or»))", "(<= (p a) (or (role x)))"),
    Example("needless-parentheses", "(<= done «(terminal)»)", "(<= done terminal)"),
    Example("needless-parentheses", "(p «(a)»)", "(p a)"),
    Example(
        "wide-not",
        "(<= (p ?r) (role ?r) («not» (or (true (step 0)) (true (step 1)))))",
        "(<= (p ?r) (role ?r) (not (true (step 0))) (not (true (step 1))))",
    ),
    # Arities and keywords
    Example("arity-clash", "(p a)\n(p b)\n(<= (q ?x) («p» ?x ?x))", "(p a)\n(<= (q ?x) (p ?x))"),
    Example("arity-clash", "(p (f a))\n(p (f b))\n(p («f» a b))", "(p (f a))\n(p (g a b))"),
    Example("keyword-arity", "(<= («legal» ?r) (role ?r))", "(<= (legal ?r stay) (role ?r))"),
    Example("keyword-arity", "(<= (p a) («true» step 0))", "(<= (p a) (true (step 0)))"),
    Example("keyword-arity", "(«terminal» 1)", "(<= terminal (true (step 0)))"),
    Example("keyword-arity", "«(terminal (true (step 0)))»", "(<= terminal (true (step 0)))"),
    Example("keyword-arity", "«(role y z)»", "(role y) (role z)"),
    Example("keyword-arity", "«(init (p a) (p b))»", "(init (p a)) (init (p b))"),
    Example("keyword-head", "(<= («true» (step 1)) (role x))", "(init (step 1))"),
    Example("keyword-head", "(<= («does» x go) (role x))", "(legal x go)"),
    Example("keyword-body", "(<= (p a) («next» (step 1)))", "(<= (p a) (true (step 1)))"),
    Example("keyword-term", "(init (p («not» q)))", "(init (p not))"),
    Example("keyword-term", "(<= p «(true (not (step 0)))»)", "(<= p (not (true (step 0))))"),
    # Variables
    Example(
        "unsafe-head", "(<= (legal x (mark «?C»)) (role ?r))", "(<= (legal x (mark ?c)) (role ?c))"
    ),
    Example(
        "unsafe-head",
        "(<= (p «?n» ?r) (role ?r) (not (succ ?r ?n)))",
        "(<= (p ?n ?r) (role ?r) (succ ?m ?n))",
    ),
    Example(
        "unsafe-head",
        "(<= (p «?m») (or (succ ?m 1) (role x)))",
        "(<= (p ?m) (or (succ ?m 1) (role ?m)))",
    ),
    Example(
        "unsafe-not", "(<= (p a) (not (succ 0 «?n»)))", "(<= (p a) (succ ?m ?n) (not (succ 0 ?n)))"
    ),
    Example(
        "unsafe-not",
        "(<= (p ?r) (role ?r) (or (succ ?n 1) (not (role «?n»))))",
        "(<= (p ?r) (role ?r) (or (succ ?r 1) (and (succ 0 ?n) (not (role ?n)))))",
    ),
    Example(
        "unsafe-distinct",
        "(<= (p ?r) (role ?r) (distinct ?r «?s»))",
        "(<= (p ?r) (role ?r) (distinct ?r ?s) (role ?s))",
    ),
    Example(
        "unsafe-distinct",
        "(<= (p ?r) (role ?r) (not (distinct «?s» ?s)))",
        "(<= (p ?s) (role ?r) (not (distinct ?s (f ?r))))",
    ),
    Example(
        "never-holds",
        "(<= (p ?r) (role ?r) «(distinct ?r ?r)»)",
        "(<= (p ?r) (role ?r) (role ?s) (distinct ?r ?s))",
    ),
    Example(
        "always-holds",
        "(<= (p ?r) (role ?r) «(distinct a1 a2)»)",
        "(<= (p ?r) (role ?r) (role ?s) (distinct ?r ?s))",
    ),
    sheet(
        "open-head",
        "role(x) legal(go) go :: s ==> t goal(«R»,0) :- ~s",
        "role(x) legal(go) go :: s ==> t goal(R,0) :- role(R) & ~s",
    ),
    Example("variable-fact", "(p a «?x»)", "(p a b)"),
    # Recursion
    Example(
        "negation-cycle",
        "(<= (p ?r) (role ?r) (not («q» ?r)))\n(<= (q ?r) (p ?r))",
        "(<= (p ?r) (role ?r) (not (q ?r)))\n(<= (q ?r) (role ?r))",
    ),
    Example(
        "negation-apart",
        "(<= (goal ?r 50) (role ?r) (not («goal» ?r 100)))",
        "(<= (goal ?r 50) (role ?r) (not (best ?r)))\n(best x)",
    ),
    Example(
        "recursion",
        "(<= (p ?x) (p «(f ?x)»))\n(p (f a))",
        "(<= (p ?y) (p ?x) (succ ?x ?y))\n(p 0)",
    ),
    Example(
        "recursion",
        "(<= (p ?x ?y) (role ?x) (role ?y))\n(<= (p ?x ?y) (p ?x «?z») (role ?y))",
        "(<= (p ?x ?y) (role ?x) (role ?y))\n(<= (p ?x ?y) (p ?x ?z) (role ?z) (role ?y))",
    ),
    # What depends on what
    Example(
        "depends-on-moves",
        "(<= terminal («moved» x))\n(<= (moved ?r) (does ?r go))",
        "(<= (next (moved ?r)) (does ?r go))\n(<= terminal (true (moved x)))",
    ),
    Example(
        "depends-on-moves", "(<= (goal o 50) («does» o go))", "(<= (goal o 50) (true (step 1)))"
    ),
    Example(
        "depends-on-state", "(<= (init (p a)) («true» (step 0)))", "(<= (init (p ?r)) (role ?r))"
    ),
    Example(
        "depends-on-state",
        "(<= (base (p ?r)) («moved» ?r))\n(<= (moved ?r) (does ?r go))",
        "(<= (base (p ?r)) (role ?r))",
    ),
    # Definitions
    Example("undefined", "(<= (p ?r) («rolle» ?r))", "(<= (p ?r) (role ?r))"),
    Example("undefined", "(<= (p ?n) («step» ?n))", "(<= (p ?n) (true (step ?n)))"),
    Example("undefined", "(<= p «(!succ 0 1)»)", "(<= p (not (succ 0 1)))"),
    Example("undefined", "(<= p «!terminal»)", "(<= p (not terminal))"),
    Example("undefined", "(<= p «! (role x)»)", "(<= p (not (role x)))"),
    Example("undefined", "(<= p «(~ (role x))»)", "(<= p (not (role x)))"),
    Example("undefined", "(<= p «(unsucc 0 1)»)", "(<= p (unsucc 0 1)) (unsucc 0 0)"),
    Example("undefined", "(<= p (role x) «&&» (role o))", "(<= p (role x) (role o))"),
    Example("undefined-fact", "(<= (p a) (true («stop» 1)))", "(<= (p a) (true (step 1)))"),
    Example("undefined-fact", "(<= (p a) (true («step» 1 2)))", "(<= (p a) (true ?f))"),
    Example("undefined-move", "(<= (next (p a)) (does x «goo»))", "(<= (next (p a)) (does x go))"),
    Example(
        "undefined-value",
        "(index 1)\n(<= (p ?x) (index ?x) (index «x»))",
        "(index x)\n(<= (p ?x) (index ?x) (index x))",
    ),
    Example(
        "undefined-value",
        "(index 1)\n(<= (p A) (index «A»))\n(<= (index ?x) (p ?x))",
        "(index 1)\n(index A)\n(<= (p A) (index A))\n(<= (index ?x) (p ?x))",
    ),
    Example(
        "undeclared",
        "(input x go)\n(legal x go)\n(«legal» x stop)",
        "(input x go)\n(input x stop)\n(legal x go)\n(legal x stop)",
    ),
    Example("misspelt-keyword", "(«gaol» o 50)", "(goals o 50 50)"),
    Example("misspelt-keyword", "(«rol» z)", "(sole z)"),
    Example("misspelt-keyword", "(«int» (step 1))", "(int 1)"),
    sheet(
        "misspelt-keyword",
        "(«roles» x)\n(<= (legal ?p go) (roles ?p))",
        "(role x)\n(roles x)\n(<= (legal ?p go) (roles ?p))",
    ),
    Example("misspelt-keyword", "(role «randon»)", "(role random)"),
    Example("misspelt", "(at «1,» 2)", "(at 1 2)"),
    Example("misspelt", "(at 1 blue)(at 2 blue)\n(at 3 «bleu»)", "(at 1 blue)(at 2 blue)"),
    Example("misspelt", "(on blue)(by blue)(to blue)\n(at «blu»)", "(on blue)(at blu)"),
    Example(
        "misspelt", "(on player)(to player)(by player)\n(at «pliyar»)", "(on player)(at pliyar)"
    ),
    Example("misspelt", "(at 1 player)(at 2 player)\n(at 3 «palyre»)", "(at player)(at splayer)"),
    Example(
        "misspelt",
        "(<= (p ?player) (role ?player) (role «?plaeyr»))",
        "(<= (p ?newx) (role ?newx) (succ ?newx ?newy))",
    ),
    Example(
        "unread-fact", "(init («lamp» on))", "(init (lamp on))\n(<= terminal (true (lamp on)))"
    ),
    Example("unused", "(«p» a)", "(p a)\n(<= (next (q ?x)) (p ?x))"),
    # Roles, moves, goals and the end
    sheet("no-role", "«(»p a)", "(role x)"),
    Example("role-rule", "(<= («role» ?z) (succ ?z 1))", "(role z)"),
    Example("unknown-role", "(goal «y» 100)", "(role y)\n(goal y 100)"),
    Example("no-init", "(<= (next («p» 1)) (true (p 1)))", "(<= (next (p 1)) (does x go))"),
    Example(
        "no-init",
        "(<= (next «a») (true b))\n(<= (next b) (or (true a) (true c)))\n(<= (next c) (true a))",
        "(<= (next a) (true b))\n(<= (next b) (true a))\n(init b)",
    ),
    sheet("no-legal", "«(role x)»\n(role y)\n(legal y go)", "(role x)\n(legal x go)"),
    sheet(
        "no-goal",
        "(role random)\n(role y)\n«(role x)»\n(goal y 100)",
        "(role x)\n(<= (goal ?r 0) (role ?r))",
    ),
    sheet("no-terminal", "«(»role x)", "(role x)\n(<= terminal (true a))"),
    Example("goal-value", "(goal x «101»)", "(goal x 99)"),
    Example("goal-value", "(goal x «high»)", "(<= (goal x ?n) (succ 0 ?n))"),
    Example("goal-value", "(goal x «-1»)", "(goal x 0)"),
    sheet(
        "sees-nothing",
        "(role random)\n(role y)\n«(role x)»\n(<= (sees y ?m) (does x ?m))",
        "(role x)\n(role random)\n(<= (sees ?r ?m) (role ?r) (does x ?m))",
    ),
    Example(
        "sees-always",
        "(<= («sees» ?r (number ?n)) (role ?r) (succ 0 ?n))",
        "(<= (sees ?r (number ?n)) (role ?r) (succ ?m ?n) (true (step ?m)))",
    ),
)

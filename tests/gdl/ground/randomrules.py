"""Random rulesheets whose helper relations have open arguments, negation and recursion."""

from __future__ import annotations

import random

_VALUES = ("1", "2", "3")
_NAMES = ("?a", "?b", "?c", "?d")


def rulesheet(seed: int) -> str:
    """The rules of a small game for one role, always the same for a seed."""
    return _Writer(random.Random(seed)).text()


class _Writer:
    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._arity = {f"h{level}": rng.randint(2, 4) for level in range(4)}

    def text(self) -> str:
        lines = ["(role a)", *(f"(d {value})" for value in _VALUES)]
        lines += [f"(init (p {self._value()} {self._value()}))" for _ in range(3)]
        lines += [f"(e {self._value()} {self._value()})" for _ in range(4)]
        for level in range(4):
            lines += [self._rule(level) for _ in range(self._rng.randint(1, 3))]
        lines += ["(<= (legal a (m ?a ?b)) (d ?a) (d ?b) (not (true (p ?a ?b))))"]
        lines += ["(<= (next (p ?a ?b)) (does a (m ?a ?b)))"]
        lines += [self._output("(next (p ?a ?b))", ("?a", "?b")) for _ in range(3)]
        lines += [self._output("(legal a (m ?a ?b))", ("?a", "?b")) for _ in range(2)]
        lines += [self._output("(goal a 100)", ()), "(<= terminal (not (true (p 1 1))))"]
        return "\n".join(lines)

    def _value(self) -> str:
        return self._rng.choice(_VALUES)

    def _term(self) -> str:
        return self._rng.choice((*_NAMES, *_NAMES, *_VALUES))

    def _atom(self, name: str, arity: int) -> str:
        return f"({name} {' '.join(self._term() for _ in range(arity))})"

    def _rule(self, level: int) -> str:
        """A rule of a helper: it may use itself, and negate those below."""
        name = f"h{level}"
        head = f"({name} {' '.join(_NAMES[: self._arity[name]])})"
        return self._output(head, _NAMES[: self._arity[name]], level)

    def _output(self, head: str, shown: tuple[str, ...], level: int = 4) -> str:
        positive = [self._atom("e", 2), f"(true {self._atom('p', 2)})"]
        positive += [self._helper(self._rng.randint(0, level)) for _ in range(2)]
        body = self._rng.sample(positive, self._rng.randint(1, 3))
        negative = self._helper(self._rng.randrange(level)) if level else "(true (p 2 2))"
        if self._rng.random() < 0.6:
            body.append(f"(not {negative})")
        if self._rng.random() < 0.4:
            body.append(f"(distinct {self._rng.choice(_NAMES)} {self._term()})")
        bound = " ".join(part for part in body if not part.startswith(("(not", "(distinct")))
        used = [name for name in _NAMES if name in shown or name in " ".join(body)]
        body = [f"(d {name})" for name in used if name not in bound] + body
        return f"(<= {head} {' '.join(body)})"

    def _helper(self, level: int) -> str:
        name = f"h{min(level, 3)}"
        return self._atom(name, self._arity[name])

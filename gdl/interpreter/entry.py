"""The Python text of the function that answers one query, from its rule functions and facts."""

from __future__ import annotations

from dataclasses import dataclass

from gdl.interpreter.index import Pattern

_MANY = 10_000  # answers from which on the limit is looked at


@dataclass(frozen=True, slots=True)
class QueryParts:
    """Parts that the text of a query is made of.

    Attributes:
        number: Of the query; its names are `q`, `t`, `u`, `o` and `w` with this number.
        pattern: Which arguments are known.
        functions: Names of the functions of its rules.
        index: Name of the index of its facts; None without facts.
    """

    number: int
    pattern: Pattern
    functions: list[str]
    index: str | None

    @property
    def _known(self) -> list[str]:
        return [f"a{place}" for place, is_known in enumerate(self.pattern) if is_known]

    @property
    def _unpack(self) -> list[str]:
        return [f"    {', '.join(self._known)} = key"] if self._known else []

    @property
    def _facts(self) -> str:
        return f"{self.index}.get(key, ())" if any(self.pattern) else str(self.index)

    def _adding_calls(self) -> list[str]:
        return [f"    {name}({', '.join([*self._known, 'out'])})" for name in self.functions]

    def plain(self, *, is_recursive: bool) -> list[str]:
        """Lines of a function that asks its rules and remembers the answer."""
        number = self.number
        lines = [f"def q{number}(key):", "    look(step())", *self._unpack]
        if is_recursive:
            lines.append(f"    if key in o{number}: raise Cycle(u{number}.relation)")
            lines.append(f"    o{number}.add(key)")
        if all(self.pattern):
            tests = [f"{name}({', '.join(self._known)})" for name in self.functions]
            if self.index is not None:
                tests.insert(0, f"key in {self.index}")
            lines.append(f"    x = {' or '.join(tests) or 'False'}")
        else:
            lines.append("    out = set()")
            if self.index is not None:
                lines.append(f"    out.update({self._facts})")
            lines.extend(self._adding_calls())
            lines.append(f"    if len(out) > {_MANY}: within(out)")
            lines.append("    x = list(out)")
        if is_recursive:
            lines.append(f"    o{number}.discard(key)")
        return [*lines, f"    t{number}[key] = x", "    return x"]

    def tabled(self) -> list[str]:
        """Lines of a function that begins a table, and of one that asks for the complete table."""
        lines = [f"def w{self.number}(key, out):", *self._unpack]
        if self.index is not None and all(self.pattern):
            lines.append(f"    if key in {self.index}: out.add(True)")
        elif self.index is not None:
            lines.append(f"    for x in {self._facts}: out.add(x)")
        lines.extend([*self._adding_calls(), "    return"])
        return [*lines, f"def q{self.number}(key):", f"    return answer(u{self.number}, key)"]

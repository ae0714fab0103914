"""Numbers, lists and words of the author's in sentences of Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MARKS = re.compile(r"[\\`*_\[\]<>#|~]")


def plural(number: int, word: str) -> str:
    """A number and what it counts.

    >>> plural(1, "place"), plural(2, "place")
    ('1 place', '2 places')
    """
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def listed(texts: Sequence[str], most: int) -> str:
    """Some texts as a list in a sentence, the others as a number.

    >>> listed(["a", "b", "c"], most=3), listed(["a", "b", "c"], most=1)
    ('a, b and c', 'a and 2 more')
    """
    named = list(texts[:most])
    if len(texts) > most:
        named.append(f"{len(texts) - most} more")
    if len(named) < 2:
        return "".join(named)
    return f"{', '.join(named[:-1])} and {named[-1]}"


def plain(text: str) -> str:
    r"""A text that says in Markdown what it says, and no more.

    >>> plain("*not* [this](that)")
    '\\*not\\* \\[this\\](that)'
    """
    return _MARKS.sub(r"\\\g<0>", text)


def code(text: str) -> str:
    """A text as code in Markdown.

    >>> code("cell"), code("a`b")
    ('`cell`', '`` a`b ``')
    """
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def block(text: str) -> str:
    """Lines as a block of code in Markdown.

    >>> print(block("(a)"))
    ```
    (a)
    ```
    """
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"

r"""Comments in a rulesheet that the rules in prose use: names of terms, and a first paragraph.

>>> name_of = author_names(";;@fact (heap ?heap ?n): heap ?heap has ?n left")
>>> name_of("fact", ("heap", "A", "N-1"))
'heap A has N-1 left'
>>> head_comment("; Nim. Who takes the last one wins.\n(role me)")
'Nim. Who takes the last one wins.'
"""

from __future__ import annotations

import re
from collections.abc import Callable
from textwrap import shorten
from typing import Final

import gdl
from ggp.naming.annotations import read_annotations
from ggp.naming.template import Pattern, Template

MAX_HEAD: Final = 800
"""Maximum number of characters of a head comment."""
_MARKS: Final = ";%/*#=- \t"
_FRAME: Final = "*#=- \t"
_LEGAL: Final = ("author", "license", "licence", "copyright", "spdx-", "(c)", "\N{COPYRIGHT SIGN}")
_MODE: Final = re.compile(r"-\*-.*?-\*-|\b(?:vim?|ex):\s.*|\$(?:Id|Header|Revision|Date)\b[^$]*\$")
"""Matches settings for an editor or a version control system, which may follow a title."""
_SETTING: Final = re.compile(
    r"(?:local variables|mode|coding|fill-column|indent-tabs-mode|tab-width|end):", re.IGNORECASE
)


def author_names(text: str) -> Callable[[str, Pattern], str]:
    """Return a function that returns the author's name for a move or fact, or "" if there is none.

    In the patterns passed to that function, words in capitals are variables. So a constant in a
    pattern matches only the same constant.
    """
    found = read_annotations(text)
    templates = {"move": found.moves, "fact": found.facts}

    def name_of(kind: str, words: Pattern) -> str:
        term = f"({' '.join(words)})" if len(words) > 1 else words[0]
        for template in templates[kind]:
            if _is_alike(template, words):
                name = template.fill(term, word, _place, lambda *at: f"what is on {_place(*at)}")
                if name:
                    return name
        return ""

    def word(symbol: str) -> str:
        return found.words.get(symbol, symbol)

    return name_of


def _is_alike(template: Template, words: Pattern) -> bool:
    if len(template.pattern) != len(words) or any("(" in word for word in template.pattern):
        return False
    pairs = zip(template.pattern[1:], words[1:], strict=True)
    return all(wanted.startswith("?") or wanted == word for wanted, word in pairs)


def _place(column: str, row: str) -> str:
    return f"({column}, {row})" if row else column


def head_comment(text: str) -> str:
    """Return the comment at the start of a rulesheet as one paragraph, or "" if there is none."""
    found: list[str] = []
    for line in gdl.with_line_feeds(text).lstrip("\ufeff \t\r\n").split("\n"):
        if not line.lstrip().startswith((";", "%", "//")):
            break
        said = _MODE.sub("", line.strip()).lstrip(_MARKS).rstrip(_FRAME)
        is_other = said.lower().startswith(_LEGAL) or bool(_SETTING.match(said))
        if any(map(str.isalpha, said)) and not said.startswith("@") and not is_other:
            found.append("".join(filter(str.isprintable, said)))
    return shorten(" ".join(found), MAX_HEAD, placeholder=" ...")

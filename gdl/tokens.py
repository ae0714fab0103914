r"""Words of KIF: the characters between them, and patterns that find them in a text.

`gdl.kif` reads rules. The patterns here search single terms, and texts that may not be valid.

>>> TOKEN.findall("(cell 1 ?y) ; a square")
['(', 'cell', '1', '?y', ')', '; a square']
>>> WORD.findall("(cell 1 2 b)"), bool(NUMBER.fullmatch("+100"))
(['cell', '1', '2', 'b'], True)
"""

from __future__ import annotations

import re

BLANKS = " \t\r\n\f\v\xa0\ufeff"
"""Characters between the words of rules in both notations, with the byte order mark that some
editors write.
"""
WORD_CHARACTER = rf"[^{BLANKS}();]"
"""Pattern of one character of a word in rules."""
COMMENT = re.compile(r";[^\r\n]*")
TOKEN = re.compile(rf"{COMMENT.pattern}|[()]|{WORD_CHARACTER}+")
"""Comment, parenthesis or word in rules."""
WORD = re.compile(r"[^\s()]+")
"""Word of a term such as a move, or of rules without comments."""
NUMBER = re.compile(r"[+-]?[0-9]+")
"""Symbol that is a number and so may be a goal value."""

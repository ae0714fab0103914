"""The rules of a game in plain sentences, with references to the lines of the rulesheet.

>>> from gdl.kif import read_kif
>>> rules = read_kif("(role me) (init (s 0)) (goal me 50) (<= (next (s 1)) (true (s 0)))"
...                  "(<= (legal me go) (true (s 0))) (<= terminal (true (s 1)))")
>>> print(tell(rules).section("End").text())
End
- The match is over as soon as `(s 1)` is in the position. [line 1]
"""

from gdl.prose.knowledge import fact_domains
from gdl.prose.section import Prose, Section, Sentence
from gdl.prose.telling import tell
from gdl.prose.wording import CellForm, Wording

__all__ = ["CellForm", "Prose", "Section", "Sentence", "Wording", "fact_domains", "tell"]

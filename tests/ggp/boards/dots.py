"""Rules of dots and boxes on any board, as authors write them."""

from __future__ import annotations

RULES = """
(role ann) (role ben) (init (control ann)) (other ann ben) (other ben ann)
(<= (legal ?p (draw ?a ?b ?c ?d)) (true (control ?p)) (edge ?a ?b ?c ?d)
    (not (true (line ?a ?b ?c ?d))))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (line ?a ?b ?c ?d)) (lined ?a ?b ?c ?d))
(<= (lined ?a ?b ?c ?d) (true (line ?a ?b ?c ?d)))
(<= (lined ?a ?b ?c ?d) (does ?p (draw ?a ?b ?c ?d)))
(<= (missing ?x ?y) (side ?x ?y ?a ?b ?c ?d) (not (lined ?a ?b ?c ?d)))
(<= (closes ?p ?x ?y) (does ?p (draw ?a ?b ?c ?d)) (side ?x ?y ?a ?b ?c ?d) (not (missing ?x ?y)))
(<= (closed ?x ?y) (closes ?p ?x ?y))
(<= closing (closed ?x ?y))
(<= (next (box ?x ?y ?p)) (closes ?p ?x ?y))
(<= (next (box ?x ?y ?w)) (true (box ?x ?y ?w)) (not (closed ?x ?y)))
(<= (next (control ?p)) (true (control ?p)) closing)
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q) (not closing))
(<= terminal (not open)) (<= open (true (box ?x ?y nobody)))
(<= (owns ?p) (true (box ?x ?y ?p)))
(<= (goal ?p 100) (role ?p) (owns ?p)) (<= (goal ?p 0) (role ?p) (not (owns ?p)))
"""


def dots_and_boxes(columns: int, rows: int) -> str:
    """The game with so many boxes; who has any in the end has won."""
    facts = []
    for x in range(1, columns + 2):
        for y in range(1, rows + 2):
            facts += [f"(edge {x} {y} {x + 1} {y})"] if x <= columns else []
            facts += [f"(edge {x} {y} {x} {y + 1})"] if y <= rows else []
            if x <= columns and y <= rows:
                facts += [
                    f"(init (box {x} {y} nobody))",
                    f"(side {x} {y} {x} {y} {x + 1} {y})",
                    f"(side {x} {y} {x} {y + 1} {x + 1} {y + 1})",
                    f"(side {x} {y} {x} {y} {x} {y + 1})",
                    f"(side {x} {y} {x + 1} {y} {x + 1} {y + 1})",
                ]
    return "\n".join([RULES, *facts])

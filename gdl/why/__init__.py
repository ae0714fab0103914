"""Why a fact holds or does not hold in a state: derivations, and the conditions that fail.

>>> import gdl
>>> rules = gdl.read_kif("(role me) (init (s 0)) (goal me 50) (<= (next (s 1)) (true (s 0)))"
...                      "(<= (legal me go) (true (s 1))) (<= terminal (true (s 1)))", "it.kif")
>>> reason = gdl.why(rules, "(legal me go)").reasons[0]
>>> failed = reason.attempts[0].failed
>>> str(reason.kind), failed.text, str(failed.place), failed.reason.near
('no rule makes it', '(true (s 1))', 'it.kif:1:85', ('(s 0)',))
"""

"""The interpreter: it evaluates the rules directly, which is slower than a circuit, but simple.

If another reasoner gives a different answer, the interpreter's answer counts as correct.
"""

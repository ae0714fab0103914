"""The interpreter evaluates the rules directly: slower than a circuit, but simple.

It decides what is correct.
"""

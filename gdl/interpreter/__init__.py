"""The interpreter reads the rules plainly: slower than a compiled game, simple, and its oracle."""

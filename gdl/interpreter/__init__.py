"""The plain reading of the rules: slow beside a compiled game, obvious, and the oracle for it."""

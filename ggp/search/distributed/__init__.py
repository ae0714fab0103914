"""Search on several machines, each with its own tree. Their results choose the move together."""

"""Search on several machines, each with its own tree. The merged results choose the move."""

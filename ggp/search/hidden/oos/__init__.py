"""Online outcome sampling: learns regrets from single plays of games too large to be solved."""

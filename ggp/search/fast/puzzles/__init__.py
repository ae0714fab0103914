"""Search on lanes for games of one role, for a plan and a proof that it is the best."""

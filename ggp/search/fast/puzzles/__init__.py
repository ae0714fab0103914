"""The search of a player that is alone, on lanes, for a plan and a proof that it is the best."""

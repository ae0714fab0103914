"""The search of a player that is alone, on lanes: a plan, and the proof that it is the best one."""

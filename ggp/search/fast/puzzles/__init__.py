"""Search on lanes for games of one role: find a plan and prove that it is the best."""

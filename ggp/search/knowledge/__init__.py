"""Knowledge of states besides the search: evaluations, weights that were learned, and books."""

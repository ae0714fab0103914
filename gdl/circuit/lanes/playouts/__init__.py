"""Random playouts: evaluate hundreds of states at once, and make random moves in all of them."""

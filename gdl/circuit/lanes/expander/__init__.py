"""The expander: children of many states at once, and playouts from them."""

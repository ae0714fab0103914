"""Random playouts: hundreds of states that are evaluated and played at random at once."""

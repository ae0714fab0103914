"""Live learning: one process trains a network while another one searches for moves in a match."""

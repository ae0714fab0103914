"""Live learning: a process trains a network while another one searches in a match."""

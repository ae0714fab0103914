"""Distributing work over several machines with Ray. Programs on one machine never import Ray."""

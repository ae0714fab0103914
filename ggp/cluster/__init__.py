"""Distributing work over several machines with Ray. Without a cluster, Ray is never imported."""

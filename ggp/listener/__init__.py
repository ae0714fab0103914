"""Serving clients that may be hostile, for both the player server and the game manager.

`connection` limits their number, their time and the HTTP they may send. `descriptors` computes how
many clients there can be, so that enough file descriptors are left for the running matches.
"""

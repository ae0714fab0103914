"""Listening for clients that may be hostile, for the player server and the game manager alike.

`connection` keeps their number, their haste and their HTTP within bounds; `descriptors` says how
many of them there can be, so that some files are left for the matches that are played.
"""

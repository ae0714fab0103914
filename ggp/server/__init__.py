"""The player on the network: HTTP in, moves out.

`app` starts and stops it, behind a bounded listener, and turns requests into replies. `requests`
finds the message in a request, `callers` who sends it. `agent` answers messages; `match_places` has
the matches that it plays, and `admission` says whether there is room for another. `ongoing` is one
match, `steps` what a message says of it.
"""

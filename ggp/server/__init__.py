"""The player as a network server: it receives messages over HTTP and answers with moves.

`app` starts and stops the server behind a bounded listener and turns requests into replies.
`requests` finds the message in a request, `callers` finds its sender. `agent` answers messages.
`match_places` holds the matches being played, and `admission` decides whether there is room for
another. `ongoing` is one match, and `steps` interprets the messages of a match.
"""

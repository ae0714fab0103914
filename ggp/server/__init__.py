"""The player on the network: HTTP in, moves out.

`app` starts and stops it. `connection` keeps hostile clients within bounds, `requests` finds the
message in a request, `handlers` turns one into the other's reply. `agent` answers messages, and
`ongoing` is one match that it plays, `steps` what a message says of it.
"""

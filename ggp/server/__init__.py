"""The player on the network: HTTP in, moves out.

`app` starts and stops it, `connection` keeps hostile clients within bounds, `handlers` turns
requests into messages, `agent` answers them, `seat` is one match that it plays.
"""

"""The process that searches: `python -m ggp.engine.worker`.

It reads commands from standard input and writes events to standard output (`ggp.engine.wire`). It
serves one match and ends when its input closes.
"""

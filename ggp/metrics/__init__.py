"""Metrics: figures of a running server or manager for Prometheus, on a port of their own.

What happens is counted where it happens, in plain numbers, whether anybody asks or not. A `Metric`
says how such a number is read and what it is called; `exposition` writes all of them as text, which
needs prometheus-client, and `port` answers whoever asks for it. Labels have few values, all of them
ours: nothing that comes from a network becomes one.
"""

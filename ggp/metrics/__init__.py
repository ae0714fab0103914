"""Metrics: figures of a running server or manager for Prometheus, on a separate port.

Events are counted where they happen, in plain numbers, even if the metrics are never read. A
`Metric` has the name of such a number and a function that reads it. `exposition` writes all of them
as text, which needs prometheus-client, and `port` serves the text. Labels have few values, which
this program defines: nothing that comes from a network becomes a label.
"""

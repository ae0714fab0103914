"""Metrics: measurements of a running server or manager for Prometheus, on a separate port.

Events are counted where they happen, in plain numbers, even if the metrics are never read. A
`Metric` has a name for such a number and a function that reads it. `port` serves all metrics as
text, for which it needs prometheus-client. A label has one of a few values that this program
defines, so data from the network never becomes a label.
"""

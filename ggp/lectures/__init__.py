"""The examples of the lectures, recomputed and compared with the lectures' results.

Each example has a module with a function that returns a `report.Report`. Nothing in this package
prints.
"""

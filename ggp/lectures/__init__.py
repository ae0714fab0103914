"""The examples of the lectures, computed again and compared with the lectures' results.

There is one module for each example, with a function that returns a `report.Report`. Nothing here
prints.
"""

"""The examples of the lectures, computed anew: what they say beside what comes out here.

One file an example; each has a function that returns a `report.Report`. Nothing here prints.
"""

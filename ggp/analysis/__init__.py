"""Analysis of a position that the user gives as text: what a search finds, what a role knows."""

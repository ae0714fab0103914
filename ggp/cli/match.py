"""`ggp match`."""


def match() -> None:
    """Play."""

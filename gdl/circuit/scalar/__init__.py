"""One state at a time: only what a move changes is evaluated again."""

"""Everything that commands show in the terminal, and what `ggp play` reads from it."""

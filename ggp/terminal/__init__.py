"""Terminal output of all commands, and the keyboard input of `ggp play`."""

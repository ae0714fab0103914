"""Running what is set up: matches one beside the other, within the cores that there are."""

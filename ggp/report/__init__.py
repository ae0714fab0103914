"""Reports on matches: what each move cost the role that made it."""

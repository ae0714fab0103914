"""Managing our own processes: starting and ending them, and exchanging lines of JSON."""

"""Tournaments: what is planned, who meets whom, what the results say. Nothing is played here."""

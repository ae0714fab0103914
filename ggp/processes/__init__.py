"""Processes of our own: started and ended, and asked in lines of JSON."""

"""Reading and writing of Epilog, the infix notation of Stanford's Gamemaster."""

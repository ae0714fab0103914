"""An MCP server for language models and their clients, with tools for any game."""

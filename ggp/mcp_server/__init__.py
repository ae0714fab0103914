"""Any game as tools of the Model Context Protocol, for language models and their clients."""

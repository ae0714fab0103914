"""Language models as players: asked for each move by the chat completions protocol of OpenAI."""

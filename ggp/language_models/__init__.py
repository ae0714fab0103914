"""Language models as players, asked for each move by OpenAI's chat completions protocol."""

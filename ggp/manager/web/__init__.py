"""The part that the API and the pages share: requests, answers, errors, and who may come in."""

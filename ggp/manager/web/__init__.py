"""The code that the API and the pages share: requests, answers, errors and access control."""

"""The game manager: it runs matches and tournaments, and has a database, web pages and an API."""

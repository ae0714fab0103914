"""The game manager: it holds matches and tournaments, with a database, pages and an API."""

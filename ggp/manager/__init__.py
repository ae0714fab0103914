"""The game manager: matches and tournaments on a database, behind pages and an API."""

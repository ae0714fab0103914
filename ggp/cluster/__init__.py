"""Work on several machines, by Ray: whoever needs only one never imports anything of it."""

"""A language server: `gdl.document` in the words of its protocol. Only this room knows pygls."""

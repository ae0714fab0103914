"""A language server: `gdl.document` through its protocol. Only this package uses pygls."""

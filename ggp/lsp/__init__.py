"""A language server that offers `gdl.document` to editors. Only this package uses pygls."""

"""A language server, with which editors use `gdl.document`. Only this package uses pygls."""

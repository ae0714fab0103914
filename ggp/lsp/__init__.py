"""A language server: what `gdl.document` says of rules, for editors that speak its protocol.

`ggp lsp` runs it. Only this room knows pygls.
"""

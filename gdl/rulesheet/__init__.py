"""Content of a rulesheet: rules, roles, spelling, and how its relations depend on each other."""

from gdl.rulesheet.canonical import CanonicalForm, renamed
from gdl.rulesheet.graph import DependencyGraph, DependsOn
from gdl.rulesheet.rules import (
    KEYWORDS,
    RESERVED,
    Body,
    Comparison,
    Disjunction,
    Item,
    Literal,
    Relation,
    Rule,
)
from gdl.rulesheet.sheet import Origin, Remark, Rulesheet

__all__ = [
    "KEYWORDS",
    "RESERVED",
    "Body",
    "CanonicalForm",
    "Comparison",
    "DependencyGraph",
    "DependsOn",
    "Disjunction",
    "Item",
    "Literal",
    "Origin",
    "Relation",
    "Remark",
    "Rule",
    "Rulesheet",
    "renamed",
]

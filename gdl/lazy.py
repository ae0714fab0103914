"""Attributes that are worked out when they are first asked for, by one thread for each object."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import cached_property as lazy_property
else:

    class lazy_property(functools.cached_property):  # noqa: N801  # as the one that it is
        """A `cached_property` without Python 3.11's lock, which all objects of a class share.

        There, who works long on one object would hold up all that asks for the same of another.
        """

        def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
            """The value for an object."""
            if instance is None:
                return self
            values = instance.__dict__
            if self.attrname not in values:
                values[self.attrname] = self.func(instance)
            return values[self.attrname]


__all__ = ["lazy_property"]

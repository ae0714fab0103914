"""Lazy attributes, which are computed for each object when they are first needed."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import cached_property as lazy_property
else:

    class lazy_property(functools.cached_property):  # noqa: N801  # named like its base class
        """`cached_property` without the lock of Python 3.11, which all objects of a class share.

        With that lock, a slow computation for one object would block all threads that need the
        attribute of another object.
        """

        def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
            """Return the value for an object. Compute it on first use."""
            if instance is None:
                return self
            values = instance.__dict__
            if self.attrname not in values:
                values[self.attrname] = self.func(instance)
            return values[self.attrname]


__all__ = ["lazy_property"]

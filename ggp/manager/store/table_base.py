"""The base of all tables of the manager's database, and the types of their columns."""

from __future__ import annotations

from typing import Annotated, Any

from sqlalchemy import JSON, BigInteger, MetaData
from sqlalchemy.orm import DeclarativeBase, mapped_column

NAMING = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
"""Constraints have names that migrations can refer to, on every kind of database."""

Names = list[str]
Rows = list[dict[str, Any]]
Big = Annotated[int, mapped_column(BigInteger)]
"""Milliseconds since 1970, and seeds, do not fit into 32 bits."""


class DatabaseTable(DeclarativeBase):
    """The base of all tables."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map = {Names: JSON, Rows: JSON, dict[str, Any]: JSON}  # noqa: RUF012

"""What pages hold, as an Arrow table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ._errors import PageError

#: What can be asked for beside the page itself.
PARTS = ("fields", "text", "markdown")


def read(mold: Any, pages: Any, columns: Iterable[str] | None = None) -> Any:
    """Reads pages into a pyarrow.Table. Fields that have many values are lists, all others are text."""
    import pyarrow as pa

    columns = tuple(("fields", "text") if columns is None else columns)
    for name in columns:
        if name not in PARTS:
            raise ValueError(f"columns are {', '.join(map(repr, PARTS))}, not {name!r}")
    schema = _schema(mold, columns)
    rows = [_row(found, columns, schema) for found in mold.read_many(pages, errors="return")]
    return pa.Table.from_pylist(rows, schema=schema)


def _schema(mold: Any, columns: tuple[str, ...]) -> Any:
    import pyarrow as pa

    own = [("page", pa.string()), ("url", pa.string()), ("group", pa.int64())]
    own += [("title", pa.string()), ("date", pa.string())]
    own += [(name, pa.string()) for name in ("text", "markdown") if name in columns]
    own += [("doubts", pa.list_(pa.string())), ("error", pa.string())]
    if "fields" not in columns:
        return pa.schema(own)
    taken = {name for name, _ in own}
    many = {field["name"] for group in mold.groups for field in group["fields"] if field["many"]}
    # A field that is called like a column of ours is told apart.
    fields = [pa.field(_told_apart(name, taken), _kind(name in many), metadata={"field": name}) for name in mold.fields]
    return pa.schema([pa.field(name, kind) for name, kind in own[:5]] + fields + [pa.field(n, k) for n, k in own[5:]])


def _kind(is_many: bool) -> Any:
    import pyarrow as pa

    return pa.list_(pa.string()) if is_many else pa.string()


def _told_apart(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _row(found: Any, columns: tuple[str, ...], schema: Any) -> dict[str, Any]:
    if isinstance(found, PageError):
        return {"page": found.page, "error": found.reason}
    about = found.about
    row = {"page": found.page, "url": found.url, "group": found.group, "doubts": list(found.doubts)}
    row |= {"title": about["title"], "date": about["date"]}
    row |= {name: getattr(found, name) for name in ("text", "markdown") if name in columns}
    if "fields" in columns:
        values = found.fields
        for column in schema:
            name = (column.metadata or {}).get(b"field")
            if name is not None:
                row[column.name] = _cell(values.get(name.decode()) or [], column)
    return row


def _cell(values: list[str], column: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_list(column.type):
        return values
    # A field that had one value on the pages it was learned from may have more on another.
    return " | ".join(values) if values else None

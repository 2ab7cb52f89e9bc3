"""What pages hold, as an Arrow table."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from ._errors import PageError
from ._pages import HTML, URL, each

#: What can be asked for beside the page itself.
PARTS = ("fields", "text", "markdown")
#: So many rows are made at once.
ROWS = 1_000


def read(mold: Any, pages: Any, columns: Iterable[str] | None = None, html: str = HTML, url: str = URL) -> Any:
    """Reads pages into a pyarrow.Table. Fields that have many values are lists, all others are text."""
    import pyarrow as pa

    columns = tuple(("fields", "text") if columns is None else columns)
    for name in columns:
        if name not in PARTS:
            raise ValueError(f"columns are {', '.join(map(repr, PARTS))}, not {name!r}")
    schema = _schema(mold, columns)
    # Of each field the name, that of its column, and whether that holds lists.
    fields = [(column.metadata[b"field"].decode(), column.name, pa.types.is_list(column.type)) for column in schema if column.metadata]
    addresses: deque[str | None] = deque()
    every = mold.read_many(_noted(each(pages, html, url), addresses), errors="return")
    rows = (_row(found, addresses.popleft(), columns, fields) for found in every)
    return pa.Table.from_batches(_batches(rows, schema), schema=schema)


def _noted(pages: Iterable[Any], addresses: deque[str | None]) -> Iterator[Any]:
    """Pages as they are; their addresses are noted, since a page that cannot be read says none."""
    for page in pages:
        url = page.get("url") if isinstance(page, dict) else page[0] if isinstance(page, tuple) and page else None
        addresses.append(url.encode("utf-8", "replace").decode() if isinstance(url, str) else None)
        yield page


def _batches(rows: Iterator[dict[str, Any]], schema: Any) -> Iterator[Any]:
    """Rows as Arrow has them, which takes less memory than many as Python has them."""
    import pyarrow as pa

    while some := list(itertools.islice(rows, ROWS)):
        yield pa.RecordBatch.from_pylist(some, schema=schema)


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


def _row(found: Any, url: str | None, columns: tuple[str, ...], fields: list[tuple[str, str, bool]]) -> dict[str, Any]:
    if isinstance(found, PageError):
        return {"page": found.page, "url": url, "error": found.reason}
    about = found.about
    row = {"page": found.page, "url": found.url, "group": found.group, "doubts": list(found.doubts)}
    row |= {"title": about["title"], "date": about["date"]}
    row |= {name: getattr(found, name) for name in ("text", "markdown") if name in columns}
    values = found.fields if fields else {}
    return row | {column: _cell(values.get(name) or [], is_many) for name, column, is_many in fields}


def _cell(values: list[str], is_many: bool) -> Any:
    if is_many:
        return values
    # A field that had one value on the pages it was learned from may have more on another.
    return " | ".join(values) if values else None

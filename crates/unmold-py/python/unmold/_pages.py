"""Many pages as one thing: a list, a generator, a table, a path."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from . import _unmold

#: The columns of a table that hold pages, their addresses and the charsets that headers said.
HTML, URL, CHARSET = "html", "url", "charset"


def each(pages: Any) -> Iterator[Any]:
    """The pages of something, each as `learn` and `read_many` take it.

    >>> list(each(["<p>one", ("http://a/", "<p>two")]))
    ['<p>one', ('http://a/', '<p>two')]
    """
    if isinstance(pages, os.PathLike):
        return iter(_unmold.load(os.fspath(pages)))
    if isinstance(pages, (str, bytes, bytearray, memoryview, dict)):
        kind = type(pages).__name__
        raise TypeError(f"many pages are needed, not one {kind}: a list, an iterator, a table, or a pathlib.Path")
    names = column_names(pages)
    if names is not None:
        return of_table(pages, names)
    return iter(pages)


def column_names(table: Any) -> list[str] | None:
    """The names of a table's columns; None if it is no table."""
    names = getattr(table, "column_names", None)  # pyarrow
    if names is None:
        schema = getattr(table, "schema", None)  # pyarrow.RecordBatch, polars
        names = getattr(schema, "names", None)
        names = names() if callable(names) else names
    if names is None and hasattr(table, "columns") and hasattr(table, "dtypes"):  # pandas
        names = table.columns
    return None if names is None else [str(name) for name in names]


def of_table(table: Any, names: list[str]) -> Iterator[dict[str, Any]]:
    """The rows of a table that has the column `html`."""
    if HTML not in names:
        raise TypeError(f"a table of pages needs a column {HTML!r}; there are {', '.join(names)}")
    chosen = [name for name in (HTML, URL, "page", CHARSET) if name in names]
    for cells in zip(*(_cells(table[name]) for name in chosen)):
        yield {name: cell for name, cell in zip(chosen, cells) if name == HTML or _is_there(cell)}


def _cells(column: Any) -> Iterable[Any]:
    """The cells of a column, as Python has them, some at a time where they would be copied."""
    if hasattr(column, "iterchunks"):  # pyarrow.ChunkedArray
        return (cell for chunk in column.iterchunks() for cell in _cells(chunk))
    if hasattr(column, "as_py") or hasattr(column, "to_pylist"):  # pyarrow.Array
        return (cell.as_py() for cell in column)
    if hasattr(column, "isna"):  # pandas
        return (cell if _is_there(cell) else None for cell in column)
    return iter(column)


def _is_there(cell: Any) -> bool:
    """Whether a cell has a value: pandas writes NaN where there is none."""
    return cell is not None and cell == cell

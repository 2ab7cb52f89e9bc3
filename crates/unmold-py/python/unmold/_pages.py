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
        # A path with a mistake in it is none of many pages; a file below it that cannot be read is one.
        os.stat(pages)
        return iter(_unmold.load(os.fspath(pages), errors="return"))
    if isinstance(pages, (str, bytes, bytearray, memoryview, dict)):
        raise _not_many(pages)
    if hasattr(pages, "read_next_batch"):  # pyarrow.RecordBatchReader: a table that need not fit into memory
        return (page for batch in pages for page in each(batch))
    if hasattr(pages, "to_batches") and hasattr(pages, "scanner"):  # pyarrow.dataset.Dataset
        return (page for batch in pages.to_batches(columns=chosen(pages.schema.names)) for page in each(batch))
    if type(pages).__name__ == "LazyFrame":  # polars
        raise TypeError("a table whose rows are there is needed, not a LazyFrame: collect it first")
    names = column_names(pages)
    if names is not None:
        return of_table(pages, chosen(names))
    cells = _cells(pages)
    if not hasattr(cells, "__iter__"):
        raise _not_many(pages)
    return iter(cells)


def _not_many(pages: Any) -> TypeError:
    kind = type(pages).__name__
    return TypeError(f"many pages are needed, not one {kind}: a list, an iterator, a table, or a pathlib.Path")


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


def chosen(names: list[str]) -> list[str]:
    """The columns of a table that say something about pages.

    >>> chosen(["id", "url", "html"])
    ['html', 'url']
    """
    if HTML not in names:
        raise TypeError(f"a table of pages needs a column {HTML!r}; there are {', '.join(names)}")
    return [name for name in (HTML, URL, "page", CHARSET) if name in names]


def of_table(table: Any, names: list[str]) -> Iterator[dict[str, Any]]:
    """The rows of a table, as pages."""
    columns = (_cells(table[name]) for name in names)
    return (
        {name: cell for name, cell in zip(names, cells) if name == HTML or cell is not None} for cells in zip(*columns)
    )


def _cells(column: Any) -> Iterable[Any]:
    """The cells of a column, as Python has them, some at a time where they would be copied; None where there is no value."""
    if hasattr(column, "iterchunks"):  # pyarrow.ChunkedArray
        return (cell for chunk in column.iterchunks() for cell in _cells(chunk))
    if hasattr(column, "to_pylist"):  # pyarrow.Array
        return (cell.as_py() for cell in column)
    if hasattr(column, "isna"):  # pandas, which writes NaN, NaT or NA where there is nothing
        return (None if is_missing else cell for cell, is_missing in zip(column, column.isna()))
    return column  # type: ignore[no-any-return]

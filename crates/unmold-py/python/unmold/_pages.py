"""Many pages as one thing: a list, a generator, a table, a path."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from . import _unmold

#: The columns of a table that hold pages, their addresses and the charsets that headers said.
HTML, URL, CHARSET = "html", "url", "charset"


def each(pages: Any, html: str = HTML, url: str = URL) -> Iterator[Any]:
    """The pages of something, each as `learn` and `read_many` take it; `html` and `url` name the columns of tables.

    >>> list(each(["<p>one", ("http://a/", "<p>two")]))
    ['<p>one', ('http://a/', '<p>two')]
    """
    if isinstance(pages, os.PathLike):
        # A path with a mistake in it is none of many pages; a file below it that cannot be read is one.
        return iter(_unmold.load(os.fspath(pages), html=html, url=url, errors="return"))
    if isinstance(pages, (str, bytes, bytearray, memoryview, dict)):
        raise _not_many(pages)
    if hasattr(pages, "read_next_batch"):  # pyarrow.RecordBatchReader: a table that need not fit into memory
        chosen(pages.schema.names, html, url)
        return (page for batch in pages for page in each(batch, html, url))
    if hasattr(pages, "to_batches") and hasattr(pages, "scanner"):  # pyarrow.dataset.Dataset
        wanted = chosen(pages.schema.names, html, url)
        return (page for batch in pages.to_batches(columns=wanted) for page in each(batch, html, url))
    if type(pages).__name__ == "LazyFrame":  # polars
        raise TypeError("a table whose rows are there is needed, not a LazyFrame: collect it first")
    if _is_foreign_stream(pages):
        import pyarrow as pa

        return each(pa.RecordBatchReader.from_stream(pages), html, url)
    names = column_names(pages)
    if names is not None:
        return of_table(pages, chosen(names, html, url), html, url)
    cells = _cells(pages)
    if not hasattr(cells, "__iter__"):
        raise _not_many(pages)
    return _flat(cells, html, url)


#: What most pages are: they are given on as they are.
SIMPLE = (str, bytes, tuple)


def _flat(items: Iterable[Any], html: str, url: str) -> Iterator[Any]:
    """Pages one by one; a path or a batch of a table among them stands for its pages."""
    is_renamed = (html, url) != (HTML, URL)
    for item in items:
        if isinstance(item, SIMPLE):
            yield item
        elif isinstance(item, dict):
            yield _renamed(item, html, url) if is_renamed else item
        elif isinstance(item, os.PathLike) or _is_table(item):
            yield from each(item, html, url)
        else:
            yield item


def _renamed(row: dict[str, Any], html: str, url: str) -> dict[str, Any]:
    """A row as a dict whose columns have other names."""
    if html not in row:
        raise _no_column(html, [str(name) for name in row])
    return {HTML: row[html], URL: row.get(url)} | {name: row[name] for name in ("page", CHARSET) if name in row}


def _is_table(item: Any) -> bool:
    return hasattr(item, "to_batches") or hasattr(item, "__arrow_c_array__") or hasattr(item, "__arrow_c_stream__")


def _is_foreign_stream(pages: Any) -> bool:
    """Whether something gives Arrow's data by the PyCapsule protocol alone (DuckDB, nanoarrow): tables of pandas, polars and pyarrow
    are read as what they are."""
    library = type(pages).__module__.split(".")[0]
    return hasattr(pages, "__arrow_c_stream__") and library not in ("pandas", "polars", "pyarrow")


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


def chosen(names: list[str], html: str = HTML, url: str = URL) -> list[str]:
    """The columns of a table that say something about pages.

    >>> chosen(["id", "url", "html"])
    ['html', 'url']
    """
    if html not in names:
        raise _no_column(html, names)
    if url not in names and url != URL:
        raise _no_column(url, names)
    return [name for name in (html, url, "page", CHARSET) if name in names]


def _no_column(name: str, names: list[str]) -> TypeError:
    return TypeError(f"a table of pages needs a column {name!r}; there are {', '.join(names)}")


def of_table(table: Any, names: list[str], html: str = HTML, url: str = URL) -> Iterator[dict[str, Any]]:
    """The rows of a table, as pages."""
    columns = [_cells(table[name]) for name in names]
    keys = [HTML if name == html else URL if name == url else name for name in names]
    return ({key: cell for key, cell in zip(keys, cells) if key == HTML or cell is not None} for cells in zip(*columns))


def _cells(column: Any) -> Iterable[Any]:
    """The cells of a column, as Python has them, some at a time where they would be copied; None where there is no value."""
    if hasattr(column, "iterchunks"):  # pyarrow.ChunkedArray
        return (cell for chunk in column.iterchunks() for cell in _cells(chunk))
    if hasattr(column, "to_pylist"):  # pyarrow.Array
        return (cell.as_py() for cell in column)
    if hasattr(column, "isna"):  # pandas, which writes NaN, NaT or NA where there is nothing
        return (None if is_missing else cell for cell, is_missing in zip(column, column.isna()))
    return column  # type: ignore[no-any-return]

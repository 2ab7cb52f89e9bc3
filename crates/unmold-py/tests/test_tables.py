"""Tables of pages: Arrow, pandas, polars."""

import pytest

import unmold

pa = pytest.importorskip("pyarrow")


def tables(shop):
    rows = {"url": [url for url, _ in shop] + [None], "html": [html for _, html in shop] + [None], "other": [1] * (len(shop) + 1)}
    arrow = pa.table(rows)
    yield arrow
    yield arrow.to_batches()[0]
    yield pa.concat_tables([arrow.slice(0, 5), arrow.slice(5)])
    try:
        import pandas

        yield pandas.DataFrame(rows)
        yield arrow.to_pandas()
    except ImportError:
        pass
    try:
        import polars

        yield polars.DataFrame(rows)
    except ImportError:
        pass


def test_any_table_is_read_by_columns(shop, mold):
    count = 0
    for table in tables(shop):
        read = list(mold.read_many(table, errors="return"))
        assert [found.url for found in read[:-1]] == [url for url, _ in shop], type(table)
        assert isinstance(read[-1], unmold.PageError)
        assert unmold.learn(table) == mold
        count += 1
    assert count >= 3


def test_text_columns_are_read_too(shop, mold):
    table = pa.table({"html": pa.array([html.decode() for _, html in shop], pa.large_string())})
    assert [found.fields for found in mold.read_many(table)] == [mold.read(html).fields for _, html in shop]


def test_a_table_comes_out_with_errors(shop, mold):
    table = mold.read_table([*shop, None])
    assert table.num_rows == len(shop) + 1
    assert table.column("price")[0].as_py() == "£48.50"
    assert table.column("error").to_pylist() == [None] * len(shop) + ["None is no page"]
    assert table.column("text")[0].as_py() == mold.read(shop[0]).text
    assert set(mold.fields) <= set(table.column_names)
    assert "price" not in mold.read_table(shop[:1], columns=("markdown",)).column_names
    with pytest.raises(ValueError, match="columns are"):
        mold.read_table(shop, columns=("pictures",))


def test_a_table_without_pages_is_a_mistake():
    with pytest.raises(TypeError, match="needs a column 'html'"):
        unmold.learn(pa.table({"text": ["<p>"]}))

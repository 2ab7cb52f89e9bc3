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


def test_tables_larger_than_memory_are_read_batch_by_batch(shop, mold, tmp_path):
    import pyarrow.dataset
    import pyarrow.parquet

    table = pa.table({"other": range(len(shop)), "url": [url for url, _ in shop], "html": [html for _, html in shop]})
    pyarrow.parquet.write_table(table, tmp_path / "crawl.parquet", row_group_size=4)
    wanted = [found.to_json() for found in mold.read_many(shop)]
    for pages in (table.to_reader(4), pyarrow.dataset.dataset(tmp_path / "crawl.parquet")):
        assert [found.to_json() for found in mold.read_many(pages)] == wanted, type(pages)


def test_a_column_is_many_pages(shop):
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    html = [html.decode() for _, html in shop]
    for column in (pa.array(html), pa.chunked_array([html[:3], html[3:]]), pandas.Series(html), polars.Series(html)):
        assert unmold.learn(column) == unmold.learn(html), type(column)


def test_what_is_missing_is_missing_whatever_it_is_called(shop, mold):
    pandas = pytest.importorskip("pandas")
    for kind in (object, "string", pandas.ArrowDtype(pa.string())):
        rows = {"html": pandas.array([shop[0][1].decode(), None], dtype=kind), "url": pandas.array(["http://a/", None], dtype=kind)}
        found, bad = mold.read_many(pandas.DataFrame(rows), errors="return")
        assert found.url == "http://a/" and bad.reason == "None is no page", kind


def test_a_lazy_table_is_a_mistake():
    polars = pytest.importorskip("polars")
    with pytest.raises(TypeError, match="collect it first"):
        unmold.learn(polars.LazyFrame({"html": ["<p>"]}))


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


def test_a_row_with_an_error_says_which_page_it_is_of(mold, shop):
    pages = [{"page": "one", "url": "http://a/1", "html": None}, ("http://a/2", None), shop[0], ("http://a/\ud800", "<p>")]
    rows = mold.read_table(pages).to_pylist()
    assert [row["url"] for row in rows] == ["http://a/1", "http://a/2", shop[0][0], "http://a/?"]
    assert [row["error"] is None for row in rows] == [False, False, True, False] and rows[0]["page"] == "one"


def test_rows_are_made_some_at_a_time(mold, shop):
    many = mold.read_table(page for _ in range(60) for page in shop)
    assert many.to_pylist() == mold.read_table(shop).to_pylist() * 60 and len(many.to_batches()) > 1
    assert mold.read_table([]).num_rows == 0


def test_a_table_without_pages_is_a_mistake():
    with pytest.raises(TypeError, match="needs a column 'html'"):
        unmold.learn(pa.table({"text": ["<p>"]}))

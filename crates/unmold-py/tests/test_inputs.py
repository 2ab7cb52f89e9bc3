"""What is taken as pages, what stands for each row, and what is said where there are none."""

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import unmold
from unmold import spark as job

PAGE = "<title>{0}</title><h1>{0}</h1><p>Calling code: <b>{1}</b></p>".format
ROWS = [("Congo", 242), ("Egypt", 20), ("Spain", 34), ("Chad", 235)]
PAGES = [PAGE(*row) for row in ROWS]


@pytest.fixture(scope="module")
def mold():
    return unmold.learn(PAGES)


@pytest.fixture
def table():
    pa = pytest.importorskip("pyarrow")
    return pa.table({"link": [f"http://a.example/{n}" for n in range(4)], "body": PAGES})


class Stream:
    """What gives a table by Arrow's PyCapsule protocol, and nothing else."""

    def __init__(self, table):
        self.table = table
        # As DuckDB's relations have them.
        self.columns, self.dtypes = table.column_names, table.schema.types

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def test_columns_have_any_name(mold, table):
    names = {"html": "body", "url": "link"}
    assert unmold.learn(table, **names).read(PAGES[3]).fields == mold.read(PAGES[3]).fields
    found = list(mold.read_many(table, **names))
    assert [page["title"] for page in found] == [row[0] for row in ROWS]
    assert found[3].url == "http://a.example/3"
    read = mold.read_table(table, **names).to_pylist()
    assert [row["url"] for row in read] == table["link"].to_pylist()
    assert mold.check(table, **names)["verdict"] == "healthy"
    assert [row["url"] for row in unmold.group(table, **names)] == table["link"].to_pylist()
    assert mold.changes(table, table, **names)["unchanged"] == 4
    rows = table.to_pylist()
    assert [page.url for page in mold.read_many(rows, **names)] == table["link"].to_pylist()


def test_a_column_that_is_not_there_is_said_before_any_work(mold, table):
    for given in (table, table.to_batches()[0], table.to_reader(), Stream(table), table.to_pandas()):
        with pytest.raises(TypeError, match="needs a column 'html'; there are link, body"):
            unmold.learn(given)
    with pytest.raises(TypeError, match="needs a column 'address'; there are link, body"):
        mold.read_many(table, html="body", url="address")


def test_streams_batches_and_paths_are_pages(mold, table, tmp_path):
    names = {"html": "body", "url": "link"}
    for given in (Stream(table), table.to_batches(max_chunksize=2), [table, table.slice(0, 1)]):
        assert unmold.learn(given, **names).read(PAGES[0]).fields == mold.read(PAGES[0]).fields
    files = []
    for number, page in enumerate(PAGES):
        files.append(tmp_path / f"{number}.html")
        files[-1].write_text(page)
    assert [page["title"] for page in mold.read_many(files)] == [row[0] for row in ROWS]
    assert unmold.learn(files).read(PAGES[0]).fields == mold.read(PAGES[0]).fields


def test_something_stands_for_each_row(mold, tmp_path):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    rows = [PAGES[0], None, "", PAGES[1]]
    pq.write_table(pa.table({"html": pa.array(rows, pa.string())}), tmp_path / "x.parquet")
    (tmp_path / "x.jsonl").write_text("".join(json.dumps({"html": row}) + "\n" for row in rows))
    for name in ("x.parquet", "x.jsonl"):
        given = list(unmold.load(tmp_path / name, errors="return"))
        assert [isinstance(page, dict) for page in given] == [True, False, False, True], name
        read = list(mold.read_many(tmp_path / name, errors="return"))
        assert [isinstance(page, unmold.PageError) for page in read] == [False, True, True, False]
        assert mold.read_table(tmp_path / name).num_rows == 4
        with pytest.raises(unmold.PageError, match="empty"):
            list(unmold.load(tmp_path / name))
        assert len(list(unmold.load(tmp_path / name, errors="skip"))) == 2


def test_a_path_that_is_not_there_is_the_same_error_everywhere(mold, tmp_path):
    missing = tmp_path / "missing"
    for call in (unmold.load, unmold.learn, mold.read_many, unmold.group):
        with pytest.raises(FileNotFoundError, match="missing"):
            call(missing)


def test_an_extraction_is_like_a_dict(mold):
    found = mold.read(PAGES[3])
    assert list(found.keys()) == list(found) == ["title", "Calling_code"]
    assert found.values() == ["Chad", "235"]
    assert dict(found.items()) == dict(found) == {"title": "Chad", "Calling_code": "235"}
    assert len(found) == 2 and found
    nothing = mold.read("<p>nothing")
    assert len(nothing) == len(nothing.keys()) and nothing


def test_an_extraction_can_be_sent_elsewhere(mold):
    found = mold.read(PAGES[3], url="http://a.example/3")
    sent = pickle.loads(pickle.dumps(found))
    assert isinstance(sent, unmold.Snapshot)
    for name in ("page", "url", "fields", "spans", "lists", "text", "markdown", "about", "doubts", "group", "source"):
        assert getattr(sent, name) == getattr(found, name), name
    assert dict(sent) == dict(found) and sent["title"] == "Chad" and sent.get("other", "x") == "x"
    assert sent.content.text == found.content.text and sent.to_dict() == found.to_dict()
    assert pickle.loads(pickle.dumps(sent)) == sent
    with pytest.raises(KeyError):
        sent["other"]
    with pytest.raises(AttributeError):
        sent.other


LEARNS = """
import signal, unmold
# A shell that runs tests in the background has it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
words = [f"word{n}" for n in range(5000)]
def page(n):
    rows = "".join(f"<tr><td class=c{i % 50}>{words[(n * 31 + i * i) % 5000]}</td><td>{words[(n + i) % 5000]}</td></tr>" for i in range(3000))
    return f"<title>{n}</title><h1>{n}</h1><table>{rows}</table>"
pages = [page(n) for n in range(60)]
print("ready", flush=True)
try:
    unmold.learn(pages)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    import os
    os._exit(7)
print("learned", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_learning_is_interrupted_at_once():
    process = subprocess.Popen([sys.executable, "-c", LEARNS], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    said = process.stdout.readline()
    took = time.monotonic() - sent
    process.wait(timeout=60)
    if said == "learned\n":
        pytest.skip("this machine learned faster than it was interrupted")
    # 0.2 s where the machine has nothing else to do.
    assert said == "interrupted\n" and took < 2, took


def test_a_folder_of_tables_is_told_by_its_content(tmp_path):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    folder = tmp_path / "crawl"
    (folder / "day=1").mkdir(parents=True)
    rows = {"link": [f"http://a.example/{n}" for n in range(5)], "body": [*PAGES, None], "fetch_time": ["2026-01-01"] * 5}
    pq.write_table(pa.table(rows), folder / "day=1" / "part-0")
    (folder / "_SUCCESS").touch()
    assert job.kind_in(str(folder)) == "parquet"
    columns = {"html": "body", "url": "link"}
    manifest = job.local([str(folder)], str(tmp_path / "out"), columns=columns)
    assert (manifest["pages"], manifest["read"], manifest["errors"]) == (5, 4, 1)
    read = pq.read_table(tmp_path / "out" / "pages").to_pylist()
    assert {row["fetch_time"] for row in read} == {"2026-01-01"}
    assert "warc_record_offset" not in read[0]
    with pytest.raises(ValueError, match="needs a column 'html' .*there are link, body, fetch_time"):
        job.local([str(folder)], str(tmp_path / "other"))


def test_rows_in_a_mixed_folder_have_no_offset(tmp_path):
    (tmp_path / "a.html").write_text(PAGES[0])
    (tmp_path / "b.jsonl").write_text('{"html": "<p>one"}\n{"html": "<p>two"}\n')
    rows = list(job.pages_of(str(tmp_path)))
    assert len(rows) == 3
    assert {(row["warc_filename"], row["warc_record_offset"]) for row in rows} == {(None, None)}


def test_the_command_says_where_the_job_is():
    said = subprocess.run([sys.executable, "-m", "unmold", "spark-job"], capture_output=True, text=True, check=True)
    path = Path(said.stdout.strip())
    assert path.is_file()
    help = subprocess.run([sys.executable, path, "--help"], capture_output=True, text=True, check=True)
    assert "--html" in help.stdout

"""A crawl of 40 sites, in one process, by the command line, and on a cluster: the same whatever happens.

The cluster is two executors on this machine (`local-cluster[2,1,1024]`). A small crawl goes through it always, all of it with
UNMOLD_FULL_SPARK=1 (`crates/unmold-py/test --full`). UNMOLD_NO_SPARK=1 leaves the cluster out, and says so.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from datetime import datetime
from hashlib import sha256
from pathlib import Path

import pytest
from conftest import program
from crawl import crawl, labelled

pa = pytest.importorskip("pyarrow")
import pyarrow.parquet as pq  # noqa: E402

import unmold  # noqa: E402
from unmold import spark as job  # noqa: E402

POISON = "www.site-007.example"
TABLE = pa.schema([("url", pa.string()), ("html", pa.binary())])


def comparable(row):
    """What must be the same however a page was read, in a form that does not depend on who wrote it."""
    fields = row["fields"]
    fields = fields if isinstance(fields, dict) else dict(fields or [])
    records = row.get("records")
    records = json.loads(records) if isinstance(records, str) else records
    kept = {name: row.get(name) or None for name in ("url", "title", "date", "authors", "language", "text", "lack", "doubts")}
    return kept | {"group": row["group"], "fields": fields, "records": records}


def digest(rows):
    lines = sorted(json.dumps(comparable(row), sort_keys=True, ensure_ascii=False) for row in rows)
    return sha256("\n".join(lines).encode()).hexdigest()


def write(pages, path):
    """Writes pages as a table that Java can read without a library of C."""
    pq.write_table(pa.Table.from_pylist(pages, schema=TABLE), path, compression="gzip")


def rows_of(out, name="pages"):
    return pq.read_table(Path(out) / name).to_pylist()


@pytest.fixture(scope="module")
def pages():
    every = crawl() + list(labelled())
    assert len(every) >= 2_000
    return every


@pytest.fixture(scope="module")
def table(pages, tmp_path_factory):
    """The crawl as a table of several files."""
    folder = tmp_path_factory.mktemp("crawl") / "crawl.parquet"
    folder.mkdir()
    for number in range(4):
        write(pages[number::4], folder / f"{number}.parquet")
    return folder


@pytest.fixture(scope="module")
def by_hand(pages, tmp_path_factory):
    """The rows of the command line: each site learned and read on its own, as somebody would who has only that."""
    folder = tmp_path_factory.mktemp("by-hand")
    by_host = {}
    for page in pages:
        by_host.setdefault(job.host_of(page["url"]), []).append(page)
    return [row for host, of_host in sorted(by_host.items()) for row in site_by_hand(program(), folder, host, of_host)]


def site_by_hand(program, folder, host, pages):
    file, mold = folder / f"{host}.jsonl", folder / f"{host}.mold.json"
    file.write_text("".join(json.dumps({"url": page["url"], "html": text_of(page)}) + "\n" for page in pages))
    learned = subprocess.run([program, "learn", "-q", file, "-o", mold], capture_output=True, text=True)
    if learned.returncode == 4:
        # Nothing to learn: its pages are judged one by one.
        mold.write_text('{"unmold": 1, "learned": {"method": "nothing", "pages": 0, "bytes": 0, "hash": "0"}, "groups": []}')
    else:
        assert learned.returncode == 0, learned.stderr

    def said(*command):
        run = subprocess.run([program, *command, "-q", "-f", "jsonl", "--mold", mold, file], capture_output=True, text=True)
        return [json.loads(line) for line in run.stdout.splitlines()]

    cleaned = said("clean")
    extracted = said("extract") if learned.returncode == 0 else [{"group": None, "fields": {}}] * len(cleaned)
    assert len(cleaned) == len(extracted) == len(pages), host
    return [{**clean, **{name: row.get(name) for name in ("group", "fields", "records", "doubts")}} for clean, row in zip(cleaned, extracted)]


def text_of(page):
    """The text of a page, as it is decoded: lines of JSON hold no bytes."""
    return unmold.clean(page["html"]).source


@pytest.fixture(scope="module")
def alone(table, tmp_path_factory):
    """The job in one process."""
    out = tmp_path_factory.mktemp("local") / "out"
    manifest = job.local([str(table)], str(out))
    return manifest, rows_of(out), out


def test_one_process_is_like_the_command_line(alone, by_hand, pages):
    manifest, rows, _ = alone
    assert manifest["pages"] == manifest["read"] == len(rows) == len(pages)
    assert manifest["sites"] >= 41 and manifest["errors"] == 0
    ours = {row["url"]: comparable(row) for row in rows}
    theirs = {row["url"]: comparable(row) for row in by_hand}
    differing = [url for url in ours if ours[url] != theirs[url]]
    assert not differing, (ours[differing[0]], theirs[differing[0]])
    assert digest(rows) == digest(by_hand)


def test_known_molds_are_not_learned_again(alone, table, tmp_path):
    manifest, rows, out = alone
    again = job.local([str(table)], str(tmp_path / "again"), molds=str(out / "molds"))
    assert again["learned"] == 0 and again["known"] == manifest["learned"] < manifest["sites"]
    assert again["digest"] == manifest["digest"] and again["changed"] == 0
    assert digest(rows_of(tmp_path / "again")) == digest(rows)
    verdicts = {row["url_host_name"]: row["verdict"] for row in rows_of(tmp_path / "again", "checks")}
    assert len(verdicts) == manifest["learned"] and verdicts["shop-en.example"] == "healthy"


def test_a_site_that_has_changed_is_named(alone, pages, tmp_path):
    """Of three sites one has put all its tables and lists into other elements."""
    hosts = ["www.site-001.example", "www.site-002.example", "shop-en.example"]
    today = [dict(page) for page in pages if job.host_of(page["url"]) in hosts]
    for page in today:
        if "site-001" in page["url"]:
            page["html"] = page["html"].replace(b"<main", b"<section><main").replace(b" class=", b" data-was=")
    write(today, tmp_path / "today.parquet")
    manifest = job.local([str(tmp_path / "today.parquet")], str(tmp_path / "out"), molds=str(alone[2] / "molds"))
    changed = [row["url_host_name"] for row in rows_of(tmp_path / "out", "checks") if row["verdict"] in job.CHANGED]
    assert changed == ["www.site-001.example"] and manifest["changed"] == 1


def test_the_sample_does_not_depend_on_order(pages):
    rows = [{"url_host_name": job.host_of(page["url"]), **page} for page in pages]
    chosen = lambda rows: sorted(row["url"] for row in job.smallest(rows, 7))  # noqa: E731
    assert chosen(rows) == chosen(rows[::-1])
    assert chosen(job.smallest(rows[:500], 7) + job.smallest(rows[500:], 7)) == chosen(rows)


def test_archives_are_read_and_what_is_broken_is_named(tmp_path):
    body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=koi8-r\r\n\r\n" + "<p>Шуба греет".encode("koi8-r")
    head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://A.example/1\r\nWARC-Date: 2024-07-02T09:30:00Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n"
    record = head.format(len(body)).encode() + body + b"\r\n\r\n"
    (tmp_path / "good.warc").write_bytes(record * 2)
    (tmp_path / "list.paths").write_text(f"{tmp_path}/good.warc\n{tmp_path}/gone.warc\n")
    paths = job.paths_of(str(tmp_path / "list.paths"))
    batch = pa.RecordBatch.from_pydict({"path": paths})
    rows = [row for found in job.read_archives(iter([batch])) for row in found.to_pylist()]
    assert [row["url_host_name"] for row in rows] == ["a.example", "a.example", ""]
    assert [row["warc_record_offset"] for row in rows[:2]] == [0, len(record)]
    assert [row["fetch_time"] for row in rows] == ["2024-07-02T09:30:00Z"] * 2 + [None]
    assert rows[0]["content_charset"] == "koi8-r" and rows[2]["html"] is None and rows[2]["warc_filename"] == paths[1]
    assert "Шуба" in next(job.read_site(None, rows[:1], ["warc_filename"]))["text"]
    assert "gone.warc: open: no such file" in next(job.read_site(None, rows[2:], ["warc_filename"]))["error"]
    manifest = job.local([str(tmp_path / "list.paths")], str(tmp_path / "out"))
    assert [(row["warc_filename"], row["fetch_time"]) for row in rows_of(tmp_path / "out")] == [
        (row["warc_filename"], row["fetch_time"]) for row in rows
    ]
    assert manifest["pages"] == 3 and manifest["errors"] == 1


#: When pages of the tests were fetched, and how that comes out.
FETCHED, SAID = datetime(2024, 7, 2, 9, 30), "2024-07-02T09:30:00Z"


def with_index(pages):
    """Pages with the columns that the index of Common Crawl has; every other one names its host."""
    hosts = [job.host_of(page["url"]) if number % 2 else None for number, page in enumerate(pages)]
    columns = {
        "url": pa.array(page["url"] for page in pages),
        "url_host_name": pa.array(hosts, pa.string()),
        "html": pa.array([text_of(page) for page in pages]),
        "warc_filename": pa.array(["a.warc.gz"] * len(pages)),
        "warc_record_offset": pa.array(range(len(pages)), pa.int32()),
        "fetch_time": pa.array([FETCHED] * len(pages), pa.timestamp("us")),
    }
    return pa.table(columns)


@pytest.mark.parametrize("kind", [pa.timestamp("us"), pa.timestamp("us", "UTC"), pa.timestamp("ms", "Asia/Tokyo"), pa.timestamp("ns"), pa.string()])
def test_kept_columns_may_be_of_any_type(kind, tmp_path):
    table = with_index(crawl(sites=8, pages=4)[:6])
    times = table.column("fetch_time").cast(kind) if kind != pa.string() else pa.array([SAID] * 6)
    offsets = table.column("warc_record_offset").cast(pa.string())
    table = table.set_column(5, "fetch_time", times).set_column(4, "warc_record_offset", offsets)
    pq.write_table(table, tmp_path / "crawl.parquet", use_deprecated_int96_timestamps=kind == pa.timestamp("ns"))
    job.local([str(tmp_path / "crawl.parquet")], str(tmp_path / "out"))
    rows = rows_of(tmp_path / "out")
    assert [row["fetch_time"] for row in rows] == [SAID] * 6 and {row["warc_filename"] for row in rows} == {"a.warc.gz"}
    assert sorted(row["warc_record_offset"] for row in rows) == list(range(6))


def test_the_host_that_is_said_counts(tmp_path):
    table = pa.table({"url": ["http://a/1", "http://a/2", None], "url_host_name": ["b", None, "b"], "html": ["<p>Same"] * 3})
    pq.write_table(table, tmp_path / "crawl.parquet")
    job.local([str(tmp_path / "crawl.parquet")], str(tmp_path / "out"))
    assert sorted((row["url_host_name"], row["url"] or "") for row in rows_of(tmp_path / "out")) == [("a", "http://a/2"), ("b", ""), ("b", "http://a/1")]
    assert "warc_filename" not in rows_of(tmp_path / "out")[0]
    with pytest.raises(FileExistsError, match="an earlier run"):
        job.local(["gone.parquet"], str(tmp_path / "out"))


def test_lines_of_json_keep_what_they_say(tmp_path):
    page = {"url": "http://a/1", "html": "<p>Grüße aus der Heimat", "warc_filename": "a.warc.gz", "warc_record_offset": 7, "fetch_time": SAID}
    (tmp_path / "crawl.jsonl").write_text(json.dumps(page) + "\n\nno JSON\n", encoding="utf-8")
    manifest = job.local([str(tmp_path / "crawl.jsonl")], str(tmp_path / "out"))
    good, bad = rows_of(tmp_path / "out")
    assert {name: good[name] for name in job.KEPT} == {name: page[name] for name in job.KEPT} and "Grüße" in good["text"]
    assert bad["error"] == "the line is no JSON object" and manifest["errors"] == 1


def two_crawls(tmp_path):
    """A store of molds, and the crawl behind it: one host is known, one had a single page that teaches nothing, one an
    error; one is gone."""
    by_host = {}
    for page in crawl(sites=9, pages=8):
        by_host.setdefault(job.host_of(page["url"]), []).append(page)
    known, single, failed = (by_host[f"www.site-{number:03}.example"] for number in range(3))
    soon = {"url": single[0]["url"], "html": b"<title>Soon</title><p>Here will be a shop, and a large one, very soon."}
    write([*known, soon], tmp_path / "first.parquet")
    job.local([str(tmp_path / "first.parquet")], str(tmp_path / "first"))
    molds = pq.read_table(tmp_path / "first" / "molds").to_pylist()
    assert [site["mold"] is None for site in sorted(molds, key=lambda site: site["url_host_name"])] == [False, True]
    without = {"mold": None, "sampled": 9, "alone": None, "error": "an error of this program"}
    molds += [{"url_host_name": host} | without for host in (job.host_of(failed[0]["url"]), "gone.example")]
    pq.write_table(pa.Table.from_pylist(molds, schema=job.SITE), tmp_path / "molds.parquet", compression="gzip")
    today = with_index([*known, *single, *failed])
    pq.write_table(today, tmp_path / "today.parquet", compression="gzip", use_deprecated_int96_timestamps=True)
    return tmp_path / "today.parquet", {"molds": str(tmp_path / "molds.parquet")}


def test_a_host_without_a_mold_is_learned_when_it_has_pages(tmp_path):
    today, settings = two_crawls(tmp_path)
    manifest = job.local([str(today)], str(tmp_path / "out"), **settings)
    assert (manifest["learned"], manifest["known"], manifest["errors"]) == (2, 1, 0)
    assert all(row["fields"] and row["error"] is None for row in rows_of(tmp_path / "out"))
    assert len(rows_of(tmp_path / "out", "molds")) == 3 and len(rows_of(tmp_path / "out", "checks")) == 1


def test_a_mold_that_cannot_be_read_costs_its_site(tmp_path):
    today, settings = two_crawls(tmp_path)
    molds = pq.read_table(settings["molds"]).to_pylist()
    for site in molds:
        site["mold"] = site["mold"] and '{"unmold": 99}'
    pq.write_table(pa.Table.from_pylist(molds, schema=job.SITE), settings["molds"])
    manifest = job.local([str(today)], str(tmp_path / "out"), **settings)
    bad = [row for row in rows_of(tmp_path / "out") if row["error"]]
    assert {row["url_host_name"] for row in bad} == {"www.site-000.example"} and "version 99" in bad[0]["error"]
    assert manifest["changed"] == 1 and manifest["errors"] == len(bad) == 8


# On a cluster.


def why_not():
    if os.environ.get("UNMOLD_NO_SPARK"):
        return "UNMOLD_NO_SPARK is set"
    try:
        import pyspark  # noqa: F401
    except ImportError as error:
        return f"{error}"
    java = subprocess.run(["sh", "-c", "java -version"], capture_output=True)
    return None if java.returncode == 0 else "there is no Java"


needs_cluster = pytest.mark.skipif(why_not() is not None, reason=f"SKIPPED, NOT TESTED: Spark: {why_not()}")
full_size = pytest.mark.skipif(not os.environ.get("UNMOLD_FULL_SPARK"), reason="all 40 sites on a cluster: crates/unmold-py/test --full")

#: What a cluster does, one job after the other, in a process of its own: what it is told by the environment reaches all its parts.
PROGRAM = """
import json, sys, time
from pyspark.sql import SparkSession
from unmold import spark as job

builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("unmold test")
for name, value in {
    "spark.executor.memory": "1g",
    "spark.sql.shuffle.partitions": "4",
    "spark.ui.enabled": "false",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "200",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.task.maxFailures": "8",
    # Not that of archives: times come out as they were.
    "spark.sql.session.timeZone": "Asia/Tokyo",
    # Java's own compression: the library of the usual one guesses which C library it runs on, and may guess wrong.
    "spark.sql.parquet.compression.codec": "gzip",
}.items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
for inputs, out, settings in json.loads(sys.argv[1]):
    print("begin", flush=True)
    start = time.monotonic()
    manifest = job.run(spark, job.read_pages(spark, [inputs]), out, **settings)
    manifest["seconds"] = time.monotonic() - start
    spark._jvm.System.gc()
    manifest["driver_heap"] = spark._jvm.java.lang.management.ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
    # Not of getrusage: that begins with what the parent had.
    manifest["driver_kb"] = int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])
    print(json.dumps(manifest), flush=True)
spark.stop()
"""


def on_a_cluster(jobs, meanwhile=None, fail_at=None):
    """Runs jobs (input, out, settings) on one cluster; gives their manifests. Something may be done while the last one runs."""
    import pyspark

    environment = os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_HOME": str(Path(pyspark.__file__).parent)}
    environment |= {"SPARK_LOCAL_IP": "127.0.0.1", "JAVA_TOOL_OPTIONS": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"}
    if fail_at:
        environment["UNMOLD_FAIL_AT"] = fail_at
    jobs = [(str(table), str(out), settings) for table, out, settings in jobs]
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, json.dumps(jobs)],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )
    said, manifests = [], []
    reader = threading.Thread(target=lambda: said.append(program.stderr.read()))
    reader.start()
    try:
        for number in range(len(jobs)):
            assert program.stdout.readline() == "begin\n"
            if meanwhile and number == len(jobs) - 1:
                meanwhile(program.pid)
            manifests.append(json.loads(program.stdout.readline()))
        assert program.wait(timeout=60) == 0
        return manifests
    except (AssertionError, ValueError) as error:
        program.kill()
        reader.join()
        raise AssertionError("".join(said)[-5000:]) from error
    finally:
        # Whatever a test that failed has left, and nothing else: the group is ours.
        if program.poll() is None:
            os.killpg(program.pid, signal.SIGKILL)
        reader.join()


def executors(ancestor):
    """The executors below a process."""
    parents, names = {}, {}
    for folder in Path("/proc").iterdir():
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            names[int(folder.name)] = (folder / "cmdline").read_bytes()
        except (ValueError, OSError):
            continue
    def is_below(process):
        while process > 1 and process != ancestor:
            process = parents.get(process, 0)
        return process == ancestor
    return sorted(process for process, name in names.items() if b"CoarseGrainedExecutorBackend" in name and b"java" in name.split(b"\0")[0] and is_below(process))


def few(tmp_path):
    """A small crawl, for what needs no large one."""
    folder = tmp_path / "few.parquet"
    pages = [page for page in crawl(sites=10, pages=12) if ".site-" in page["url"]]
    write(pages, folder)
    return folder


def killing(out, killed):
    """Kills one executor of a cluster when the pages of a job are being written, and notes which."""

    def kill_one(ancestor):
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline and not (out / "pages" / "_SUCCESS").exists():
            # When pages are being written the job is in the middle of it.
            if (out / "pages").exists() and (found := executors(ancestor)):
                os.kill(found[0], signal.SIGKILL)
                killed.append(found[0])
                return
            time.sleep(0.02)

    return kill_one


def poisoned(every, host=POISON):
    """A text that all pages of one site have, and no other page."""
    html = next(page["html"].decode() for page in every if job.host_of(page["url"]) == host)
    return "All rights reserved by " + html.split("All rights reserved by ")[1].split(".")[0] + "."


@needs_cluster
def test_a_small_cluster_gives_the_same_whatever_happens(tmp_path):
    """All pages of one site fail, and an executor is killed in the middle of it: the rows of one process."""
    every = crawl(sites=14, pages=16)
    write(every, tmp_path / "crawl.parquet")
    job.local([str(tmp_path / "crawl.parquet")], str(tmp_path / "local"))
    out, killed = tmp_path / "out", []
    (manifest,) = on_a_cluster([(tmp_path / "crawl.parquet", out, {})], meanwhile=killing(out, killed), fail_at=poisoned(every))
    assert killed, "the job was done before an executor could be killed"
    rows, errors = rows_of(out), rows_of(out, "errors")
    assert manifest["pages"] == len(rows) == len(every)
    # Only a build with debug assertions fails on purpose.
    bad = {POISON} if errors else set()
    assert [(error["stage"], error["url_host_name"]) for error in errors] == [("learn", host) for host in bad]
    good = [[row for row in of if row["url_host_name"] not in bad] for of in (rows, rows_of(tmp_path / "local"))]
    assert digest(good[0]) == digest(good[1])


@needs_cluster
def test_a_cluster_gives_the_tables_of_one_process(tmp_path):
    """The next crawl with the columns of an index, and lines of JSON: every table of it."""
    today, settings = two_crawls(tmp_path)
    page = {"url": "http://a/1", "html": "<p>Grüße aus der Heimat", "warc_record_offset": 7, "fetch_time": SAID}
    (tmp_path / "lines.jsonl").write_text(json.dumps(page) + "\nno JSON\n", encoding="utf-8")
    jobs = [(today, tmp_path / "today", settings), (tmp_path / "lines.jsonl", tmp_path / "lines", {})]
    for (inputs, out, settings), manifest in zip(jobs, on_a_cluster(jobs)):
        alone = job.local([str(inputs)], f"{out}-alone", **settings)
        assert {name: manifest[name] for name in alone} == alone
        for name in ["pages", "errors", "molds", *(["checks"] if settings else [])]:
            by_all = lambda row: json.dumps(row, sort_keys=True)  # noqa: E731
            assert sorted(rows_of(out, name), key=by_all) == sorted(rows_of(f"{out}-alone", name), key=by_all), name


@full_size
@needs_cluster
def test_a_cluster_gives_the_same_and_an_executor_may_die(alone, table, tmp_path):
    """Three jobs on one cluster: the crawl, template strings of a few sites, and the crawl again while an executor is killed."""
    killed = []
    manifest, rows, _ = alone
    small = few(tmp_path)
    jobs = [
        (table, tmp_path / "out", {}),
        (small, tmp_path / "strings", {"method": "strings"}),
        (small, tmp_path / "known", {"molds": str(tmp_path / "out" / "molds")}),
        (table, tmp_path / "killed", {}),
    ]
    theirs, strings, known, after = on_a_cluster(jobs, meanwhile=killing(tmp_path / "killed", killed))
    assert digest(rows_of(tmp_path / "out")) == digest(rows)
    for name in ("pages", "read", "sites", "learned", "errors", "digest"):
        assert theirs[name] == manifest[name], name
    assert json.loads(next((tmp_path / "out" / "manifest").glob("*.txt")).read_text())["digest"] == manifest["digest"]

    assert killed, "no executor was there to be killed"
    assert digest(rows_of(tmp_path / "killed")) == digest(rows)
    assert after["digest"] == manifest["digest"]

    # The next crawl: nothing is learned, and nothing has changed.
    assert known["learned"] == 0 and known["known"] == 4 and known["changed"] == 0
    assert len(rows_of(tmp_path / "known", "checks")) == 4

    # The second level: what half of the sites say is language.
    local = job.local([str(small)], str(tmp_path / "local"), method="strings")
    assert strings["digest"] == local["digest"] and strings["learned"] == local["learned"] == 4


def test_what_many_sites_say_is_language(tmp_path):
    job.local([str(few(tmp_path))], str(tmp_path / "local"), method="strings")
    left = {string for row in rows_of(tmp_path / "local", "molds") for string in job.strings_of(row["mold"])}
    assert left and not any("as much as you like" in string.lower() and "<" not in string for string in left)


@full_size
@needs_cluster
def test_a_poisoned_site_is_one_error(alone, table, tmp_path):
    (manifest,) = on_a_cluster([(table, tmp_path / "out", {})], fail_at=poisoned(crawl()))
    errors = rows_of(tmp_path / "out", "errors")
    if not errors:
        pytest.skip("built without debug assertions: nothing fails on purpose")
    assert [(error["stage"], error["url_host_name"]) for error in errors] == [("learn", POISON)]
    assert "an error of this program" in errors[0]["error"]
    others = [row for row in rows_of(tmp_path / "out") if row["url_host_name"] != POISON]
    assert digest(others) == digest(row for row in alone[1] if row["url_host_name"] != POISON)
    assert manifest["pages"] == len(alone[1])

"""Crawls of many sites, on many machines.

```sh
spark-submit "$(unmold spark-job)" crawl.parquet out    # a table with url and html, a file or a folder
spark-submit "$(unmold spark-job)" warc.paths out       # a list of WARC files, one a line
spark-submit "$(unmold spark-job)" new-crawl.parquet out2 --molds out/molds
python -m unmold.spark pages out --html body --url link --local    # without Spark, columns by other names
```

A site is a host. Each is learned from the `sample` of its pages whose addresses have the smallest hashes, wherever these lie:
no page is learned from by chance, and a host with a third of all pages costs no more than another. Then every page is read by
the mold of its host. What comes out:

| folder | rows |
|---|---|
| `pages` | every page: `url`, `url_host_name`, what it holds, or an `error` |
| `errors` | what went wrong: a site that could not be learned (`stage` learn), a page that could not be read (read) |
| `molds` | the mold of each host, for `--molds` of the next crawl, which is then only read and checked; a host without one is tried again |
| `checks` | with `--molds`: whether a host has changed since its mold was learned (`verdict`), and why |
| `manifest` | one line of JSON: counts, settings, and a digest that is the same whatever the order |

Columns are called as in the index of Common Crawl: `url`, `url_host_name` and `content_charset` are gone by; `warc_filename`,
`warc_record_offset` and `fetch_time`, whatever their types, come out as text, number and ISO 8601, if the input has them.

`local` does the same with the same functions in one process and without Spark.
"""

from __future__ import annotations

import argparse
import heapq
import io
import itertools
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timezone
from hashlib import md5
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

import unmold

from ._hosts import HOST, host_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

    from ._unmold import Method

#: A site is learned from so many of its pages.
SAMPLE = 200
#: A host with more pages than this is read in several tasks.
TASK_PAGES = 20_000
#: Pages that are read at once.
BATCH = 64
#: Columns of the input that are kept, if it has them.
KEPT = {"warc_filename": pa.string(), "warc_record_offset": pa.int64(), "fetch_time": pa.string()}

PAGE = [
    ("url", pa.string()),
    ("url_host_name", pa.string()),
    ("content_charset", pa.string()),
    ("html", pa.binary()),
    # Why there is no page, where an archive could not be read.
    ("fault", pa.string()),
]
#: What is read of a table.
COLUMNS = [*(name for name, _ in PAGE), "charset", *KEPT]
#: The fault of a line of JSON.
NO_OBJECT = "the line is no JSON object"
SITE = pa.schema(
    [
        ("url_host_name", pa.string()),
        ("mold", pa.string()),
        ("sampled", pa.int64()),
        # Why there is no mold, though nothing is wrong: its pages are judged one by one.
        ("alone", pa.string()),
        ("error", pa.string()),
    ]
)
CHECK = pa.schema(
    [
        ("url_host_name", pa.string()),
        ("verdict", pa.string()),
        ("pages", pa.int64()),
        ("reasons", pa.list_(pa.string())),
    ]
)
FOUND = [
    ("url", pa.string()),
    ("url_host_name", pa.string()),
    ("group", pa.int64()),
    ("title", pa.string()),
    ("date", pa.string()),
    ("authors", pa.list_(pa.string())),
    ("language", pa.string()),
    ("site", pa.string()),
    ("description", pa.string()),
    ("canonical", pa.string()),
    ("tags", pa.list_(pa.string())),
    ("text", pa.string()),
    ("lack", pa.string()),
    ("fields", pa.map_(pa.string(), pa.list_(pa.string()))),
    ("doubts", pa.list_(pa.string())),
    # The lists of the page as JSON: their columns differ from site to site.
    ("records", pa.string()),
    ("error", pa.string()),
]
#: The verdicts that say that a site has changed.
CHANGED = ("drifted", "broken", "failed")
ERRORS = pa.schema([("stage", pa.string()), ("url_host_name", pa.string()), ("url", pa.string()), ("error", pa.string())])


# What is done with the pages of a site: the same with Spark and without.


def rank(page: dict[str, Any]) -> tuple[bytes, bytes]:
    """By what pages of a host are chosen to learn from: a hash of the address, then of the page."""
    return md5((page["url"] or "").encode("utf-8", "surrogatepass")).digest(), md5(page["html"] or b"").digest()


def smallest(pages: Iterable[dict[str, Any]], sample: int) -> list[dict[str, Any]]:
    """The pages of each host that it is learned from, as far as these pages know."""
    kept: dict[str, list[Any]] = {}
    order = itertools.count()
    for page in pages:
        heap = kept.setdefault(page["url_host_name"] or "", [])
        digest = rank(page)
        # The heap has the largest first: it is what goes when a smaller one comes.
        entry = (tuple(bytes(255 - byte for byte in part) for part in digest), next(order), page)
        if len(heap) < sample:
            heapq.heappush(heap, entry)
        elif entry[0] > heap[0][0]:
            heapq.heapreplace(heap, entry)
    return [entry[2] for heap in kept.values() for entry in heap]


def learn_site(host: str, pages: Iterable[dict[str, Any]], sample: int, method: Method) -> dict[str, Any]:
    """The row of a site: its mold, or why it has none."""
    chosen = sorted(pages, key=rank)[:sample]
    site = {"url_host_name": host, "mold": None, "sampled": len(chosen), "alone": None, "error": None}
    try:
        mold = unmold.learn(map(as_page, chosen), method=method)
        return site | {"mold": mold.to_json()}
    except unmold.LearnError as error:
        return site | {"alone": str(error)}
    except unmold.UnmoldError as error:
        return site | {"error": str(error)}


def check_site(site: dict[str, Any], pages: Iterable[dict[str, Any]], sample: int) -> dict[str, Any]:
    """Whether a site has changed since its mold was learned, by the pages that it would be learned from now."""
    chosen = sorted(pages, key=rank)[:sample]
    row = {"url_host_name": site["url_host_name"], "pages": len(chosen)}
    try:
        report = unmold.Mold.from_json(site["mold"]).check(map(as_page, chosen))
    except unmold.UnmoldError as error:
        return row | {"verdict": "failed", "reasons": [str(error)]}
    reasons = report["reasons"] + [reason for group in report["groups"] for reason in group["reasons"]]
    return row | {"verdict": report["verdict"], "reasons": reasons}


def as_page(row: dict[str, Any]) -> dict[str, Any]:
    """A row as a page."""
    page = {"html": row["html"]}
    if row.get("url"):
        page["url"] = row["url"]
    if row.get("content_charset"):
        page["charset"] = row["content_charset"]
    return page


def language(sites_with: Iterable[tuple[str, int]], sites: int) -> set[str]:
    """The template strings that are language rather than template, since at least half of the other sites have them too.

    >>> sorted(language([("as much as", 3), ("Imprint of ours", 1), ("<b>as much as", 3)], 4))
    ['as much as']
    """
    is_frequent = lambda count: sites > 1 and 2 * (count - 1) >= sites - 1  # noqa: E731
    return {string for string, count in sites_with if is_frequent(count) and not set("<>") & set(string)}


def without_strings(mold: str, dropped: set[str]) -> str:
    """A mold without some of its template strings."""
    rules = json.loads(mold)
    for group in rules["groups"]:
        if "template" in group:
            strings = group["template"]["strings"]
            group["template"]["strings"] = [string for string in strings if string["string"] not in dropped]
    return unmold.Mold.from_json(json.dumps(rules)).to_json()


def read_site(site: dict[str, Any] | None, pages: Iterable[dict[str, Any]], kept: list[str]) -> Iterator[dict[str, Any]]:
    """The rows of a site's pages, in their order."""
    try:
        mold = mold_of(site)
    except unmold.UnmoldError as error:
        # The error is the site's: its pages are not tried one by one.
        yield from (told(page, kept) | {"error": str(error)} for page in pages)
        return
    pages = iter(pages)
    while batch := list(itertools.islice(pages, BATCH)):
        for page, found in zip(batch, read_batch(mold, batch)):
            yield told(page, kept) | ({"error": page["fault"]} if page.get("fault") else found)


def mold_of(site: dict[str, Any] | None) -> unmold.Mold | None:
    """The mold of a site; None if its pages have too little in common, an exception if something is wrong."""
    if site and site["error"] is not None:
        raise unmold.LearnError("the site could not be learned")
    return unmold.Mold.from_json(site["mold"]) if site and site["mold"] else None


def read_batch(mold: unmold.Mold | None, pages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    if mold is not None:
        yield from map(as_row, mold.read_many(map(as_page, pages), errors="return"))
        return
    for page in pages:
        try:
            yield as_row(unmold.clean(as_page(page)))
        except unmold.PageError as error:
            yield as_row(error)


def told(page: dict[str, Any], kept: list[str]) -> dict[str, Any]:
    """What a row says of its page whatever is found on it."""
    return {name: page[name] for name in ("url", "url_host_name")} | {name: CELL[KEPT[name]](page[name]) for name in kept}


def as_text(value: Any) -> str | None:
    """A value as text; a time in ISO 8601 and UTC, as archives write it, and one without a zone is taken as such.

    >>> as_text(datetime(2024, 7, 2, 9, 30)), as_text("2024-07-02T09:30:00Z"), as_text(7)
    ('2024-07-02T09:30:00Z', '2024-07-02T09:30:00Z', '7')
    """
    if isinstance(value, datetime):
        utc = value.astimezone(timezone.utc).replace(tzinfo=None) if value.tzinfo else value
        return utc.isoformat() + "Z"
    return None if value is None else str(value)


def as_number(value: Any) -> int | None:
    """A value as a number; None if it is none.

    >>> as_number("512"), as_number("-")
    (512, None)
    """
    try:
        return int(value)
    except (TypeError, ValueError):
        return None


#: How a value of the input becomes one of a kept column: tables of others have other types.
CELL: dict[pa.DataType, Callable[[Any], Any]] = {pa.string(): as_text, pa.int64(): as_number}


def as_row(found: unmold.Extraction | unmold.PageError) -> dict[str, Any]:
    """What was found on a page; what `unmold extract` and `unmold clean` say of it."""
    if isinstance(found, unmold.PageError):
        return {"error": found.reason}
    row = found.to_dict()
    about = dict(found.about)
    return about | {
        "group": row["group"],
        "text": found.text,
        "lack": found.content.lack,
        "fields": list(row["fields"].items()),
        "doubts": row.get("doubts", []),
        "records": json.dumps(row["records"], ensure_ascii=False) if "records" in row else None,
        "error": None,
    }


def found_schema(kept: list[str]) -> pa.Schema:
    """The columns of what comes out."""
    return pa.schema(FOUND[:2] + [(name, KEPT[name]) for name in kept] + FOUND[2:])


def digest_of(row: dict[str, Any]) -> int:
    """A row as a number. Their sum does not depend on the order."""
    said = json.dumps({name: row.get(name) for name, _ in FOUND}, sort_keys=True, ensure_ascii=False)
    return int.from_bytes(md5(said.encode("utf-8", "surrogatepass")).digest()[:7], "big")


# Without Spark.


def local(
    inputs: list[str],
    out: str,
    *,
    sample: int = SAMPLE,
    method: Method = "fields",
    molds: str | None = None,
    columns: dict[str, str] | None = None,
) -> dict[str, Any]:
    """The job in one process, with all pages in memory: for small crawls, and to compare with. Gives the manifest."""
    folder = Path(out)
    if (folder / "pages").exists():
        # Said before the work, as Spark does.
        raise FileExistsError(f"{folder} has pages of an earlier run")
    pages, kept = pages_at_once(inputs, columns)
    by_host: dict[str, list[dict[str, Any]]] = {}
    for page in pages:
        by_host.setdefault(page["url_host_name"], []).append(page)
    known = {site["url_host_name"]: site for site in pq.read_table(molds).to_pylist() if site["mold"]} if molds else {}
    learned = learn_at_once({host: pages for host, pages in by_host.items() if host not in known}, sample, method)
    sites = known | {site["url_host_name"]: site for site in learned}
    checks = [check_site(known[host], smallest(pages, sample), sample) for host, pages in by_host.items() if host in known]
    rows = [row for host, pages in by_host.items() for row in read_site(sites.get(host), pages, kept)]
    errors = [error for row in rows if (error := page_error(row, sites))] + [
        {"stage": "learn", "url_host_name": site["url_host_name"], "url": None, "error": site["error"]}
        for site in learned
        if site["error"]
    ]
    tables = {"pages": (rows, found_schema(kept)), "errors": (errors, ERRORS), "molds": (list(sites.values()), SITE)}
    if molds:
        tables["checks"] = (checks, CHECK)
    for name, (content, schema) in tables.items():
        (folder / name).mkdir(parents=True)
        pq.write_table(pa.Table.from_pylist(content, schema=schema), folder / name / "part-0.parquet")
    table = pq.read_table(folder / "pages").to_pylist()
    counts = {
        "pages": len(rows),
        "read": sum(row["error"] is None for row in table),
        "sites": len(by_host),
        "learned": sum(site["mold"] is not None for site in learned),
        "known": sum(host in known for host in by_host),
        "changed": sum(row["verdict"] in CHANGED for row in checks),
        "errors": len(errors),
        "digest": sum(map(digest_of, table)),
    }
    manifest = manifest_of(counts, sample, method)
    (folder / "manifest").mkdir()
    (folder / "manifest" / "part-0.txt").write_text(json.dumps(manifest) + "\n")
    return manifest


def pages_at_once(inputs: list[str], columns: dict[str, str] | None = None) -> tuple[list[dict[str, Any]], list[str]]:
    """The pages of a crawl, and which columns of it are kept: what `read_pages` and `normal` give, without Spark."""
    kind = common_kind(inputs)
    if kind == "archive":
        return [page for path in archives(inputs) for page in pages_of(path)], list(KEPT)
    renamed = {theirs: ours for ours, theirs in (columns or {}).items()}
    if kind == "jsonl":
        files = [file for path in inputs for file in files_of(path)]
        rows = ({renamed.get(name, name): value for name, value in row.items()} for file in files for row in json_lines(file))
        return [table_row(row) for row in rows], list(KEPT)
    # As others write times, finer than Python has them.
    tables = (pq.read_table(path, coerce_int96_timestamp_unit="us") for path in inputs)
    wanted = []
    for table in tables:
        check_columns(table.column_names, columns)
        table = table.rename_columns([renamed.get(name, name) for name in dropped_own(table.column_names, renamed)])
        wanted.append(table.select([name for name in table.column_names if name in COLUMNS]))
    table = pa.concat_tables(wanted, promote_options="default")
    return [table_row(row) for row in table.to_pylist()], [name for name in KEPT if name in table.column_names]


def files_of(path: str) -> list[str]:
    """The files of a folder, or the file itself."""
    if not Path(path).is_dir():
        return [path]
    return [str(file) for file in sorted(Path(path).rglob("*")) if file.is_file() and not file.name.startswith(("_", "."))]


def check_columns(names: list[str], columns: dict[str, str] | None = None) -> None:
    """Says before any work that a table has no pages, and what it has.

    >>> check_columns(["body", "url"], {"html": "body"})
    >>> check_columns(["body", "url"])
    Traceback (most recent call last):
    ...
    ValueError: a table of pages needs a column 'html' (--html names another); there are body, url
    """
    for ours, theirs in ({"html": "html"} | (columns or {})).items():
        if theirs not in names:
            raise ValueError(f"a table of pages needs a column {theirs!r} (--{ours} names another); there are {', '.join(names)}")


def dropped_own(names: list[str], renamed: dict[str, str]) -> list[str]:
    """The names of columns, where one that is called like a renamed one has another: that is not what is meant."""
    return [f"{name}_" if name in renamed.values() and name not in renamed else name for name in names]


def json_lines(path: str) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines, compressed or not; a line that is none is said to be at fault."""
    with io.TextIOWrapper(pa.input_stream(path), encoding="utf-8-sig", errors="replace") as lines:
        for line in lines:
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError:
                row = None
            yield row if isinstance(row, dict) else {"fault": NO_OBJECT}


def table_row(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a table as the job goes by it."""
    url, host, html = as_text(row.get("url")), as_text(row.get("url_host_name")), row.get("html")
    charset = as_text(row.get("content_charset") or row.get("charset"))
    return {
        "url": url,
        "url_host_name": host_of(url) if host is None else host,
        # Text is text, whatever its bytes were before it was put into a table.
        "content_charset": "utf-8" if isinstance(html, str) else charset,
        # What stands for half a character is none.
        "html": html.encode("utf-8", "replace") if isinstance(html, str) else html,
        "fault": row.get("fault"),
        **{name: row.get(name) for name in KEPT},
    }


def learn_at_once(by_host: dict[str, list[dict[str, Any]]], sample: int, method: Method) -> list[dict[str, Any]]:
    """The rows of all sites, without the template strings that are language."""
    learned = [learn_site(host, smallest(pages, sample), sample, method) for host, pages in by_host.items()]
    strings = Counter(string for site in learned if site["mold"] for string in strings_of(site["mold"]))
    dropped = language(strings.items(), sum(site["mold"] is not None for site in learned))
    for site in learned:
        if dropped and site["mold"]:
            site["mold"] = without_strings(site["mold"], dropped)
    return learned


def strings_of(mold: str) -> set[str]:
    return set(unmold.Mold.from_json(mold).template_strings)


def page_error(row: dict[str, Any], sites: dict[str, dict[str, Any]]) -> dict[str, Any] | None:
    """The error of a page that is its own, and not its site's."""
    site = sites.get(row["url_host_name"])
    if row.get("error") is None or site and site["error"]:
        return None
    return {"stage": "read", "url_host_name": row["url_host_name"], "url": row["url"], "error": row["error"]}


def manifest_of(counts: dict[str, int], sample: int, method: Method) -> dict[str, Any]:
    settings = {"unmold": unmold.__version__, "sample": sample, "method": method}
    return settings | counts | {"digest": f"{counts['digest'] % (1 << 64):016x}"}


# With Spark.


def read_pages(spark: SparkSession, inputs: list[str], columns: dict[str, str] | None = None) -> DataFrame:
    """A crawl as a table of pages: Parquet or JSONL with `url` and `html`, WARC files, or lists of these, one path a line. `columns`
    says what `html` and `url` are called in tables."""
    from pyspark.sql import functions as F

    kind = common_kind(inputs)
    renamed = {theirs: ours for ours, theirs in (columns or {}).items()}
    if kind == "parquet":
        table = spark.read.parquet(*inputs)
        check_columns(table.columns, columns)
        return table.toDF(*(renamed.get(name, name) for name in dropped_own(table.columns, renamed)))
    if kind == "jsonl":
        # All as text: a value of another type than was declared would be a fault of the line.
        theirs = {ours: theirs for theirs, ours in renamed.items()}
        schema = ", ".join(f"`{theirs.get(name, name)}` string" for name in COLUMNS)
        lines = spark.read.schema(schema).option("columnNameOfCorruptRecord", "fault").json(inputs)
        lines = lines.toDF(*(renamed.get(name, name) for name in lines.columns))
        return lines.withColumn("fault", F.when(F.col("fault").isNotNull(), F.lit(NO_OBJECT)))
    paths = archives(inputs)
    files = spark.createDataFrame([(path,) for path in paths], "path string").repartition(len(paths), "path")
    return files.mapInArrow(read_archives, _ddl(pa.schema([*PAGE, *KEPT.items()])))


def kind_of(path: str) -> str:
    """What an input is, by its name.

    >>> [kind_of(path) for path in ("a.parquet", "a.jsonl.gz", "a.warc.gz", "crawl.paths")]
    ['parquet', 'jsonl', 'archive', 'list']
    """
    name = re.sub(r"\.(gz|zst)$", "", path.rstrip("/").lower())
    if name.endswith(".parquet"):
        return "parquet"
    if name.endswith((".jsonl", ".ndjson", ".json")):
        return "jsonl"
    return "archive" if name.endswith((".warc", ".arc", ".wet")) else "list"


#: How files of Parquet begin.
PARQUET = b"PAR1"


def kind_in(path: str) -> str:
    """What an input is, by its content where its name does not say: a folder is what the files in it are."""
    kind = kind_of(path)
    if kind != "list" or not Path(path).exists():
        return kind
    if Path(path).is_dir():
        files = (file for file in sorted(Path(path).rglob("*")) if file.is_file() and not file.name.startswith(("_", ".")))
        kinds = {kind_in(str(file)) for file in files}
        # Pages as they are, archives and what they are mixed with are all read by `unmold.load`.
        return kinds.pop() if len(kinds) == 1 and kinds <= {"parquet", "jsonl"} else "archive"
    with open(path, "rb") as file:
        return "parquet" if file.read(len(PARQUET)) == PARQUET else "list"


def common_kind(inputs: list[str]) -> str:
    """What all inputs are: tables, lines of JSON, or archives and lists of these."""
    kinds = {"archive" if (kind := kind_in(path)) == "list" else kind for path in inputs}
    if len(kinds) > 1:
        raise ValueError("one kind of input at a time: tables, lines of JSON, or archives")
    return kinds.pop()


def archives(inputs: list[str]) -> list[str]:
    """The paths of all archives."""
    return [path for name in inputs for path in paths_of(name)]


def pages_of(path: str) -> Iterator[dict[str, Any]]:
    """The pages of an archive that this machine can open; an error in its place where it is not there."""
    try:
        pages = unmold.load(path, errors="return")
    except OSError as error:
        said = error.strerror or str(error)
        pages = iter([unmold.PageError(path, f"open: {said[:1].lower()}{said[1:]}")])
    return (page_row(path, page) for page in pages)


def paths_of(name: str) -> list[str]:
    """The paths in a list, or a path itself."""
    if kind_of(name) != "list" or Path(name).is_dir():
        return [name]
    return [line.strip() for line in Path(name).read_text().splitlines() if line.strip()]


def read_archives(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The pages of archives."""
    paths = (path for batch in batches for path in batch.column("path").to_pylist())
    yield from in_batches((page for path in paths for page in pages_of(path)), pa.schema([*PAGE, *KEPT.items()]))


def page_row(path: str, page: dict[str, Any] | unmold.PageError) -> dict[str, Any]:
    """A page of an archive as a row. What cannot be read has no HTML, and comes out as an error of that archive."""
    fault = None
    if isinstance(page, unmold.PageError):
        fault, page = str(page), {"page": page.page, "html": None}
    name, _, place = page["page"].partition("#")
    archive = archive_of(path, name, bool(place))
    # Only a record of an archive stands at a byte of it: a row or a line has a number of another kind.
    offset = re.match(r"\d+", place) if archive else None
    return {
        "url": page.get("url"),
        "url_host_name": host_of(page.get("url")),
        "content_charset": page.get("charset"),
        "html": page["html"],
        "fault": fault,
        "warc_filename": archive,
        "warc_record_offset": int(offset.group()) if offset else None,
        "fetch_time": page.get("fetch_time"),
    }


def archive_of(path: str, name: str, is_part: bool) -> str | None:
    """The archive that a page of an input is in: the input itself, or a file in the folder that it is; None if it is in none.

    >>> archive_of("a/x.warc.gz", "x.warc.gz", True), archive_of("a/x.html", "x.html", False)
    ('a/x.warc.gz', None)
    """
    file = str(Path(path) / name) if Path(path).is_dir() else path
    if kind_of(file) == "archive":
        return file
    # One without such a name is told by what it is not: other files are one page each, or tables.
    return file if is_part and kind_known(file) == "list" else None


#: What `kind_in` said of the last files.
KNOWN: dict[str, str] = {}
#: More files are not remembered.
MOST_KNOWN = 1_000


def kind_known(path: str) -> str:
    """`kind_in`, which is asked for each page of a file."""
    if path not in KNOWN:
        if len(KNOWN) >= MOST_KNOWN:
            KNOWN.clear()
        KNOWN[path] = kind_in(path)
    return KNOWN[path]


def in_batches(rows: Iterable[dict[str, Any]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    rows = iter(rows)
    while some := list(itertools.islice(rows, BATCH)):
        yield pa.RecordBatch.from_pylist(some, schema=schema)


def run(
    spark: SparkSession,
    pages: DataFrame,
    out: str,
    *,
    sample: int = SAMPLE,
    method: Method = "fields",
    molds: str | None = None,
) -> dict[str, Any]:
    """The job. `pages` has `url` and `html` (text or bytes), and may have `url_host_name`, `content_charset` and what is kept.
    Gives the manifest; `out` must not be there."""
    from pyspark.sql import functions as F

    check_columns(pages.columns)
    kept = [name for name in KEPT if name in pages.columns]
    pages = normal(pages, kept)
    known = spark.read.parquet(molds).where("mold is not null") if molds else None
    new = pages if known is None else pages.join(known.select("url_host_name"), "url_host_name", "left_anti")
    learned = learn_sites(new, sample, method)
    store = learned if known is None else learned.unionByName(known)
    if method == "strings":
        # The molds are learned once: what is counted over all of them is needed before any is used.
        learned.write.parquet(f"{out}/learned")
        learned = spark.read.parquet(f"{out}/learned")
        store = across_sites(learned) if known is None else across_sites(learned).unionByName(known)
    store.write.parquet(f"{out}/molds")
    store = spark.read.parquet(f"{out}/molds")

    read_sites(pages, store, kept).write.parquet(f"{out}/pages")
    found = spark.read.parquet(f"{out}/pages")
    of_sites = store.where("error is not null")
    own = found.where("error is not null").join(of_sites.select("url_host_name"), "url_host_name", "left_anti")
    errors = own.select(F.lit("read").alias("stage"), "url_host_name", "url", "error").unionByName(
        of_sites.select(F.lit("learn").alias("stage"), "url_host_name", F.lit(None).cast("string").alias("url"), "error")
    )
    errors.coalesce(1).write.parquet(f"{out}/errors")
    counts = count(found, store, known, spark.read.parquet(f"{out}/errors"))
    counts["changed"] = 0
    if known is not None:
        check_sites(pages, known, sample).coalesce(1).write.parquet(f"{out}/checks")
        counts["changed"] = spark.read.parquet(f"{out}/checks").where(F.col("verdict").isin(*CHANGED)).count()
    manifest = manifest_of(counts, sample, method)
    spark.createDataFrame([(json.dumps(manifest),)], "value string").coalesce(1).write.text(f"{out}/manifest")
    return manifest


def normal(pages: DataFrame, kept: list[str]) -> DataFrame:
    """Pages with the columns that the job goes by."""
    from pyspark.sql import functions as F

    text = lambda name: F.col(name).cast("string") if name in pages.columns else F.lit(None).cast("string")  # noqa: E731
    host = F.lower(F.regexp_extract(F.coalesce(text("url"), F.lit("")), HOST, 1))
    is_text = dict(pages.dtypes)["html"] == "string"
    columns: list[Column] = [
        text("url"),
        F.coalesce(text("url_host_name"), host),
        F.lit("utf-8") if is_text else F.coalesce(text("content_charset"), text("charset")),
        F.col("html").cast("binary"),
        text("fault"),
    ]
    columns = [column.alias(name) for column, (name, _) in zip(columns, PAGE)]
    return pages.select(*columns, *kept)


def sampled(pages: DataFrame, sample: int) -> DataFrame:
    """The pages that hosts are learned from, and some more: each task keeps what it must of each host before anything is sent, so
    no host is too large."""

    def some(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows = (row for batch in batches for row in batch.to_pylist())
        yield from in_batches(smallest(rows, sample), pa.schema(PAGE))

    return pages.select(*(name for name, _ in PAGE)).mapInArrow(some, _ddl(pa.schema(PAGE)))


def learn_sites(pages: DataFrame, sample: int, method: Method) -> DataFrame:
    """The molds of all hosts."""

    def learned(table: pa.Table) -> pa.Table:
        unmold.set_threads(1)
        rows = table.to_pylist()
        return pa.Table.from_pylist([learn_site(rows[0]["url_host_name"], rows, sample, method)], schema=SITE)

    return sampled(pages, sample).groupBy("url_host_name").applyInArrow(learned, _ddl(SITE))


def check_sites(pages: DataFrame, known: DataFrame, sample: int) -> DataFrame:
    """How hosts that have molds do today; those without a page today are left out."""

    def checked(sites: pa.Table, pages: pa.Table) -> pa.Table:
        unmold.set_threads(1)
        rows = [check_site(site, pages.to_pylist(), sample) for site in sites.to_pylist() if pages.num_rows]
        return pa.Table.from_pylist(rows, schema=CHECK)

    by_host = known.groupBy("url_host_name")
    return by_host.cogroup(sampled(pages, sample).groupBy("url_host_name")).applyInArrow(checked, _ddl(CHECK))


def across_sites(sites: DataFrame) -> DataFrame:
    """Molds without the template strings that are language. They are counted over all sites where these are; what is brought
    together is only the few that half of all sites have."""

    def strings(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for mold in batch.column("mold").to_pylist():
                yield pa.RecordBatch.from_pydict({"string": sorted(strings_of(mold))}, schema=pa.schema([("string", pa.string())]))

    molds = sites.where("mold is not null")
    total = molds.count()
    counted = molds.select("mold").mapInArrow(strings, "string string").groupBy("string").count()
    frequent = counted.where(f"2 * (count - 1) >= {total - 1}").collect()
    dropped = language([(row["string"], row["count"]) for row in frequent], total)

    def filtered(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            rows = batch.to_pylist()
            for row in rows:
                if row["mold"]:
                    row["mold"] = without_strings(row["mold"], dropped)
            yield pa.RecordBatch.from_pylist(rows, schema=SITE)

    return sites.mapInArrow(filtered, _ddl(SITE)) if dropped else sites


def read_sites(pages: DataFrame, store: DataFrame, kept: list[str]) -> DataFrame:
    """Every page read by the mold of its host. Pages and molds are sorted together by host, the mold first: so each task makes a
    mold ready once, holds one at a time, and no machine holds all. A host of very many pages is shared out to several tasks."""
    from pyspark.sql import functions as F

    large = pages.groupBy("url_host_name").count().where(F.col("count") > TASK_PAGES)
    large = large.select("url_host_name", F.ceil(F.col("count") / TASK_PAGES).cast("int").alias("parts"))
    with_parts = lambda table: table.join(F.broadcast(large), "url_host_name", "left")  # noqa: E731
    part = F.coalesce(F.pmod(F.xxhash64("url"), F.col("parts")).cast("int"), F.lit(0))
    of_pages = with_parts(pages).select(*pages.columns, part.alias("part"), F.lit(None).cast(_ddl_type(SITE)).alias("rules"))
    parts = F.sequence(F.lit(0), F.coalesce(F.col("parts") - 1, F.lit(0)))
    rules = with_parts(store).select("url_host_name", F.explode(parts).alias("part"), F.struct(*SITE.names).alias("rules"))
    together = of_pages.unionByName(rules, allowMissingColumns=True)
    tasks = max(2, store.sparkSession.sparkContext.defaultParallelism * 4)
    # Only rows of rules have them: they come first.
    ordered = together.repartition(tasks, "url_host_name", "part").sortWithinPartitions(
        "url_host_name", "part", F.col("rules").isNull()
    )
    schema = found_schema(kept)

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        unmold.set_threads(1)
        rows = (row for batch in batches for piece in slices(batch) for row in piece.to_pylist())
        yield from in_batches(by_site(rows, kept), schema)

    return ordered.mapInArrow(read, _ddl(schema))


def slices(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """A batch in pieces, so that few pages are held as Python has them."""
    return (batch.slice(start, BATCH) for start in range(0, batch.num_rows, BATCH))


def by_site(rows: Iterable[dict[str, Any]], kept: list[str]) -> Iterator[dict[str, Any]]:
    """The rows of pages that come behind the rules of their hosts."""
    for _, of_host in itertools.groupby(rows, key=lambda row: (row["url_host_name"], row["part"])):
        first = next(of_host)
        site = first["rules"]
        pages = of_host if site else itertools.chain([first], of_host)
        yield from read_site(site, pages, kept)


def count(found: DataFrame, store: DataFrame, known: DataFrame | None, errors: DataFrame) -> dict[str, int]:
    """The counts of the manifest."""
    from pyspark.sql import functions as F

    def digests(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        schema = pa.schema([("digest", pa.int64()), ("pages", pa.int64()), ("read", pa.int64())])
        for piece in (piece for batch in batches for piece in slices(batch)):
            rows = piece.to_pylist()
            row = {"pages": len(rows), "read": sum(row["error"] is None for row in rows)}
            row["digest"] = sum(map(digest_of, rows))
            yield pa.RecordBatch.from_pylist([row], schema=schema)

    sums = found.mapInArrow(digests, "digest bigint, pages bigint, read bigint")
    # A sum of many numbers of 56 bits needs more than 64.
    digest = F.sum(F.col("digest").cast("decimal(38,0)")).alias("digest")
    row = sums.agg(digest, F.sum("pages").alias("pages"), F.sum("read").alias("read")).first()
    hosts = found.select("url_host_name").distinct()
    with_known, known_molds = (0, 0) if known is None else (hosts.join(known, "url_host_name", "left_semi").count(), known.count())
    return {
        "pages": int(row["pages"] or 0),
        "read": int(row["read"] or 0),
        "sites": hosts.count(),
        "learned": store.where("mold is not null").count() - known_molds,
        "known": with_known,
        "errors": errors.count(),
        "digest": int(row["digest"] or 0),
    }


def _ddl(schema: pa.Schema) -> str:
    """A schema as Spark writes it."""
    return ", ".join(f"`{field.name}` {_ddl_of(field.type)}" for field in schema)


def _ddl_of(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return f"array<{_ddl_of(kind.value_type)}>"
    if pa.types.is_map(kind):
        return f"map<{_ddl_of(kind.key_type)}, {_ddl_of(kind.item_type)}>"
    return {pa.string(): "string", pa.int64(): "bigint", pa.binary(): "binary"}[kind]


def _ddl_type(schema: pa.Schema) -> str:
    """A schema as the type of one column."""
    return "struct<" + ", ".join(f"`{field.name}`: {_ddl_of(field.type)}" for field in schema) + ">"


def main(arguments: list[str] | None = None) -> int:
    """`python -m unmold.spark IN... OUT`."""
    parser = argparse.ArgumentParser(prog="python -m unmold.spark", description="Crawls of many sites, on many machines.")
    parser.add_argument("inputs", nargs="+", metavar="IN", help="Parquet or JSONL with url and html, WARC files, or lists of them")
    parser.add_argument("out", metavar="OUT", help="a folder that is not there: pages, errors, molds, manifest")
    parser.add_argument("--sample", type=int, default=SAMPLE, help=f"pages that a site is learned from ({SAMPLE})")
    parser.add_argument("--method", default="fields", choices=["fields", "content", "strings"], help="what is learned (fields)")
    parser.add_argument("--molds", help="the folder `molds` of an earlier run: hosts that have a mold there are not learned again")
    parser.add_argument("--html", default="html", metavar="COLUMN", help="the column of tables that has the pages (html)")
    parser.add_argument("--url", default="url", metavar="COLUMN", help="the column of tables that has their addresses (url)")
    parser.add_argument("--local", action="store_true", help="in this process, without Spark")
    options = parser.parse_args(arguments)
    settings = {"sample": options.sample, "method": options.method, "molds": options.molds}
    columns = {ours: theirs for ours, theirs in (("html", options.html), ("url", options.url)) if ours != theirs}
    if options.local:
        manifest = local(options.inputs, options.out, columns=columns, **settings)
    else:
        from pyspark.sql import SparkSession

        # Pages are large: with Spark's 4,096 rows at once, a file of one row group takes gigabytes.
        spark = SparkSession.builder.appName("unmold").getOrCreate()
        said = {name for name, _ in spark.sparkContext.getConf().getAll()}
        for name in ("spark.sql.parquet.columnarReaderBatchSize", "spark.sql.execution.arrow.maxRecordsPerBatch"):
            if name not in said:
                spark.conf.set(name, str(BATCH))
        manifest = run(spark, read_pages(spark, options.inputs, columns), options.out, **settings)
    print(json.dumps(manifest, indent=2))
    return 3 if manifest["errors"] else 0


if __name__ == "__main__":
    # Functions that are sent to other processes must be found there under their own name.
    from unmold.spark import main as start

    sys.exit(start())

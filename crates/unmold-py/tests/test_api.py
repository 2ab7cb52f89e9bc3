"""The front door, as people use it."""

import json
import pickle
import subprocess
from pathlib import Path

import pytest
from conftest import COUNTRIES, SITES, country, program

import unmold


def test_a_shop_is_learned_and_read(shop, mold):
    found = mold.read(shop[0])
    assert found["price"] == "£48.50"
    assert found.get("nothing") is None and found.get("nothing", 7) == 7
    assert found.fields["price"] == ["£48.50"]
    assert found.url == shop[0][0]
    assert "price" in found and "nothing" not in found and list(found) == list(found.fields)
    with pytest.raises(KeyError, match="nothing: there are .*price"):
        found["nothing"]
    with pytest.raises(KeyError, match="price: the page is of no group of the mold"):
        unmold.clean(shop[0])["price"]
    with pytest.raises(KeyError, match="price: no fields are looked for"):
        mold.only("content").read(shop[0])["price"]


def test_values_are_where_they_are_said_to_be(shop, mold):
    found = mold.read(shop[0])
    for name, spans in found.spans.items():
        assert len(spans) == len(found.fields[name])
    (start, end), *_ = found.spans["price"]
    assert "48.50" in found.source[start:end]
    assert 0 < found.agreement["price"] <= 1


def test_spans_count_characters_in_any_script():
    pages = [f"<title>日本 é{n}</title><h1>日本 é{n}</h1><p>価格: <b>{n}00円</b></p>" for n in range(1, 6)]
    found = unmold.learn(pages).read(pages[0])
    shown = {name: [found.source[start:end] for start, end in spans] for name, spans in found.spans.items()}
    assert any("100円" in text for texts in shown.values() for text in texts), shown
    text = "".join(found.source[start:end] for start, end in found.content.spans)
    assert "\ufffd" not in text


def test_pages_come_in_many_forms(mold, shop):
    url, html = shop[0]
    wanted = mold.read(html).fields
    forms = [html, html.decode(), bytearray(html), memoryview(html), (url, html), (None, html), {"html": html}]
    for form in [*forms, {"html": html, "url": url, "page": "x", "charset": "utf-8"}]:
        assert mold.read(form).fields == wanted
    assert mold.read({"html": html, "page": "x"}).page == "x"
    assert mold.read(html, url=url).url == url


def test_charsets_are_found():
    page = "<title>Шуба</title><p>Шуба греет зимой и летом, всегда и везде, и никогда не надоедает.</p>"
    for said in ({"html": page.encode("koi8-r"), "charset": "koi8-r"}, page.encode("utf-16"), page):
        assert "Шуба греет" in unmold.clean(said).text


@pytest.mark.parametrize("page", [None, "\ud800<p>x", {"html": None}, ("http://a/\ud800", "<p>x"), {"html": "<p>x", "page": "\udfff"}])
def test_bad_pages_are_exceptions(mold, page):
    with pytest.raises(unmold.PageError) as caught:
        mold.read(page)
    assert isinstance(caught.value, Exception) and caught.value.reason
    with pytest.raises(unmold.PageError):
        unmold.clean(page)


@pytest.mark.parametrize("page", [3, ["<p>"], {"url": "x"}, ("a", "b", "c"), (1, "<p>")])
def test_mistakes_are_type_errors(mold, page):
    with pytest.raises(TypeError, match="of a page is str or None, not int|a page is str, bytes|needs \"html\""):
        mold.read(page)


@pytest.mark.parametrize("pages", ["<p>one page", b"<p>", {"html": "<p>"}])
def test_one_page_is_not_many(pages):
    with pytest.raises(TypeError, match="many pages"):
        unmold.learn(pages)


def test_many_pages_in_their_order(mold, shop):
    one_by_one = [mold.read(page).to_dict() for page in shop]
    assert [found.to_dict() for found in mold.read_many(shop)] == one_by_one
    assert [found.to_dict() for found in mold.read_many(page for page in shop * 20)] == one_by_one * 20


def test_bad_pages_among_many(mold, shop):
    pages = [shop[0], None, shop[1], "\udfff"]
    given = list(mold.read_many(pages, errors="return"))
    assert [type(found) for found in given] == [unmold.Extraction, unmold.PageError] * 2
    assert len(list(mold.read_many(pages, errors="skip"))) == 2
    reading = mold.read_many(pages)
    next(reading)
    with pytest.raises(unmold.PageError):
        next(reading)
    assert next(reading).url == shop[1][0]
    with pytest.raises(ValueError, match="errors is"):
        mold.read_many(pages, errors="ignore")


def test_what_cannot_be_loaded_is_a_bad_page(mold, shop, tmp_path):
    """A folder with an archive that is none: it costs itself, whoever takes the pages of the folder."""
    (tmp_path / "bad.warc").write_bytes(b"WARC/1.0\r\nWARC-Type: response\r\n\r\n")
    for url, html in shop:
        (tmp_path / url.rsplit("/", 1)[1]).write_bytes(html)
    for pages in (tmp_path, list(unmold.load(tmp_path, errors="return"))):
        kinds = [type(found) for found in mold.read_many(pages, errors="return")]
        assert kinds.count(unmold.PageError) == 1 and len(kinds) == len(shop) + 1
        assert unmold.learn(pages) == unmold.learn(unmold.load(tmp_path, errors="skip"))
        assert [error.page for error in unmold.learn(pages).failed] == ["bad.warc"]
    with pytest.raises(unmold.PageError, match="bad.warc"):
        list(mold.read_many(tmp_path))


def test_a_path_that_is_not_there_is_an_exception(mold, tmp_path):
    for work in (unmold.learn, unmold.group, mold.check, mold.read_many):
        with pytest.raises(FileNotFoundError):
            work(tmp_path / "gone")
    with pytest.raises(FileNotFoundError):
        unmold.learn([tmp_path / "gone"])
    with pytest.raises(TypeError, match="not PosixPath: take its bytes"):
        mold.read(tmp_path)


def test_an_exception_of_a_generator_comes_behind_its_pages(mold, shop):
    def pages():
        yield shop[0]
        raise RuntimeError("the disk is gone")

    reading = mold.read_many(pages())
    assert next(reading).url == shop[0][0]
    with pytest.raises(RuntimeError, match="the disk is gone"):
        next(reading)


def test_fields_by_example(shop):
    mold = unmold.learn(shop, examples={"label": "Gannet Stovetop Kettle 1.8 L", "number": "HP-4969-52"})
    assert set(mold.fields) == {"label", "number"}
    assert mold.read(shop[1])["number"].startswith("HP-")
    # Several pages show its price: its own is meant.
    priced = unmold.learn(shop, examples={"cost": "£48.50"})
    assert [priced.read(page)["cost"] for page in shop[:2]] == ["£48.50", "£62.00"]
    named = [{"page": shop[0][0], "fields": {"cost": "£48.50", "label": ["Gannet Stovetop Kettle 1.8 L"]}}]
    assert set(unmold.learn(shop, examples=named).fields) == {"cost", "label"}
    with pytest.raises(unmold.LearnError):
        unmold.learn(shop, examples={"cost": "no such value anywhere"})
    with pytest.raises(ValueError, match="method"):
        unmold.learn(shop, examples={"cost": "£48.50"}, method="content")


def test_one_labelled_page_is_enough(mold, shop):
    text = unmold.learn(shop).read(shop[0]).text
    labelled = mold.learn_from_label(shop[0], fields={"cost": "£48.50", "number": "HP-4969-52"}, content=text)
    assert labelled.fields == ["cost", "number"]
    for page in shop[:15]:
        assert labelled.read(page).get("cost") == mold.read(page).get("price")
    assert labelled.read(shop[0]).text == text
    with pytest.raises(unmold.LearnError, match="no rule finds"):
        mold.learn_from_label(shop[0], fields={"cost": "£1,000,000"})
    with pytest.raises(unmold.LearnError, match="no element"):
        mold.learn_from_label(shop[0], content="Something else altogether, which nobody has written on this page.")
    with pytest.raises(unmold.LearnError, match="no group"):
        mold.learn_from_label("<p>of another site", fields={"cost": "1"})
    with pytest.raises(ValueError):
        mold.learn_from_label(shop[0])


def test_a_label_moves_the_content():
    """The label is believed before what the pages let one think."""
    words = "The first of many words about the {0}, which go on and on until the line has come to its end, {0} by {0}."
    page = lambda name: f"<div class=a><h1>{name}</h1><p>{words.format(name) * 3}</p></div><div class=b><p>A note on the {name}, written by hand.</p></div>"  # noqa: E731
    pages = [page(name) for name in ("kettle", "knife", "fork", "spoon", "plate")]
    mold = unmold.learn(pages)
    labelled = mold.learn_from_label(pages[0], content="A note on the kettle, written by hand.")
    assert labelled.read(pages[1]).text.strip() == "A note on the knife, written by hand."
    assert unmold.Mold.from_json(labelled.to_json()) == labelled


def test_nothing_to_learn_is_an_exception():
    for pages in ([], ["<p>one"], ["<p>same"] * 3):
        with pytest.raises(unmold.LearnError):
            unmold.learn(pages)
    with pytest.raises(ValueError, match="method is"):
        unmold.learn(COUNTRIES, method="magic")


def test_one_template_insists():
    pages = [
        "<title>Kettle</title><table class=card><tr><th>Weight:<td>1.2 kg</table>",
        "<title>Skillet</title><main><dl><dt>Weight:<dd>2.6 kg</dl></main>",
    ]
    with pytest.raises(unmold.LearnError, match="share most, 0"):
        unmold.learn(pages)
    assert unmold.learn(pages, one_template=True).read(pages[0]).group == 0


def test_bad_pages_cost_no_other():
    mold = unmold.learn([*COUNTRIES, None, "\ud800"])
    assert [error.page for error in mold.failed] == ["3", "4"]
    assert mold.read(country("Chad", 235))["Calling_code"] == "235"


def test_the_order_of_pages_makes_no_difference(shop):
    assert unmold.learn(shop) == unmold.learn(shop[::-1])


def test_molds_are_saved_sent_and_compared(tmp_path, mold, shop):
    path = tmp_path / "shop.mold.json"
    mold.save(path)
    again = unmold.Mold.load(str(path))
    assert again == mold and hash(again) == hash(mold)
    assert pickle.loads(pickle.dumps(mold)) == mold
    content = pickle.loads(pickle.dumps(mold.only("content", "about")))
    assert content != mold and content.read(shop[0]).fields.get("price", []) == []
    assert json.loads(mold.to_json())["unmold"] == mold.to_dict()["unmold"]
    with pytest.raises(FileNotFoundError, match="No such file or directory: "):
        unmold.Mold.load(tmp_path / "none")
    (tmp_path / "bad").write_text("{}")
    with pytest.raises(unmold.MoldError, match="/bad: "):
        unmold.Mold.load(tmp_path / "bad")
    (tmp_path / "bytes").write_bytes(b"\xff")
    with pytest.raises(unmold.MoldError, match="/bytes: no mold: "):
        unmold.Mold.load(tmp_path / "bytes")
    with pytest.raises(unmold.MoldError, match="version 99"):
        unmold.Mold.from_json('{"unmold": 99}')
    with pytest.raises(FileNotFoundError, match="cannot write .*/x: "):
        mold.save(tmp_path / "no" / "folder" / "x")


def test_fields_are_chosen(mold, shop):
    assert mold.choose(["price", "name"]).read(shop[0]).fields.keys() == {"price", "name"}
    assert len(mold.choose("all").fields) >= len(mold.fields) >= len(mold.choose(1).fields)
    with pytest.raises(unmold.MoldError, match="no group has a field"):
        mold.choose(["no such field"])
    with pytest.raises(ValueError):
        mold.choose("price")
    with pytest.raises(ValueError):
        mold.only("pictures")


def test_lists_and_records(shop):
    page = next(html for url, html in shop if url.endswith("0019.html"))
    rows = unmold.records(page)
    assert rows[0]["h3"] == ["Gannet Stovetop Kettle 1.8 L"]
    assert len(unmold.patterns(page)[0]["occurrences"]) == len(rows)
    assert unmold.records(page, list=99) == [] == unmold.records("<p>nothing")
    mold = unmold.learn(shop)
    lists = mold.read(page).lists
    assert any(len(records) >= 5 for records in lists.values())


def test_content_in_three_forms(shop):
    html = "<nav><a href=/>Home</a></nav><main><h1>On kettles</h1><p>A <b>kettle</b> sings before it boils.</p></main>"
    found = unmold.clean(html, url="http://example.org/")
    assert found.text == "On kettles\nA kettle sings before it boils.\n" == str(found.content)
    assert "# On kettles" in found.markdown and "**kettle**" in found.markdown
    assert "<h1>On kettles</h1>" in found.html
    assert found.content.is_alone and found.content.lack is None
    assert unmold.clean("<script>go()</script><body></body>").content.lack is not None


def test_template_strings(shop):
    mold = unmold.learn(shop, method="strings")
    assert mold.template_strings
    text = mold.read(shop[0]).text
    assert "Gannet" in text and len(text) < len(shop[0][1])


def test_piles_are_grouped(shop):
    rows = unmold.group([*shop, *COUNTRIES, None])
    assert len(rows) == len(shop) + 4
    assert rows[0]["group"] is not None and rows[0]["name"]
    assert rows[-1]["group"] is None and rows[-1]["why"] == "None is no page"


def test_files_are_loaded(shop):
    folder = SITES / "shop-en" / "pages"
    pages = list(unmold.load(folder))
    assert len(pages) == len(shop) and pages[0]["html"] == shop[0][1]
    assert unmold.learn(folder) == unmold.learn(html for _, html in shop)
    assert len(list(unmold.load(folder, limit=3))) == 3
    for errors in ("raise", "return", "skip"):
        with pytest.raises(FileNotFoundError):
            unmold.load("/no/such/path", errors=errors)


def test_huge_pages_are_cut_and_say_so():
    found = unmold.clean("<p>" + "word " * 4_000_000)
    assert found.truncated and len(found.source) <= 10_000_000
    assert unmold.clean(b"<p>" + b"word " * 4_000_000).truncated


def test_they_show_themselves(mold, shop):
    assert repr(mold).startswith("<unmold.Mold of 21 pages")
    assert "<table>" in mold._repr_html_() and "price" in mold._repr_html_()
    evil = "<title>&lt;script&gt;alert(1)&lt;/script&gt;</title><p>&lt;img src=x onerror=alert(1)&gt; and more words"
    for shown in (unmold.clean(evil)._repr_html_(), mold.read(shop[0])._repr_html_()):
        assert "<table>" in shown and "<script" not in shown and "<img" not in shown


def test_the_same_as_the_command_line(tmp_path, mold, shop):
    """What `extract` and `clean` write, if the program is there."""
    unmold_here = program()
    pages = tmp_path / "pages.jsonl"
    pages.write_text("".join(json.dumps({"url": url, "html": html.decode()}) + "\n" for url, html in shop))
    file = tmp_path / "shop.mold.json"
    subprocess.run([unmold_here, "learn", "-q", pages, "-o", file], check=True)
    assert unmold.Mold.load(file) == mold
    for command, row in [
        (["extract"], lambda found: found.to_json()),
        (["clean", "--with-fields"], lambda found: found.to_clean_json(with_fields=True)),
    ]:
        said = subprocess.run([unmold_here, *command, "-q", "-f", "jsonl", "--mold", file, pages], check=True, capture_output=True)
        rows = [json.loads(line) for line in said.stdout.decode().splitlines()]
        ours = [json.loads(row(found)) for found in mold.read_many(unmold.load(pages))]
        assert ours == rows


def test_types_are_marked():
    assert (Path(unmold.__file__).parent / "py.typed").exists()


def test_a_changed_site_is_noticed_and_its_mold_repaired(mold, shop):
    assert mold.check(shop)["verdict"] == "healthy"
    changed = [(url, html.replace(b"<table", b"<section><table").replace(b"class=", b"data-was=")) for url, html in shop]
    report = mold.check(changed)
    assert report["verdict"] in ("drifted", "broken") and report["pages"] == len(shop)
    assert mold.repair(changed).check(changed)["verdict"] == "healthy"


def test_rules_for_other_tools(mold, shop):
    wanted = mold.choose(["price", "name"])
    for tool in ("css", "xpath", "parsel", "scrapy", "json-schema"):
        assert "price" in wanted.export(tool, shop), tool
    with pytest.raises(ValueError, match="rules can be written for"):
        wanted.export("prolog")

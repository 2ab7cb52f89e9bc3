"""Steps in other packages' pipelines, with these packages."""

import pytest
from conftest import site_pages

import unmold


def test_datatrove(shop):
    data = pytest.importorskip("datatrove.data")
    from unmold.datatrove import UnmoldExtractor

    pages = [*shop, *site_pages("news-de"), ("http://alone.example/", "<p>One page like no other, with a sentence of its own.</p>")]
    document = lambda url, html: data.Document(text=unmold.clean(html).source, id=url, metadata={"url": url})  # noqa: E731
    documents = [document(url, html) for url, html in pages]
    documents.append(data.Document(text="\ud800", id="bad", metadata={}))
    step = UnmoldExtractor(fields=True, window=30)
    read = list(step.run(iter(documents)))
    by_id = {document.id: document for document in read}
    assert by_id[shop[0][0]].metadata["fields"]["price"] == ["£48.50"]
    assert "<" not in by_id[shop[0][0]].text
    assert by_id["http://alone.example/"].text.startswith("One page")
    assert "bad" not in by_id and step.stats["page_error"].total == 1
    news = [page for page in pages if "news-de" in page[0]]
    mold = unmold.learn(news)
    by_mold = list(UnmoldExtractor({"news-de.example": mold}).run(document(url, html) for url, html in news))
    assert by_mold[0].text == mold.read(news[0]).text
    assert by_mold[0].metadata["date"] == "2024-07-02"


def test_datatrove_in_an_executor(shop, tmp_path):
    pytest.importorskip("datatrove")
    import json

    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers import JsonlWriter

    from unmold.datatrove import UnmoldExtractor

    (tmp_path / "in").mkdir()
    lines = (json.dumps({"text": html.decode(), "id": url, "metadata": {"url": url}}) for url, html in shop)
    (tmp_path / "in" / "pages.jsonl").write_text("\n".join(lines))
    steps = [JsonlReader(str(tmp_path / "in")), UnmoldExtractor(), JsonlWriter(str(tmp_path / "out"), compression=None)]
    LocalPipelineExecutor(steps, logging_dir=str(tmp_path / "logs")).run()
    rows = [json.loads(line) for file in (tmp_path / "out").glob("*.jsonl") for line in file.read_text().splitlines()]
    assert len(rows) >= 19 and all("<div" not in row["text"] for row in rows)


def test_scrapy(shop, mold, tmp_path):
    pytest.importorskip("scrapy")
    from scrapy.exceptions import DropItem, NotConfigured
    from scrapy.http import HtmlResponse
    from scrapy.utils.test import get_crawler

    from unmold.scrapy import UnmoldPipeline, extract

    url, html = shop[0]
    response = HtmlResponse(url, body=html, encoding="utf-8")
    assert extract(response, mold)["price"] == "£48.50"
    assert "Gannet" in extract(response).text

    mold.save(tmp_path / "shop.mold.json")
    pipeline = UnmoldPipeline.from_crawler(get_crawler(settings_dict={"UNMOLD_MOLD": str(tmp_path / "shop.mold.json")}))
    item = pipeline.process_item({"url": url, "html": html}, None)
    assert item["price"] == "£48.50" and "html" not in item and "Gannet" in item["text"]
    assert pipeline.process_item({"url": url}) == {"url": url}
    with pytest.raises(DropItem, match="no group"):
        pipeline.process_item({"url": "http://x/", "html": "<p>Another site"}, None)
    with pytest.raises(DropItem):
        pipeline.process_item({"html": "\ud800"}, None)
    with pytest.raises(NotConfigured):
        UnmoldPipeline.from_crawler(get_crawler())

"""Unmold as a step of a datatrove pipeline.

```python
from datatrove.pipeline.readers import WarcReader
from unmold.datatrove import UnmoldExtractor

pipeline = [WarcReader("crawl/"), UnmoldExtractor(), ...]
```

The text of a document is its HTML, its address is in the metadata. Documents are taken some thousand at a time; of each host
that has enough of them a mold is learned, and kept for later ones. The other pages are judged one by one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from datatrove.data import Document, DocumentsPipeline
from datatrove.pipeline.base import PipelineStep
from datatrove.utils.typeshelper import StatHints

import unmold

from ._hosts import host_of


class UnmoldExtractor(PipelineStep):
    """Puts the main content in the place of each document's HTML, and what is known of the page into its metadata.

    `window` documents are looked at together, and a host is learned from at least `least` of them. `molds` are known already: a
    dict from hosts to molds. With `markdown` the content is written as Markdown; with `fields` the values of the mold's fields
    go into the metadata under `fields`, those in doubt under `doubts`. Documents without content, and pages that cannot be read,
    are dropped and counted.
    """

    name = "⚗ Unmold"
    type = "🛢 - EXTRAC"

    def __init__(
        self,
        molds: dict[str, unmold.Mold] | None = None,
        *,
        window: int = 5_000,
        least: int = 5,
        markdown: bool = False,
        fields: bool = False,
    ) -> None:
        super().__init__()
        self.molds: dict[str, unmold.Mold | None] = dict(molds or {})
        self.window, self.least = window, least
        self.markdown, self.fields = markdown, fields

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        documents = iter(data or ())
        while window := list(itertools.islice(documents, self.window)):
            with self.track_time("window"):
                self._learn(window)
            for document in window:
                self.stat_update(StatHints.total)
                with self.track_time():
                    is_good = self._extract(document)
                if is_good:
                    self.update_doc_stats(document)
                    yield document

    def _learn(self, documents: list[Document]) -> None:
        """Learns the hosts that are not known yet."""
        by_host: dict[str, list[tuple[str | None, str]]] = {}
        for document in documents:
            by_host.setdefault(_host(document), []).append((_url(document), document.text))
        for host, pages in by_host.items():
            if host in self.molds or not host or len(pages) < self.least:
                continue
            try:
                self.molds[host] = unmold.learn(pages, method="fields" if self.fields else "content")
                self.stat_update("hosts_learned")
            except unmold.UnmoldError:
                # Nothing that its pages share: they are judged one by one.
                self.molds[host] = None
                self.stat_update("hosts_alone")

    def _extract(self, document: Document) -> bool:
        """Changes a document into its content; whether there is any."""
        mold = self.molds.get(_host(document))
        try:
            found = mold.read(document.text, _url(document)) if mold else unmold.clean(document.text, _url(document))
            document.text = found.markdown if self.markdown else found.text
        except unmold.PageError:
            self.stat_update("page_error")
            return False
        document.metadata |= dict(_said(found, self.fields))
        self.stat_update(StatHints.forwarded if document.text else StatHints.dropped)
        return bool(document.text)


def _url(document: Document) -> str | None:
    return document.metadata.get("url")


def _host(document: Document) -> str:
    return host_of(_url(document))


def _said(found: unmold.Extraction, with_fields: bool) -> Iterator[tuple[str, Any]]:
    """What goes into the metadata."""
    yield from ((name, value) for name, value in found.about.items() if value)
    if found.content.lack:
        yield "lack", found.content.lack
    if with_fields:
        yield "fields", found.fields
        yield "doubts", found.doubts

"""Unmold in Scrapy: values by a mold instead of by selectors.

In a spider:

```python
from unmold.scrapy import extract

def parse(self, response):
    found = extract(response, self.mold)       # an unmold.Extraction; without a mold, the page's content alone
    yield {"url": response.url, **found.fields}
```

Or for items that carry their pages, in the settings of a project:

```python
ITEM_PIPELINES = {"unmold.scrapy.UnmoldPipeline": 300}
UNMOLD_MOLD = "shop.mold.json"                 # as `unmold learn` or Mold.save wrote it
```
"""

from __future__ import annotations

from typing import Any

from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem, NotConfigured
from scrapy.http import Response, TextResponse

import unmold


def extract(response: Response, mold: unmold.Mold | None = None) -> unmold.Extraction:
    """What a response holds: by a mold, or its main content alone."""
    page: dict[str, Any] = {"html": response.body, "url": response.url}
    if isinstance(response, TextResponse):
        page["charset"] = response.encoding
    return mold.read(page) if mold is not None else unmold.clean(page)


class UnmoldPipeline:
    """Fills items that have a page in `html`, and its address in `url`, with the values of a mold's fields.

    The page is taken out of the item. A field that the page lacks is left out, one with several values is a list. What is in
    doubt is named in `doubts`, `text` has the main content. A page of no group of the mold, or one that cannot be read, drops
    the item: a site that has changed is not passed over in silence.
    """

    def __init__(self, mold: unmold.Mold, html: str = "html") -> None:
        self.mold, self.html = mold, html

    @classmethod
    def from_crawler(cls, crawler: Any) -> UnmoldPipeline:
        path = crawler.settings.get("UNMOLD_MOLD")
        if not path:
            raise NotConfigured("UNMOLD_MOLD names the file of a mold")
        return cls(unmold.Mold.load(path), crawler.settings.get("UNMOLD_HTML", "html"))

    def process_item(self, item: Any, spider: Any = None) -> Any:
        fields = ItemAdapter(item)
        if fields.get(self.html) is None:
            return item
        url = fields.get("url")
        try:
            found = self.mold.read(fields[self.html], url)
        except unmold.PageError as error:
            raise DropItem(str(error)) from error
        if found.group is None:
            raise DropItem(f"{url or found.page}: of no group of the mold; the site may have changed")
        del fields[self.html]
        fields["text"] = found.text
        for name, values in found.fields.items():
            if values:
                fields[name] = values[0] if len(values) == 1 else values
        if found.doubts:
            fields["doubts"] = sorted(found.doubts)
        return item

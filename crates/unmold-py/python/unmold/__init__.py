"""Takes web pages out of their mold: content, fields and records of template-made pages, without training.

>>> import unmold
>>> page = "<title>{0}</title><h1>{0}</h1><p>Calling code: <b>{1}</b></p>".format
>>> mold = unmold.learn([page("Congo", 242), page("Egypt", 20), page("Spain", 34)])
>>> mold.read(page("Chad", 235)).fields
{'title': ['Chad'], 'Calling_code': ['235']}

`learn` makes a `Mold` from pages of a site; `Mold.read` gives what a page holds, an `Extraction`. `clean` and `records` take a
page alone, `group` a pile of pages. `load` reads pages from files, folders and archives.

`unmold.spark`, `unmold.datatrove` and `unmold.scrapy` need the packages that they are for, and are imported on their own.
"""

from ._errors import LearnError, MoldError, PageError, UnmoldError
from ._snapshot import Snapshot
from ._unmold import (
    Content,
    Extraction,
    Mold,
    __version__,
    clean,
    group,
    learn,
    load,
    patterns,
    records,
    set_threads,
)

__all__ = [
    "Content",
    "Extraction",
    "LearnError",
    "Mold",
    "MoldError",
    "PageError",
    "Snapshot",
    "UnmoldError",
    "__version__",
    "clean",
    "group",
    "learn",
    "load",
    "patterns",
    "records",
    "set_threads",
]

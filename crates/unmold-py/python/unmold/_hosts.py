"""Which site is a page of?"""

from __future__ import annotations

import re

#: The host in an address: without user and port. Spark reads it too.
HOST = r"^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)"


def host_of(url: str | None) -> str:
    """The host of an address, in small letters; "" if there is none.

    >>> host_of("https://me@WWW.Example.org:8080/a?b"), host_of("no address")
    ('www.example.org', '')
    """
    found = re.match(HOST, url or "")
    return found.group(1).lower() if found else ""

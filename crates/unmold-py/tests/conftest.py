"""What the tests share: the project's own sites, and small pages."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SITES = ROOT / "testdata" / "sites"


def program():
    """The command line as it was built last; a test that needs it is skipped if it was not."""
    built = [path for kind in ("debug", "quick", "release") if (path := ROOT / "target" / kind / "unmold").exists()]
    if not built:
        pytest.skip("the command line is not built: cargo build -p unmold-cli")
    return max(built, key=lambda path: path.stat().st_mtime)


def site_pages(name):
    """The pages of one of the project's own sites, as (address, bytes)."""
    files = sorted((SITES / name / "pages").glob("*.html"))
    return [(f"https://{name}.example/{file.name}", file.read_bytes()) for file in files]


def country(name, code):
    return f"<title>{name}</title><h1>{name}</h1><p>Calling code: <b>{code}</b></p>"


COUNTRIES = [country("Congo", 242), country("Egypt", 20), country("Spain", 34)]


@pytest.fixture(scope="session")
def shop():
    return site_pages("shop-en")


@pytest.fixture(scope="session")
def mold(shop):
    import unmold

    return unmold.learn(shop)

"""A crawl of many sites for the tests: the project's own six, and sites that are made up here.

Each made-up site has a layout, labels and a vocabulary of its own; the same number always makes the same pages.
"""

import random
from pathlib import Path

from conftest import SITES, site_pages

SYLLABLES = "ba be bi da de do fa fi ga go ka ke ki la le lo ma me mi na ne no pa pe po ra re ri sa se so ta te to va ve vo".split()
LABELS = ["Price", "Weight", "Maker", "Item no", "Colour", "Height", "Origin", "Year"]


def words(dice, count):
    return " ".join("".join(dice.choices(SYLLABLES, k=dice.randint(1, 4))) for _ in range(count))


def made_up(number, pages):
    """A site of so many pages, as (address, bytes)."""
    dice = random.Random(f"site {number}")
    host = f"www.site-{number:03}.example"
    name = words(dice, 2).title()
    classes = [words(dice, 1) for _ in range(8)]
    labels = dice.sample(LABELS, 4)
    menu = "".join(f"<li><a href='/{words(dice, 1)}'>{words(dice, 1).title()}</a></li>" for _ in range(6))
    item = ("<dt>{0}:</dt><dd class='{2}'>{1}</dd>", "<p class='{2}'><b>{0}</b> <span>{1}</span></p>", "<tr class='{2}'><th>{0}:</th><td>{1}</td></tr>")[number % 3]
    around = ("<dl>{}</dl>", "<div>{}</div>", "<table>{}</table>")[number % 3]
    for page in range(pages):
        dice = random.Random(f"site {number} page {page}")
        title = words(dice, 3).capitalize()
        values = [f"{dice.randint(1, 900)}.{dice.randint(10, 99)} €", f"{dice.randint(1, 90)} kg", words(dice, 2).title(), f"{dice.randint(1000, 9999)}-{page}"]
        fields = around.format("".join(item.format(label, value, classes[3 + at]) for at, (label, value) in enumerate(zip(labels, values))))
        text = "".join(f"<p>{words(dice, dice.randint(12, 40)).capitalize()}.</p>" for _ in range(dice.randint(2, 6)))
        html = (
            f"<!doctype html><html lang=x><head><meta charset=utf-8><title>{title} | {name}</title></head><body>"
            f"<header class='{classes[0]}'><a href='/'>{name}</a><ul>{menu}</ul></header>"
            f"<main class='{classes[1]}'><h1>{title}</h1>{fields}<div class='{classes[2]}'>{text}</div></main>"
            f"<footer>All rights reserved by {name}. As much as you like.</footer></body></html>"
        )
        yield f"http://{host}/{page}", html.encode()


def crawl(sites=40, pages=60):
    """A crawl of so many sites, about so many pages each, as dicts: url and html."""
    own = sorted(path.name for path in SITES.iterdir() if (path / "pages").is_dir())
    every = [page for name in own for page in site_pages(name)]
    every += [page for number in range(sites - len(own)) for page in made_up(number, pages)]
    every.append(("http://single.example/", b"<title>One</title><p>A page like no other, alone on its site, with a sentence."))
    random.Random("order").shuffle(every)
    return [{"url": url, "html": html} for url, html in every]


def labelled(root=Path(__file__).resolve().parents[4] / "shared" / "data" / "content"):
    """Real pages, where they are: one host for each site."""
    for site in sorted(root.iterdir()) if root.is_dir() else []:
        for file in sorted(site.rglob("*.htm*")):
            yield {"url": f"http://{site.name}.labelled.example/{file.name}", "html": file.read_bytes()}

"""Molds and extractions as tables, for notebooks. Everything that comes from a page is escaped."""

from __future__ import annotations

from html import escape
from typing import Any

#: What is shown of a text.
LETTERS = 200


def mold(mold: Any) -> str:
    """A table of a mold's fields, group by group."""
    parts = [f"<p><b>{escape(repr(mold)[1:-1])}</b></p>"]
    for number, group in enumerate(mold.groups):
        title = f"{number}: {escape(group['name'])}, {group['pages']} pages"
        if group["lists"]:
            title += f"; lists {escape(', '.join(group['lists']))}"
        parts.append(f"<p>{title}</p>")
        parts.append(table(("field", "on pages", "agreement", "like"), map(_of_field, group["fields"])))
    return "".join(parts)


def _of_field(field: Any) -> tuple[str, str, str, str]:
    samples = " · ".join(field["samples"][:3])
    return (field["name"], f"{field['fill']:.0%}", f"{field['agreement']:.2f}", clipped(samples))


def extraction(found: Any) -> str:
    """A table of what a page holds."""
    rows = [("page", found.url or found.page), ("group", "none" if found.group is None else str(found.group))]
    rows += [(name, _said(value)) for name, value in found.about.items() if value]
    doubts = found.doubts
    for name, values in found.fields.items():
        doubt = f" (in doubt: {doubts[name]})" if name in doubts else ""
        rows.append((name, " · ".join(values) + doubt if values else "–"))
    rows += [(name, f"{len(records)} records") for name, records in found.lists.items()]
    rows.append(("text", found.text))
    return table(("", "value"), ((name, clipped(value)) for name, value in rows))


def _said(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)


def table(names: Any, rows: Any) -> str:
    """An HTML table of texts.

    >>> table(("a",), [("<b>",)])
    '<table><tr><th>a</th></tr><tr><td style="text-align:left">&lt;b&gt;</td></tr></table>'
    """
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    cell = '<td style="text-align:left">{}</td>'.format
    body = "".join("<tr>" + "".join(cell(escape(text)) for text in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def clipped(text: str) -> str:
    """The beginning of a text."""
    return text if len(text) <= LETTERS else text[:LETTERS] + "…"

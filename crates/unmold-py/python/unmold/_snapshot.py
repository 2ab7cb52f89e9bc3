"""What was found on a page, without the page's mold: what is sent to other processes and kept."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

#: What a snapshot keeps of an extraction, under the same names.
KEPT = (
    *("page", "url", "source", "charset", "truncated", "group", "fields", "spans", "agreement", "doubts", "lists"),
    *("text", "markdown", "html", "about", "declared"),
)
#: What it keeps of the content.
OF_CONTENT = ("text", "markdown", "html", "spans", "headline", "lack", "is_alone")


class Snapshot(Mapping[str, Any]):
    """An extraction as it was: a pickled extraction is one of these when it is unpickled.

    It has what the extraction had, under the same names: `fields`, `lists`, `text`, `about`, `content` and the like.

    >>> import pickle, unmold
    >>> page = "<title>{0}</title><h1>{0}</h1><p>Calling code: <b>{1}</b></p>".format
    >>> mold = unmold.learn([page("Congo", 242), page("Egypt", 20), page("Spain", 34)])
    >>> found = pickle.loads(pickle.dumps(mold.read(page("Chad", 235))))
    >>> found
    <unmold.Snapshot "0", 2 fields>
    >>> dict(found), found.fields["title"]
    ({'title': 'Chad', 'Calling_code': '235'}, ['Chad'])
    """

    _state: dict[str, Any]

    def __init__(self, state: dict[str, Any]) -> None:
        self.__dict__["_state"] = state
        self.__dict__["content"] = SimpleNamespace(**state["content"])

    def __getattr__(self, name: str) -> Any:
        state = self.__dict__.get("_state", {})
        if name in KEPT and name in state:
            return state[name]
        raise AttributeError(name)

    def __getitem__(self, name: str) -> str | None:
        values = self._state["first"]
        if name not in values:
            raise KeyError(f"{name}: there are {', '.join(values)}")
        first: str | None = values[name]
        return first

    def get(self, name: str, default: Any = None) -> Any:
        """The first value of a field; `default` where the page or the mold has none."""
        value = self._state["first"].get(name)
        return default if value is None else value

    def __iter__(self) -> Iterator[str]:
        return iter(self._state["first"])

    def __len__(self) -> int:
        return len(self._state["first"])

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Snapshot) and self._state == other._state

    __hash__ = None  # type: ignore[assignment]

    def to_json(self) -> str:
        """The line that `unmold extract` writes of the page."""
        line: str = self._state["json"]
        return line

    def to_dict(self) -> dict[str, Any]:
        """What `to_json` says."""
        row: dict[str, Any] = json.loads(self.to_json())
        return row

    def __reduce__(self) -> tuple[Any, ...]:
        return Snapshot, (self._state,)

    def __repr__(self) -> str:
        count = len(self)
        return f'<unmold.Snapshot "{self.page}", {count} field{"" if count == 1 else "s"}>'


def reduced(found: Any) -> tuple[Any, ...]:
    """An extraction as `pickle` takes it."""
    state = {name: getattr(found, name) for name in KEPT}
    state["content"] = {name: getattr(found.content, name) for name in OF_CONTENT}
    state["first"] = dict(found.items())
    state["json"] = found.to_json()
    return Snapshot, (state,)

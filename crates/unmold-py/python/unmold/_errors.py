"""What can go wrong. All of it is an UnmoldError."""


class UnmoldError(Exception):
    """An error of this package; on its own, a bug that no single page shows."""


class LearnError(UnmoldError, ValueError):
    """Nothing can be learned from these pages, or not what the examples ask for."""


class MoldError(UnmoldError, ValueError):
    """A mold that cannot be read, or that has no such field."""


class PageError(UnmoldError):
    """A page that cannot be worked on. It costs that page and no other.

    >>> str(PageError("kettle.html", "None is no page"))
    'kettle.html: None is no page'
    """

    def __init__(self, page: str, reason: str) -> None:
        super().__init__(page, reason)
        self.page = page
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.page}: {self.reason}"

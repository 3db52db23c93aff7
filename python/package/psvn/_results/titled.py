"""Titles of columns."""

from __future__ import annotations


class Titled:
    """A column of a table, with the title that it has there."""

    prune: str
    max_length: int | None

    @property
    def title(self) -> str:
        """The title of the column: ``L=`` and the length, or the pruning, such as ``none``."""
        return f"L={self.max_length}" if self.max_length else self.prune

"""Results of counts: trees, state spaces, experiments."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from .._core.data import Result, html_table, write_csv
from .records import ExplorationRecord, TreeColumn, TreeRecord


class TreeCount(TreeRecord):
    """A tree counted by depth, with a column for each way of pruning."""

    def __getitem__(self, title: str | int) -> TreeColumn:
        """The column with a title, such as ``"L=2"`` or ``"none"``, or of a length."""
        wanted = (f"L={title}" if title else "none") if isinstance(title, int) else title
        for column in self.columns:
            if column.title == wanted:
                return column
        raise KeyError(title)

    def _counts(self) -> dict[str, list[int | None]]:
        n_depths = max((len(column.nodes) for column in self.columns), default=0)
        counts: dict[str, list[int | None]] = {"depth": list(range(n_depths))}
        for column in self.columns:
            missing: list[int | None] = [None] * (n_depths - len(column.nodes))
            counts[column.title] = [*column.nodes, *missing]
        return counts

    def to_pandas(self) -> Any:
        """Return a `pandas.DataFrame`: a row for each depth, a column for each way of pruning."""
        import pandas

        return pandas.DataFrame(self._counts())

    def to_polars(self) -> Any:
        """Return a `polars.DataFrame`: a row for each depth, a column for each way of pruning."""
        import polars

        return polars.DataFrame(self._counts())

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write a file of comma-separated values: a row for each depth, a column for each way of
        pruning."""
        counts = self._counts()
        write_csv(path, list(counts), zip(*counts.values()))

    def _repr_html_(self) -> str:
        counts = self._counts()
        return html_table(list(counts), zip(*counts.values()))


class Exploration(ExplorationRecord):
    """The states of a game by their number of moves from the goals or from given starts."""

    def _repr_html_(self) -> str:
        return f"<p>{self.states:,} states</p>{self.layers._repr_html_()}"


@dataclass(frozen=True, repr=False)
class ExperimentRun(Result):
    """A run of an experiment, counted in cells."""

    results: str
    """The path of the file of results."""
    cells: int
    """The number of cells."""
    kept: int
    """Those that had a result before."""
    measured: int
    """Those that were measured now."""
    stopped: int
    """Those of them that a limit stopped."""
    failed: int
    """Those of them that failed."""

    @property
    def complete(self) -> bool:
        """Whether all cells have a result now."""
        return self.kept + self.measured == self.cells

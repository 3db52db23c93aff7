"""What is counted: trees, state spaces, tables, experiments.

Times are in seconds, sizes in bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .._core.data import Result, Table, html_table


@dataclass(frozen=True)
class TreeColumn(Result):
    """A tree counted in one way. `nodes[d]` is the number of nodes at depth d; the root is at depth
    0."""

    prune: str
    max_length: int | None
    nodes: list[int]
    seconds: float
    generated_per_second: float
    analysis_seconds: float
    complete: bool
    stopped: str | None = None

    @property
    def title(self) -> str:
        """What the column is called: ``L=`` and the length, or what is left out."""
        return self.prune if self.max_length is None else f"L={self.max_length}"


@dataclass(frozen=True)
class TreeCount(Result):
    """A tree counted by depth, with a column for each way of pruning."""

    start: str
    depth: int | None
    columns: list[TreeColumn]
    complete: bool

    def __getitem__(self, title: str | int) -> TreeColumn:
        """The column of a title, such as ``"L=2"`` or ``"parent"``, or of a length."""
        wanted = f"L={title}" if isinstance(title, int) else title
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
        """A `pandas.DataFrame` with a row for each depth and a column for each way of pruning."""
        import pandas

        return pandas.DataFrame(self._counts())

    def to_polars(self) -> Any:
        """A `polars.DataFrame` with a row for each depth and a column for each way of pruning."""
        import polars

        return polars.DataFrame(self._counts())

    def _repr_html_(self) -> str:
        counts = self._counts()
        return html_table(list(counts), zip(*counts.values()))


@dataclass(frozen=True)
class Layer(Result):
    """The states at a distance."""

    distance: int
    states: int
    total: int
    seconds: float


class Layers(Table[Layer]):
    """The states by their distance in moves, from 0."""

    _row = Layer


@dataclass(frozen=True)
class Exploration(Result):
    """The states of a game by their number of moves from the goals or from given starts."""

    layers: Layers
    states: int
    greatest_distance: int | None
    complete: bool
    stopped: str | None
    generated: int
    farthest: list[str]
    storage: str
    peak_bytes: int
    seconds: float

    def _repr_html_(self) -> str:
        return f"<p>{self.states:,} states</p>{self.layers._repr_html_()}"


@dataclass(frozen=True)
class TableFigures(Result):
    """The figures of a pattern database."""

    pattern: str
    entries: int
    bits_per_entry: int
    bytes: int
    ranking: str
    reached: int
    unreached: int
    max_distance: int
    mean_distance: float


@dataclass(frozen=True)
class TablesReport(Result):
    """The figures of pattern databases."""

    tables: list[TableFigures]
    additive: bool
    not_covered: list[str]
    seconds: float
    checked: dict | None = None


@dataclass(frozen=True)
class ExperimentRun(Result):
    """What a run of an experiment did, counted in cells."""

    results: str
    cells: int
    kept: int
    measured: int
    stopped: int
    failed: int

    @property
    def complete(self) -> bool:
        """Whether all cells have a result now."""
        return self.kept + self.measured == self.cells

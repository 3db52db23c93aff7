"""Results of counts: trees, state spaces, tables, experiments.

Times are in seconds, sizes in bytes.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from .._core.data import Result, Table, html_table, write_csv


@dataclass(frozen=True, repr=False)
class TreeColumn(Result):
    """A tree counted in one way. `nodes[d]` is the number of nodes at depth d; the root is at depth
    0."""

    prune: str
    """The pruning: ``none``, ``parent``, ``path``, a length, or the name of a machine file."""
    max_length: int | None
    """The length of the longest sequences that are left out, in rules; ``None`` where no length was
    given."""
    nodes: list[int]
    """The number of nodes at each complete depth, from 0."""
    seconds: float
    """The time that counting took, in seconds."""
    generated_per_second: float
    """The nodes that were generated in a second."""
    analysis_seconds: float
    """The time of the analysis, in seconds."""
    complete: bool
    """Whether the count is complete."""
    stopped: str | None = None
    """The limit that stopped the count: ``nodes``, ``time``, ``memory``, or ``None``."""

    @property
    def title(self) -> str:
        """The title of the column: ``L=`` and the length, or the pruning, such as ``none``."""
        return f"L={self.max_length}" if self.max_length else self.prune


@dataclass(frozen=True, repr=False)
class TreeCount(Result):
    """A tree counted by depth, with a column for each way of pruning."""

    start: str
    """The state at the root, as text."""
    depth: int | None
    """The greatest depth that was counted, in moves."""
    columns: list[TreeColumn]
    """One for each way of pruning."""
    complete: bool
    """Whether all columns are there and complete."""

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


@dataclass(frozen=True, repr=False)
class Layer(Result):
    """The states at a distance."""

    distance: int
    """The distance in moves, from 0."""
    states: int
    """The number of states at that distance."""
    total: int
    """The number of states up to that distance."""
    seconds: float
    """The time since the exploration began, in seconds."""
    orbits: int | None = None
    """The number of states that represent those of the distance, where symmetries are used."""


class Layers(Table[Layer]):
    """The states by their distance in moves, from 0."""

    _row = Layer


@dataclass(frozen=True, repr=False)
class Exploration(Result):
    """The states of a game by their number of moves from the goals or from given starts."""

    layers: Layers
    """The complete layers, by distance."""
    states: int
    """The number of states in complete layers."""
    greatest_distance: int | None
    """The greatest distance of all states, in moves; ``None`` where not all were found."""
    complete: bool
    """Whether all states were found."""
    stopped: str | None
    """The limit that stopped it: ``nodes``, ``time``, ``memory``, or ``None``."""
    generated: int
    """The number of times that a state was generated."""
    farthest: list[str]
    """Some states of the last layer, as text."""
    storage: str
    """How states were stored: ``ranked``, ``memory`` or ``disk``."""
    peak_bytes: int
    """The most bytes that were held for states."""
    seconds: float
    """The time that it took, in seconds."""

    def _repr_html_(self) -> str:
        return f"<p>{self.states:,} states</p>{self.layers._repr_html_()}"


@dataclass(frozen=True, repr=False)
class TableFigures(Result):
    """The figures of a pattern database."""

    pattern: str
    """The values, variables or pieces that are kept."""
    entries: int
    """The number of entries."""
    bits_per_entry: int
    """The bits of an entry."""
    bytes: int
    """The size in bytes."""
    ranking: str
    """How abstract states are numbered, in words."""
    reached: int
    """The entries from which a goal can be reached."""
    unreached: int
    """The others."""
    max_distance: int
    """The greatest distance, as a cost."""
    mean_distance: float
    """The mean of the distances that were reached."""


@dataclass(frozen=True, repr=False)
class TablesReport(Result):
    """The figures of pattern databases."""

    tables: list[TableFigures]
    """The figures of each table."""
    additive: bool
    """Whether the tables may be added up."""
    not_covered: list[str]
    """Values that no pattern has."""
    seconds: float
    """The time of building or opening them, in seconds."""
    checked: dict | None = None
    """The result of the comparison along random walks; ``None`` without one."""


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

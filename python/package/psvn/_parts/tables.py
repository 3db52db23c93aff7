"""Pattern databases, and heuristics by name, as functions of states."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .. import _psvn
from .._core.data import html_table, of_data
from .._core.options import pairs, size, text
from .._results.records import TablesReport

if TYPE_CHECKING:
    from .._games.base import OpenedGame, StateLike


class Heuristic:
    """A heuristic that is ready: ``h(state)`` is an estimate, or ``None`` for a dead end.

    `Game.heuristic` makes those with a name. `Game.solve` takes it for any start.
    """

    def __init__(self, game: OpenedGame, tables: _psvn.Tables) -> None:
        self._game = game
        self._tables = tables

    @property
    def name(self) -> str:
        """Its name in results."""
        return self._tables.name

    @property
    def is_admissible(self) -> bool:
        """Whether it never estimates too high."""
        return self._tables.is_admissible

    def __call__(self, state: StateLike) -> int | None:
        """Return the estimate of a state; ``None`` where no goal can be reached."""
        return self.estimates([state])[0]

    def estimates(self, states: Iterable[StateLike]) -> list[int | None]:
        """Return the estimates of states, in their order."""
        return self._tables.estimate(self._game._game, [self._game.state(it) for it in states])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name} of {self._game.name}>"


class PatternDatabase(Heuristic):
    """One or more pattern databases. Several are added up if they are additive; else the
    greatest estimate counts."""

    @classmethod
    def build(
        cls,
        game: OpenedGame,
        *patterns: str,
        path: str | os.PathLike[str] | None = None,
        additive: bool = False,
        check: bool = False,
        time: float | str | None = None,
        memory: int | str | None = None,
    ) -> PatternDatabase:
        """Build a table for each pattern.

        Args:
            game: The game.
            patterns: The patterns, such as ``"keep 0-4"`` or ``"project 1-8"``; the whole
                game if there are none.
            path: A file ``NAME.pdb`` to write; several tables go to ``NAME-1.pdb`` and so on.
            additive: Whether costs are shared, so that the sum of the tables is a lower bound.
            check: Whether estimates are compared along random walks.
            time: The most time, in seconds or as text such as ``"2min"``.
            memory: The most bytes, also while a table is built, as a number or text such as
                ``"2GiB"``.
        """
        tables = _psvn.Tables.build(
            game._env,
            game._game,
            list(patterns),
            None if path is None else os.fspath(path),
            additive,
            check,
            text(time),
            size(memory),
        )
        return cls(game, tables)

    @classmethod
    def load(
        cls,
        game: OpenedGame,
        *paths: str | os.PathLike[str],
        additive: bool = False,
        check: bool = False,
        memory: int | str | None = None,
    ) -> PatternDatabase:
        """Open tables that were written to files."""
        files = [os.fspath(path) for path in paths]
        tables = _psvn.Tables.open(game._env, game._game, files, additive, check, size(memory))
        return cls(game, tables)

    def _data(self) -> dict[str, Any]:
        return json.loads(self._tables.report or "{}")

    @property
    def report(self) -> TablesReport:
        """The figures of the tables."""
        return of_data(TablesReport, self._data())

    @property
    def distribution(self) -> list[dict[int, int]]:
        """For each table the number of entries at each distance."""
        tables = self._data()["tables"]
        return [{it["distance"]: it["entries"] for it in table["distribution"]} for table in tables]

    def _repr_html_(self) -> str:
        columns = ["pattern", "entries", "bits", "bytes", "greatest", "mean"]
        rows = (
            (it.pattern, it.entries, it.bits_per_entry, it.bytes, it.max_distance, it.mean_distance)
            for it in self.report.tables
        )
        return html_table(columns, rows)


def named(game: OpenedGame, name: str) -> Heuristic:
    """A heuristic by its name, such as ``"manhattan"``."""
    tables = _psvn.Tables.named(game._env, game._game, pairs({"heuristic": name}))
    return Heuristic(game, tables)



"""Searches for solutions, and heuristics."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Union

from .. import _psvn
from .._core.data import of_data
from .._core.errors import UsageError
from .._core.options import SearchOptions, natural, pairs
from .._parts.heuristics import for_blocks, is_batched, name_of
from .._parts.machine import Machine
from .._parts.tables import Heuristic, PatternDatabase, named
from .._psvn import State
from .._results.searches import HeuristicCheck, SearchResult, SearchResults
from .base import StateLike
from .counting import CountedGame
from .picture import Picture

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: A heuristic of a search: a name such as ``"manhattan"``, patterns such as ``"keep 0-4"``,
#: ``"auto"``, a heuristic that is ready, or a function.
HeuristicLike = Union[str, Heuristic, Callable[..., Any]]

#: The number of nodes that are expanded before a heuristic for many states is called.
_BATCH = 4096


class SearchedGame(CountedGame):
    """A game that is searched."""

    def _solver(self, starts: list[State], options: dict[str, Any]) -> _psvn.Solver:
        options = dict(options)
        machine, tables = None, None
        if isinstance(options.get("prune"), Machine):
            machine = options.pop("prune")._machine
            if machine.path is not None:
                options["prune"], machine = machine.path, None
        if isinstance(options.get("heuristic"), Heuristic):
            tables = options.pop("heuristic")._tables
        anyway = bool(options.pop("search_anyway", False))
        return _psvn.Solver(self._game, pairs(options), starts, machine, tables, anyway)

    def solve(
        self,
        start: StateLike,
        algorithm: str = "ida",
        heuristic: HeuristicLike | None = None,
        *,
        certificate: str | os.PathLike[str] | None = None,
        **options: Unpack[SearchOptions],
    ) -> SearchResult:
        """Search for a solution.

        Args:
            start: The start state.
            algorithm: ``dfs``, ``dfid``, ``ida``, ``wida``, ``ida-cr``, ``bts``, ``dfbnb``, ``ida-table``,
                ``bfs``, ``ucs``, ``astar``, ``sma``, ``wastar``, ``greedy``, ``dfs-closed``,
                ``bidirectional``, ``bae`` or ``nbs``.
            heuristic: A name (``"manhattan"``, ``"gap"``, ...), patterns (``"keep 0-4"``), files of
                tables, several with commas between them, ``"auto"``, a `Heuristic`, a
                `PatternDatabase`, or a function of a state, or one that is `batched`. Functions
                serve ``astar`` and ``ida``.
            certificate: A file for the proof that the solution has the least cost, or that there is
                none; `psvn.certify` checks it. Nothing is written if the search was stopped.
            options: ``prune`` (``"none"``, ``"parent"``, a length, ``"auto"``, a `Machine` or its
                file), ``depth``, ``weight``, ``growth``, ``cost_bound``, ``ties``, ``perimeter``,
                ``table`` (bytes), ``split``, ``cycles``, ``count_depths``, ``heuristic_memory``,
                ``mirrored``, ``duals``, ``symmetries``, ``all``, ``disk`` (a folder), ``disk_memory``
                (bytes), ``nodes``, ``time`` (seconds), ``memory`` (bytes) and ``search_anyway``, as
                `psvn solve` takes them. For functions also ``batch``: the number of nodes that are
                expanded before estimates are requested.

        Returns:
            The outcome of the start. A limit that stops the search isn't an error.
        """
        if certificate is None:
            return self.solve_all([start], algorithm, heuristic, **options)[0]
        if callable(heuristic) and not isinstance(heuristic, Heuristic):
            raise UsageError("a heuristic that is a function has no certificate")
        settings = {"algorithm": algorithm, "heuristic": heuristic, **options}
        solver = self._solver([self.state(start)], settings)
        found = solver.run(self._env, False, os.fspath(certificate))
        return self._result(*found[0], algorithm)

    def solve_all(
        self,
        starts: Iterable[StateLike],
        algorithm: str = "ida",
        heuristic: HeuristicLike | None = None,
        **options: Unpack[SearchOptions],
    ) -> SearchResults:
        """Search from several starts, with one preparation; arguments are those of `solve`."""
        states = [self.state(start) for start in starts]
        if callable(heuristic) and not isinstance(heuristic, Heuristic):
            return self._solve_by(heuristic, states, algorithm, dict(options))
        if "batch" in options:
            raise UsageError("`batch` is for heuristics that are functions")
        settings = {"algorithm": algorithm, "heuristic": heuristic, **options}
        found = self._solver(states, settings).run(self._env, False)
        return SearchResults(self._result(*it, algorithm) for it in found)

    def _solve_by(
        self,
        heuristic: Callable[..., Any],
        states: list[State],
        algorithm: str,
        options: dict[str, Any],
    ) -> SearchResults:
        options = dict(options)
        batch = int(options.pop("batch", _BATCH if is_batched(heuristic) else 1))
        machine = None
        if isinstance(options.get("prune"), Machine):
            machine = options.pop("prune")._machine
            if machine.path is not None:
                options["prune"], machine = machine.path, None
        settings = pairs({"algorithm": algorithm, **options})
        function = for_blocks(heuristic, self._game)
        results = SearchResults()
        for state in states:
            found = _psvn.solve_in_batches(
                self._game, self._env, state, settings, function, batch, machine, False
            )
            results.append(self._result(*found, algorithm, heuristic=name_of(heuristic)))
        return results

    def _result(
        self, record: str, rules: list[int] | None, algorithm: str, **more: Any
    ) -> SearchResult:
        data = json.loads(record)
        return of_data(SearchResult, data, rules=rules, algorithm=algorithm, _game=self, **more)

    def _path(self, start: str, rules: list[int]) -> list[State]:
        return self._game.states_on_the_way(self.state(start), rules)

    def heuristic(self, name: str) -> Heuristic:
        """Return a heuristic by its name, such as ``"manhattan"``, as a function of states."""
        return named(self, name)

    def pattern_database(
        self,
        *patterns: str,
        path: str | os.PathLike[str] | None = None,
        additive: bool = False,
        check: bool = False,
        time: float | str | None = None,
        memory: int | str | None = None,
    ) -> PatternDatabase:
        """Build pattern databases; see `PatternDatabase.build`."""
        return PatternDatabase.build(
            self,
            *patterns,
            path=path,
            additive=additive,
            check=check,
            time=time,
            memory=memory,
        )

    def check_admissible(
        self,
        heuristic: HeuristicLike,
        start: StateLike | None = None,
        *,
        max_states: int = 1_000_000,
    ) -> HeuristicCheck:
        """Compare a heuristic with the least costs, on all states that a start leads to.

        Args:
            heuristic: As `solve` takes it.
            start: A state; by default the goal state.
            max_states: The most states.

        Raises:
            LimitError: If there are more states.
        """
        if isinstance(heuristic, str):
            heuristic = self.heuristic(heuristic)
        begin = self.goal if start is None else self.state(start)
        if begin is None:
            raise UsageError(f"{self.name} has no single goal state", hint="give a start")
        function = for_blocks(heuristic, self._game)
        most = natural("max_states", max_states)
        found = _psvn.check_estimates(self._game, self._env, begin, function, most)
        return of_data(HeuristicCheck, json.loads(found))

    def draw_search(
        self,
        start: StateLike,
        algorithm: str = "astar",
        heuristic: str | Heuristic | None = None,
        **options: Unpack[SearchOptions],
    ) -> Picture:
        """Draw the states that a search generated, with their scores and the order of expansion."""
        settings = {"algorithm": algorithm, "heuristic": heuristic, **options}
        solver = self._solver([self.state(start)], settings)
        return Picture(solver.tree_svg(self._env))

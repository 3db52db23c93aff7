"""Work on games without a search for goals: sequences, analyses, trees, state spaces, plans."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .. import _psvn
from .._core.data import of_data
from .._core.errors import PsvnWarning, UsageError
from .._core.options import AnalysisOptions, natural, pairs, size, text
from .._parts.machine import Machine
from .._results.counts import Exploration, TreeCount
from .._results.records import Composition, Explanation
from .._results.rules import Analysis
from .._results.searches import PlanCheck, SearchResult
from .base import OpenedGame, StateLike
from .picture import Picture

if TYPE_CHECKING:
    from typing_extensions import Unpack


class CountedGame(OpenedGame):
    """A game whose sequences, trees and states are analyzed."""

    def compose(self, *rules: str, trace: bool = False) -> Composition:
        """Compose the macro-rule of a sequence of rules, given by their names."""
        return of_data(Composition, json.loads(self._game.compose(list(rules), trace)))

    def explain(self, *rules: str, time: float | str | None = None) -> Explanation:
        """Explain why a sequence of rules is redundant, impossible, or neither."""
        found = self._game.explain(self._env, list(rules), text(time))
        return of_data(Explanation, json.loads(found))

    def analyze(
        self, max_length: int | str = 2, **options: Unpack[AnalysisOptions]
    ) -> Analysis:
        """Find which sequences of rules are redundant, and the machine that forbids them.

        Args:
            max_length: The length of the longest sequences that are compared, in rules, or
                ``"auto"``.
            options: ``order``, ``rule_order``, ``invariants``, ``start``, ``letters``, ``machine``,
                ``sleep_sets``, ``dont_cares``, ``split``, ``time`` (seconds) and ``memory``
                (bytes), as `psvn analyze` takes them.
        """
        settings = pairs({"max_length": max_length, **options})
        report, machine = self._game.analyze(self._env, settings)
        own = None if machine is None else Machine(self, machine)
        return of_data(Analysis, json.loads(report), _machine=own)

    def count_tree(
        self,
        depth: int,
        start: StateLike | None = None,
        *,
        lengths: Iterable[int] = (0,),
        parents: bool = False,
        cycles: bool = False,
        machines: Iterable[str | os.PathLike[str]] = (),
        within_invariants: bool = True,
        nodes: int | None = None,
        time: float | str | None = None,
    ) -> TreeCount:
        """Count the nodes of a search tree by depth.

        Args:
            depth: The greatest depth that is counted, in moves.
            start: The state at the root; by default the goal state.
            lengths: A column for each: redundant sequences up to that length are pruned. 0 prunes
                nothing.
            parents: Whether there is a column without nodes that equal their grandparent.
            cycles: Whether there is a column without nodes that equal a node on their path.
            machines: A column for each machine file.
            within_invariants: Whether sequences are compared within the invariants of the root;
                else in all states, as for published counts.
            nodes: The most nodes of each column.
            time: The most time of the analysis, and of each column.
        """
        report, missing = _psvn.count_tree(
            self._game,
            self._env,
            natural("depth", depth),
            None if start is None else self.state(start),
            [natural("lengths", length) for length in lengths],
            parents,
            cycles,
            [os.fspath(path) for path in machines],
            within_invariants,
            natural("nodes", nodes),
            text(time),
        )
        for message in missing:
            warnings.warn(message, PsvnWarning, stacklevel=2)
        return of_data(TreeCount, json.loads(report))

    def draw_tree(
        self,
        depth: int,
        start: StateLike | None = None,
        *,
        length: int | None = None,
        parents: bool = False,
        machine: str | os.PathLike[str] | None = None,
    ) -> Picture:
        """Draw a search tree, with its pruned branches and the reasons."""
        root = None if start is None else self.state(start)
        file = None if machine is None else os.fspath(machine)
        most, longest = natural("depth", depth), natural("length", length)
        svg = _psvn.tree_svg(self._game, self._env, most, root, longest, parents, file)
        return Picture(svg)

    def explore(
        self,
        *starts: StateLike,
        depth: int | None = None,
        storage: str | os.PathLike[str] | None = None,
        farthest: int = 0,
        nodes: int | None = None,
        time: float | str | None = None,
        memory: int | str | None = None,
        symmetries: bool = False,
        seek_goals: bool = False,
    ) -> Exploration:
        """Count all states by their number of moves.

        Args:
            starts: The states to begin with; all goal states, against the rules, if there are none.
            depth: The greatest distance.
            storage: ``"ranked"``, ``"memory"``, or a folder for files; chosen by default.
            farthest: The number of farthest states that are listed.
            nodes: The most states that are generated.
            time: The most time, in seconds.
            memory: The most bytes for states.
            symmetries: Store one state for all its images, and count states and orbits.
            seek_goals: Count also the goals at each distance from the starts, up to the first ones
                or to ``depth``.
        """
        report = _psvn.explore(
            self._game,
            self._env,
            [self.state(start) for start in starts],
            natural("depth", depth),
            text(storage),
            natural("farthest", farthest),
            natural("nodes", nodes),
            text(time),
            size(memory),
            symmetries,
            seek_goals,
        )
        return of_data(Exploration, json.loads(report))

    def check_plan(
        self,
        plan: SearchResult | str | os.PathLike[str] | Sequence[str],
        start: StateLike | None = None,
        *,
        cost: int | None = None,
    ) -> PlanCheck:
        """Check a plan by carrying it out, by the rules as they were written.

        Args:
            plan: The result of a search, a file with one plan, or labels or names of rules.
            start: Its start, unless the plan gives it.
            cost: Its claimed cost.
        """
        if isinstance(plan, SearchResult):
            if plan.rules is None:
                raise UsageError("there is no solution to check")
            begin = plan.start if start is None else start
            moves = [self.rules[rule].name for rule in plan.rules]
            claimed = plan.cost if cost is None else cost
            return self._check_moves(moves, begin, claimed)
        if isinstance(plan, (str, os.PathLike)):
            path = os.fspath(plan)
            with open(path, encoding="utf-8") as file:
                content = file.read()
            given = None if start is None else self.state(start)
            found = _psvn.check_plans(self._game, content, path, given, True)
            if len(found) != 1:
                raise UsageError(f"{path} has {len(found)} plans, and one is checked")
            return of_data(PlanCheck, json.loads(found[0]))
        if start is None:
            raise UsageError("a plan of moves needs a start")
        return self._check_moves(list(plan), start, natural("cost", cost))

    def _check_moves(self, moves: list[str], start: StateLike, cost: int | None) -> PlanCheck:
        found = _psvn.check_moves(self._game, moves, self.state(start), cost, True)
        return of_data(PlanCheck, json.loads(found))

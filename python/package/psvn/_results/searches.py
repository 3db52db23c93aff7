"""What searches and checks find. Times are in seconds, sizes in bytes."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Any

from .._core.data import Result, Table, shown
from .._psvn import State


@dataclass(frozen=True)
class Bound(Result):
    """The counts of one bound of a search that raises it."""

    bound: int
    generated: int
    expanded: int
    pruned_by_machine: int
    pruned_by_cycle: int


class Bounds(Table[Bound]):
    """The counts of each bound."""

    _row = Bound


@dataclass(frozen=True)
class Depth(Result):
    """The counts of one depth, all bounds added up."""

    depth: int
    generated: int
    expanded: int
    pruned_by_machine: int
    pruned_by_cycle: int


class Depths(Table[Depth]):
    """The counts of each depth."""

    _row = Depth


@dataclass(frozen=True)
class SearchResult(Result):
    """What became of a start. It is true if there is a solution.

    `outcome` is ``solved``, ``no-solution``, ``not-within-depth``, ``not-within-cost``,
    ``not-found``, or what stopped the search: ``nodes``, ``time``, ``memory``. `moves` are labels
    of rules.
    """

    start: str
    solved: bool
    outcome: str
    cost: int | None
    length: int | None
    moves: list[str] | None
    generated: int
    expanded: int
    pruned: int
    seconds: float
    preparation_seconds: float
    generated_per_second: float
    algorithm: str
    heuristic: str | None = None
    heuristic_start: int | None = None
    heuristic_reason: str | None = None
    admissible: bool | None = None
    proof: str | None = None
    pruned_by_machine: int | None = None
    bounds: Bounds = field(default_factory=Bounds)
    depths: Depths = field(default_factory=Depths)
    best_so_far: int | None = None
    cycles: str | None = None
    states_kept: int | None = None
    bytes_per_state: float | None = None
    peak_bytes: int | None = None
    duplicates: int | None = None
    reopened: int | None = None
    rules: list[int] | None = None
    _game: Any = field(default=None, repr=False)

    def __bool__(self) -> bool:
        return self.solved

    @property
    def states(self) -> list[State]:
        """The states on the way, start and end included; empty without a solution."""
        if self.rules is None or self._game is None:
            return []
        return self._game._path(self.start, self.rules)

    def animation(self, seconds: float = 0.7) -> str | None:
        """The solution as an animated SVG picture, with `seconds` for each move; ``None`` without
        a solution, or where the game doesn't say how states are boards."""
        if self.rules is None or self._game is None:
            return None
        title = f"{self._game.name}: {self.length} moves"
        return self._game._game.animation(self.states, self.moves or [], title, seconds)

    def _repr_html_(self) -> str:
        if self.solved:
            said = f"cost {shown(self.cost)}, {shown(self.length)} moves"
            moves = " ".join(self.moves or [])
        else:
            said, moves = self.outcome, self.proof or ""
        picture = self.animation() or ""
        return (
            f"<p><b>{escape(self.algorithm)}</b>: {escape(said)}; {shown(self.generated)} nodes "
            f"generated, {shown(self.expanded)} expanded, {self.seconds:.3f} s</p>"
            f"<p>{escape(moves)}</p>{picture}"
        )


class SearchResults(Table[SearchResult]):
    """What became of several starts."""

    _row = SearchResult
    _columns = (
        "start",
        "algorithm",
        "heuristic",
        "outcome",
        "cost",
        "length",
        "generated",
        "expanded",
        "pruned",
        "heuristic_start",
        "seconds",
    )


@dataclass(frozen=True)
class PlanCheck(Result):
    """What is right and wrong about a plan. It is true if nothing is wrong.

    `verdict` is ``right``, ``optimal``, ``wrong`` or ``no-plan``.
    """

    instance: str
    start: str
    verdict: str
    reaches_goal: bool
    cost: int | None
    length: int | None
    problems: list[str]
    states: list[str] | None = None

    def __bool__(self) -> bool:
        return not self.problems and self.verdict != "no-plan"


@dataclass(frozen=True)
class WrongEstimate(Result):
    """A state whose estimate is too high; ``None`` if it was taken for a dead end."""

    state: str
    estimate: int | None
    cost: int


@dataclass(frozen=True)
class HeuristicCheck(Result):
    """Estimates compared with the least costs of all states. It is true if none is too high."""

    states: int
    solvable: int
    admissible: bool
    consistent: bool
    too_high: int
    inconsistent_steps: int
    worst: WrongEstimate | None
    mean_estimate: float
    mean_cost: float

    def __bool__(self) -> bool:
        return self.admissible

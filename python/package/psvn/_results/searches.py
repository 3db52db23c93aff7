"""Results of searches and checks. Times are in seconds, sizes in bytes."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Any

from .._core.data import Result, Table, shown
from .._psvn import State


@dataclass(frozen=True, repr=False)
class Bound(Result):
    """The counts of one bound of a search that raises it."""

    bound: int
    """The bound, as a cost or a depth."""
    generated: int
    """The nodes that were generated."""
    expanded: int
    """The nodes that were expanded."""
    pruned_by_machine: int
    """The children that a machine left out."""
    pruned_by_cycle: int
    """The children that cycle detection left out."""


class Bounds(Table[Bound]):
    """The counts of each bound."""

    _row = Bound


@dataclass(frozen=True, repr=False)
class Depth(Result):
    """The counts of one depth, all bounds added up."""

    depth: int
    """The depth in moves, from 0."""
    generated: int
    """The nodes that were generated."""
    expanded: int
    """The nodes that were expanded."""
    pruned_by_machine: int
    """The children that a machine left out."""
    pruned_by_cycle: int
    """The children that cycle detection left out."""


class Depths(Table[Depth]):
    """The counts of each depth."""

    _row = Depth


@dataclass(frozen=True, repr=False)
class SearchResult(Result):
    """The outcome of a start. It is true if there is a solution.

    `outcome` is ``solved``, ``no-solution``, ``not-within-depth``, ``not-within-cost``,
    ``not-found``, or the limit that stopped the search: ``nodes``, ``time``, ``memory``, ``disk``.
    `moves` are labels of rules.
    """

    start: str
    """The start state, as text."""
    solved: bool
    """Whether there is a solution."""
    outcome: str
    """See above."""
    cost: int | None
    """The cost of the solution."""
    length: int | None
    """The number of its moves."""
    moves: list[str] | None
    """The labels of its moves."""
    generated: int
    """The nodes that were generated, the root aside."""
    expanded: int
    """The nodes that were expanded."""
    pruned: int
    """The children that were left out."""
    seconds: float
    """The time of the search, in seconds."""
    preparation_seconds: float
    """The time of preparation that no earlier result has, in seconds."""
    generated_per_second: float
    """The nodes that were generated in a second."""
    algorithm: str
    """The algorithm."""
    heuristic: str | None = None
    """The heuristic."""
    heuristic_start: int | None = None
    """The estimate of the start, as a cost."""
    heuristic_reason: str | None = None
    """Why the heuristic was chosen, where it was."""
    admissible: bool | None = None
    """Whether the heuristic never estimates too high, where that is known."""
    proof: str | None = None
    """Why there is no solution, where that was proved without a search."""
    pruned_by_machine: int | None = None
    """The children that a machine left out."""
    bounds: Bounds = field(default_factory=Bounds)
    """The counts of each bound."""
    depths: Depths = field(default_factory=Depths)
    """The counts of each depth, if requested."""
    best_so_far: int | None = None
    """The cost of the best solution that a stopped search had found."""
    cost_at_least: int | None = None
    """What every solution costs at least, where a stopped search has proved that."""
    length_at_least: int | None = None
    """The moves that every solution has at least, where a stopped search has proved that."""
    generated_in_tries: int | None = None
    """The nodes that were generated in tries of heuristics, which aren't counted otherwise."""
    cycles: str | None = None
    """The cycle detection that was used."""
    states_kept: int | None = None
    """The number of states that the search kept."""
    bytes_per_state: float | None = None
    """The bytes of each of them, on average."""
    peak_bytes: int | None = None
    """The most bytes that were held at once."""
    duplicates: int | None = None
    """The number of times that a state was found again."""
    reopened: int | None = None
    """The number of times that a state was expanded again."""
    lookups: int | None = None
    """The entries of tables that were read, if requested by ``count_depths``."""
    lookups_per_node: float | None = None
    """Those for each generated node."""
    bytes_per_node: float | None = None
    """The bytes of memory that a generated node touches, if look-ups were counted."""
    cache_misses: int | None = None
    """The misses of the last of the processor's caches, if requested by ``count_depths`` and
    counted by the processor."""
    cache_misses_per_node: float | None = None
    """Those for each generated node."""
    peak_bytes_on_disk: int | None = None
    """The most bytes of files at once, in a search with a ``disk``."""
    bytes_written: int | None = None
    """The bytes that were written to files."""
    bytes_read: int | None = None
    """The bytes that were read from files."""
    rules: list[int] | None = None
    """The numbers of the rules of the solution, from 0."""
    _game: Any = field(default=None, repr=False)

    def __bool__(self) -> bool:
        return self.solved

    @property
    def states(self) -> list[State]:
        """The states of the path, start and end included; empty without a solution."""
        if self.rules is None or self._game is None:
            return []
        return self._game._path(self.start, self.rules)

    def animation(self, seconds: float = 0.7) -> str | None:
        """Return the solution as an animated SVG picture, with `seconds` for each move. Return
        ``None`` without a solution, or if the game declares no layout of boards."""
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
    """The outcomes of several starts."""

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


@dataclass(frozen=True, repr=False)
class Certified(Result):
    """The verdict on a certificate. It is true if all its claims are proved."""

    file: str
    """The name of the file."""
    starts: list[dict[str, Any]]
    """What it claims of each start: `start` has the number of each variable's value; `claims` has
    ``{"plan-costs": 5}``, ``{"costs-at-least": 5}``, ``"no-plan"`` or ``"machine"``; `least_cost`
    is the least cost, if a plan of that cost is claimed and that no plan costs less."""
    accepted: bool
    """Whether all claims are proved."""
    flaw: str | None
    """The first flaw, where they aren't."""
    states: int
    """The number of states that it lists."""
    table_entries: int
    """The number of entries of its tables of estimates."""

    def __bool__(self) -> bool:
        return self.accepted


@dataclass(frozen=True, repr=False)
class PlanCheck(Result):
    """The check of a plan. It is true if the plan has no mistakes.

    `verdict` is ``right``, ``optimal``, ``wrong`` or ``no-plan``.
    """

    instance: str
    """The name of the instance."""
    start: str
    """The start state, as text."""
    verdict: str
    """See above."""
    reaches_goal: bool
    """Whether the plan ends in a goal state."""
    cost: int | None
    """The cost of the plan, as far as it can be carried out."""
    length: int | None
    """The number of its moves."""
    problems: list[str]
    """The mistakes, each in words."""
    states: list[str] | None = None
    """The states of the path, as text."""

    def __bool__(self) -> bool:
        return not self.problems and self.verdict != "no-plan"


@dataclass(frozen=True, repr=False)
class WrongEstimate(Result):
    """A state whose estimate is too high; ``None`` if it was taken for a dead end."""

    state: str
    """The state, as text."""
    estimate: int | None
    """The estimate; ``None`` for a dead end."""
    cost: int
    """The least cost."""


@dataclass(frozen=True, repr=False)
class HeuristicCheck(Result):
    """Estimates compared with the least costs of all states. It is true if none is too high."""

    states: int
    """The number of states that the start leads to."""
    solvable: int
    """Those from which a goal can be reached."""
    admissible: bool
    """Whether no estimate is too high."""
    consistent: bool
    """Whether goals have the estimate 0, and no move lowers the estimate by more than it costs."""
    too_high: int
    """The number of states whose estimates are too high."""
    inconsistent_steps: int
    """The number of moves that lower an estimate by more than they cost."""
    worst: WrongEstimate | None
    """The state whose estimate is too high by most; ``None`` if there is none."""
    mean_estimate: float
    """The mean of the estimates of solvable states."""
    mean_cost: float
    """The mean of the least costs of solvable states."""

    def __bool__(self) -> bool:
        return self.admissible

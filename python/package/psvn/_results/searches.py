"""Results of searches and checks."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from .._core.data import Result, Table, shown
from .._psvn import State
from .records import CertifiedRecord, PlanRecord, SolveRecord


@dataclass(frozen=True, repr=False, kw_only=True)
class SearchResult(SolveRecord):
    """The outcome of a start. It is true if there is a solution."""

    algorithm: str
    """The algorithm."""
    rules: list[int] | None = None
    """The numbers of the rules of the solution, from 0."""
    _game: Any = None

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


class Certified(CertifiedRecord):
    """The verdict on a certificate. It is true if all its claims are proved."""

    def __bool__(self) -> bool:
        return self.accepted


class PlanCheck(PlanRecord):
    """The check of a plan. It is true if the plan has no mistakes."""

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

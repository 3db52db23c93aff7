"""The results of work on games. Times are in seconds, sizes in bytes, depths in moves."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from ._data import Result, Table, html_table, shown
from ._psvn import State

if TYPE_CHECKING:
    from ._machine import Machine


@dataclass(frozen=True)
class Domain(Result):
    """A domain: a name, and the names of its values."""

    name: str
    size: int
    values: list[str]


@dataclass(frozen=True)
class Rule(Result):
    """A rule in canonical form. Position i of `preconditions` and `actions` is a value, or ``xj``:
    the value that variable j has before."""

    number: int
    name: str
    label: str
    source_rule: int
    cost: int
    preconditions: list[str]
    actions: list[str]
    rule: str
    one_to_one: bool
    inverse: str | None
    duplicate_of: str | None


class Rules(Table[Rule]):
    """The rules of a game, in their order."""

    _row = Rule
    _columns = ("number", "name", "cost", "rule", "inverse", "duplicate_of")


@dataclass(frozen=True)
class Composition(Result):
    """The macro-rule of a sequence of rules.

    `valid` says whether the sequence can be carried out from some state, and `reason` why not.
    """

    word: list[str]
    valid: bool
    reason: str | None = None
    rule: str | None = None
    cost: int | None = None
    trace: list[dict] | None = None


@dataclass(frozen=True)
class Explanation(Result):
    """Why a sequence is redundant, impossible, or neither.

    `verdict` is ``impossible``, ``redundant``, ``contains-redundant``, ``not-redundant`` or
    ``unknown``; `certificate` has what replaces the redundant part, and why.
    """

    word: list[str]
    verdict: str
    reason: str | None
    cost: int | None
    rule: str | None
    certificate: dict | None
    nearest: dict | None
    analyzed_length: int


@dataclass(frozen=True)
class Level(Result):
    """What an analysis found at one length of sequences."""

    length: int
    composed: int
    invalid: int
    unreachable: int
    redundant: int
    kept: int
    seconds: float
    bytes: int


class Levels(Table[Level]):
    """The figures of an analysis by length, from 1."""

    _row = Level


@dataclass(frozen=True)
class Analysis(Result):
    """Which sequences of rules are redundant. `machine` forbids them."""

    rules: int
    variables: int
    max_length: int
    order: str
    levels: Levels
    redundant_words: int
    branching_factor: float | None
    assumed_invariants: list[str]
    seconds: float
    from_cache: bool
    complete: bool
    stopped: str | None
    fsm: dict
    _machine: Any = field(default=None, repr=False)

    @property
    def machine(self) -> Machine:
        """The machine that forbids what is redundant.

        Raises:
            LimitError: If it was too large to be built.
        """
        if self._machine is None:
            from ._errors import LimitError

            raise LimitError("the machine is too large to be built")
        return self._machine

    def _repr_html_(self) -> str:
        growth = "" if self.branching_factor is None else f", {self.branching_factor:.4f} branches"
        return (
            f"<p>{self.redundant_words:,} redundant sequences of up to {self.max_length} rules"
            f"{growth}</p>{self.levels._repr_html_()}"
        )


@dataclass(frozen=True)
class RedundantWord(Result):
    """A redundant sequence, and what replaces it."""

    number: int
    word: list[str]
    cost: int | None
    rule: str | None
    replaced_by: list[dict]
    implied: list[str]
    invariants: list[str]

    @property
    def replacement(self) -> str:
        """The sequences that replace it, as text."""
        words = (" ".join(it["word"]) or "(nothing)" for it in self.replaced_by)
        return " or ".join(words)


class RedundantWords(Table[RedundantWord]):
    """Redundant sequences, with what replaces them."""

    _row = RedundantWord
    _columns = ("number", "word", "replacement", "cost", "rule")


@dataclass(frozen=True)
class MachineDescription(Result):
    """What a machine is. `kind` and `form` say how it was made and is stored."""

    letters: str
    rules: int
    alphabet: int
    kind: str | None
    form: str
    max_length: int
    order: str
    assumed_invariants: list[str]
    redundant_words: int
    redundant_by_length: list[int]
    states: int
    bytes: int
    branching_factor: float | None


@dataclass(frozen=True)
class Verification(Result):
    """What became of proving again all that a machine claims. It is true if all is proved."""

    valid: bool
    letters: str
    certificates: int
    failed: int
    failures: list[dict]
    machine_valid: bool
    states: int
    max_length: int
    longest_word: int
    assumed_invariants: list[str]

    def __bool__(self) -> bool:
        return self.valid


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
    ``not-found``, or what stopped the search: ``nodes``, ``time``, ``memory``. `moves` are labels of
    rules.
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

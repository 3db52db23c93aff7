"""Options as the library takes them: names with values as text.

`SearchOptions` and `AnalysisOptions` name them for editors and type checkers. At run time, options
are any keyword arguments, and the library refuses those that it doesn't know.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

from .errors import UsageError

if TYPE_CHECKING:
    from .._parts.machine import Machine

#: A time: seconds, or text such as ``"2min"``.
Seconds = Union[float, str]

#: A size: bytes, or text such as ``"2GiB"``.
Bytes = Union[int, str]


class SearchOptions(TypedDict, total=False):
    """The options of a search, beside the algorithm and the heuristic."""

    prune: int | str | os.PathLike[str] | Machine
    """``"none"``, ``"parent"``, a length, ``"auto"``, a machine or its file."""
    depth: int
    """The greatest depth, in moves."""
    weight: float | str
    """The factor of the estimate."""
    growth: float | str
    """The factor by which IDA* with controlled bounds expands more nodes with each bound."""
    cost_bound: int
    """The first bound of branch and bound."""
    ties: str
    """The order of open nodes with the same score."""
    perimeter: int
    """The cost within which states around the goals are found before the search."""
    table: Bytes
    """The transposition table: ``"none"``, or its size in bytes."""
    split: Literal["none", "auto", "all"]
    """Which rules are split by values."""
    cycles: Literal["none", "parent", "path"]
    """Which nodes are left out because they repeat a state."""
    count_depths: bool
    """Whether nodes are counted by depth."""
    heuristic_memory: Bytes
    """The most bytes of tables."""
    mirrored: int
    """The images of a state under symmetries for which tables are looked up as well."""
    duals: bool
    """Whether tables are looked up for duals of states."""
    symmetries: bool
    """Whether one state stands for all its images."""
    width: int
    """The most states that a beam keeps of each layer."""
    all: int
    """The most solutions of least cost that are listed; all of them are found and counted."""
    disk: str | os.PathLike[str]
    """A folder for states that don't fit in memory."""
    disk_memory: Bytes
    """The most bytes of files there."""
    nodes: int
    """The most nodes that are generated."""
    time: Seconds
    """The most time."""
    memory: Bytes
    """The most bytes for states."""
    search_anyway: bool
    """Whether a start that is proved to have no solution is searched nevertheless."""
    batch: int
    """For heuristics that are functions: the nodes that are expanded before estimates are
    requested."""


class AnalysisOptions(TypedDict, total=False):
    """The options of an analysis, beside the greatest length."""

    order: str
    """The order of sequences: ``"length-lexicographic"`` or ``"cost-length-lexicographic"``."""
    rule_order: str
    """The order in which rules are compared."""
    invariants: Literal["goal", "start", "none"]
    """The states whose invariants are assumed."""
    start: str
    """The state that they hold in, for ``invariants="start"``, as text."""
    instances: str | os.PathLike[str]
    """A file of such states."""
    letters: Literal["rules", "labels"]
    """The letters of sequences."""
    operator_order: str
    """The order in which labels are compared, with commas between them."""
    method: str
    """How redundant sequences are found."""
    generic_start: str
    """The state to which the learner applies operators."""
    machine: str
    """The kind of machine that is built."""
    sleep_sets: bool
    """Whether the machine is multiplied with that of sleep sets."""
    dont_cares: bool
    """Whether impossible successions are don't-cares."""
    search_for: str
    """The aim of searches: all states, or a goal."""
    split: Literal["none", "auto", "all"]
    """Which rules are split by values."""
    time: Seconds
    """The most time."""
    memory: Bytes
    """The most bytes."""


def text(value: Any) -> str | None:
    """A value as text; ``None`` stays."""
    if value is None:
        return None
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (list, tuple)):
        return ",".join(str(item) for item in value)
    return str(value)


#: The options that are sizes in bytes.
_SIZES = frozenset(["memory", "heuristic_memory", "disk_memory", "table"])


def size(value: Any) -> str | None:
    """A size as text: a number means bytes."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return f"{value}B" if is_number else text(value)


def natural(name: str, value: int | None) -> int | None:
    """A whole number from 0 on; ``None`` stays."""
    if value is None:
        return None
    try:
        number = value.__index__()
    except AttributeError:
        number = -1
    if not 0 <= number < 2**64:
        raise UsageError(f"`{name}` is a whole number from 0 on, and this is {value!r}")
    return number


def pairs(options: dict[str, Any]) -> list[tuple[str, str]]:
    """Options that are given, each with its value as text."""
    texts = (
        (name, size(value) if name in _SIZES else text(value)) for name, value in options.items()
    )
    return [(name, value) for name, value in texts if value is not None]

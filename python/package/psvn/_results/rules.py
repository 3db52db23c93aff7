"""What is found out about rules: what they are, which sequences are redundant, machines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .._core.data import Result, Table
from .._core.errors import LimitError

if TYPE_CHECKING:
    from .._parts.machine import Machine


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

"""Results about rules: rules themselves, redundant sequences, machines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .._core.data import Result, Table
from .._core.errors import LimitError

if TYPE_CHECKING:
    from .._parts.machine import Machine


@dataclass(frozen=True, repr=False)
class Domain(Result):
    """A domain: a name, and the names of its values."""

    name: str
    """Its name."""
    size: int
    """The number of its values."""
    values: list[str]
    """The names of its values, in the order of their numbers, from 0."""


@dataclass(frozen=True, repr=False)
class Rule(Result):
    """A rule in canonical form. Position i of `preconditions` and `actions` is a value, or ``xj``:
    the value that variable j has before."""

    number: int
    """Its number, from 1, as in ``rule_N``."""
    name: str
    """Its name, such as ``LABEL#2``."""
    label: str
    """The label."""
    source_rule: int
    """The number of the rule of the text that it comes from, from 1."""
    cost: int
    """Its cost."""
    preconditions: list[str]
    """The precondition on each variable: a value, or ``xj``. One entry for each variable."""
    actions: list[str]
    """The value that each variable gets. One entry for each variable."""
    rule: str
    """The rule as text."""
    one_to_one: bool
    """Whether different states lead to different states."""
    inverse: str | None
    """The name of the rule that undoes it; ``None`` if there is none."""
    duplicate_of: str | None
    """The name of an earlier rule that is the same; ``None`` if there is none."""


class Rules(Table[Rule]):
    """The rules of a game, in their order."""

    _row = Rule
    _columns = ("number", "name", "cost", "rule", "inverse", "duplicate_of")


@dataclass(frozen=True, repr=False)
class Composition(Result):
    """The macro-rule of a sequence of rules.

    `valid` says whether the sequence can be carried out from some state, and `reason` why not.
    """

    word: list[str]
    """The names of the rules."""
    valid: bool
    """Whether some state admits the sequence."""
    reason: str | None = None
    """Why none does; ``None`` otherwise."""
    rule: str | None = None
    """The macro-rule as text."""
    cost: int | None = None
    """The cost of the sequence."""
    trace: list[dict] | None = None
    """The steps of the composition, if requested."""


@dataclass(frozen=True, repr=False)
class Explanation(Result):
    """Why a sequence is redundant, impossible, or neither.

    `verdict` is ``impossible``, ``redundant``, ``contains-redundant``, ``not-redundant`` or
    ``unknown``; `certificate` has the replacement of the redundant part, and the reason.
    """

    word: list[str]
    """The names of the rules."""
    verdict: str
    """See above."""
    reason: str | None
    """Why it is impossible; ``None`` otherwise."""
    cost: int | None
    """The cost of the sequence."""
    rule: str | None
    """The macro-rule as text."""
    certificate: dict | None
    """The replacement of the redundant part, and the reason."""
    nearest: dict | None
    """The sequence that comes nearest to a replacement, where there is none."""
    analyzed_length: int
    """The length up to which sequences were compared, in rules."""


@dataclass(frozen=True, repr=False)
class Level(Result):
    """The figures of an analysis at one length of sequences."""

    length: int
    """The length of the sequences, in rules."""
    composed: int
    """The number of composed sequences."""
    impossible: int
    """Those that can't be carried out."""
    unreachable: int
    """Those of them that only the assumed invariants exclude."""
    redundant: int
    """Those that are redundant."""
    kept: int
    """Those that are kept."""
    seconds: float
    """The time of this length, in seconds."""
    bytes: int
    """The bytes that were held at its end."""


class Levels(Table[Level]):
    """The figures of an analysis by length, from 1."""

    _row = Level


@dataclass(frozen=True, repr=False)
class Analysis(Result):
    """Which sequences of rules are redundant. `machine` forbids them."""

    rules: int
    """The number of rules."""
    variables: int
    """The number of variables."""
    max_length: int
    """The length up to which it is complete, in rules."""
    order: str
    """The name of the order of sequences."""
    levels: Levels
    """The figures of each length, from 1."""
    redundant_words: int
    """The number of redundant sequences."""
    branching_factor: float | None
    """The remaining asymptotic branching factor; ``None`` where the machine is too large."""
    assumed_invariants: list[str]
    """The assumptions about states, one invariant a line."""
    seconds: float
    """The time that it took, in seconds."""
    from_cache: bool
    """Whether an earlier analysis found this."""
    complete: bool
    """Whether no limit stopped it."""
    stopped: str | None
    """The limit that stopped it: ``time``, ``memory``, or ``None``."""
    fsm: dict
    """The sizes of the machines, in states and bytes."""
    _machine: Any = field(default=None, repr=False)

    @property
    def machine(self) -> Machine:
        """The machine that forbids the redundant sequences.

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


@dataclass(frozen=True, repr=False)
class RedundantWord(Result):
    """A redundant sequence and its replacement."""

    number: int
    """Its number, from 1."""
    word: list[str]
    """The names of the rules."""
    cost: int | None
    """Its cost."""
    rule: str | None
    """Its macro-rule as text."""
    replaced_by: list[dict]
    """The sequences that replace it, each with its certificate."""
    implied: list[str]
    """Values that invariants imply beside its preconditions, where the replacement needs them."""
    invariants: list[str]
    """The invariants that imply these."""

    @property
    def replacement(self) -> str:
        """The sequences that replace it, as text."""
        words = (" ".join(it["word"]) or "(nothing)" for it in self.replaced_by)
        return " or ".join(words)


class RedundantWords(Table[RedundantWord]):
    """Redundant sequences, with their replacements."""

    _row = RedundantWord
    _columns = ("number", "word", "replacement", "cost", "rule")


@dataclass(frozen=True, repr=False)
class MachineDescription(Result):
    """The description of a machine. `kind` and `form` say how it was made and is stored."""

    letters: str
    """The letters of sequences: ``rules``, ``operators``, or ``parts`` of rules."""
    rules: int
    """The number of rules."""
    alphabet: int
    """The number of letters."""
    kind: str | None
    """How it was made."""
    form: str
    """How it is stored."""
    max_length: int
    """The length of the longest sequences that were compared, in letters."""
    order: str
    """The name of the order of sequences."""
    assumed_invariants: list[str]
    """Its assumptions about states, one invariant a line."""
    redundant_words: int
    """The number of redundant sequences."""
    redundant_by_length: list[int]
    """The same by length, from 1."""
    states: int
    """The number of states."""
    bytes: int
    """Its size in bytes."""
    branching_factor: float | None
    """The asymptotic branching factor of the sequences that it allows."""


@dataclass(frozen=True, repr=False)
class Verification(Result):
    """The result of proving all claims of a machine again. It is true if all is proved."""

    valid: bool
    """Whether all is proved."""
    letters: str
    """The letters of sequences: ``rules`` or ``labels``."""
    certificates: int
    """The number of certificates."""
    failed: int
    """Those that are not proved."""
    failures: list[dict]
    """Their errors."""
    machine_valid: bool
    """Whether the machine forbids exactly the proved sequences."""
    states: int
    """The number of its states."""
    max_length: int
    """The length of the longest sequences that were compared, in letters."""
    longest_word: int
    """The length of the longest redundant sequence, in letters."""
    assumed_invariants: list[str]
    """Its assumptions about states, one invariant a line."""

    def __bool__(self) -> bool:
        return self.valid

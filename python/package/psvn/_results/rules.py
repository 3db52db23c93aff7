"""Results about rules: rules themselves, redundant sequences, machines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .._core.data import Table
from .._core.errors import LimitError
from .records import AnalysisRecord, RedundantRecord, VerificationRecord

if TYPE_CHECKING:
    from .._parts.machine import Machine


@dataclass(frozen=True, repr=False, kw_only=True)
class Analysis(AnalysisRecord):
    """Which sequences of rules are redundant. `machine` forbids them."""

    _machine: Any = None

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


class RedundantWord(RedundantRecord):
    """A redundant sequence and its replacement."""

    @property
    def replacement(self) -> str:
        """The sequences that replace it, as text."""
        words = (" ".join(it["word"]) or "(nothing)" for it in self.replaced_by)
        return " or ".join(words)


class RedundantWords(Table[RedundantWord]):
    """Redundant sequences, with their replacements."""

    _row = RedundantWord
    _columns = ("number", "word", "replacement", "cost", "rule")


class Verification(VerificationRecord):
    """The result of proving all claims of a machine again. It is true if all is proved."""

    def __bool__(self) -> bool:
        return self.valid

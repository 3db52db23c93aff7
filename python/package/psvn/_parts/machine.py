"""Machines, which forbid redundant sequences of rules."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from .. import _psvn
from .._core.data import html_table, of_data
from .._core.options import natural
from .._results.records import MachineDescription
from .._results.rules import RedundantWords, Verification

if TYPE_CHECKING:
    from .._games.base import OpenedGame

#: Larger machines are described in notebooks, but not drawn.
_MOST_DRAWN = 40


class Machine:
    """A machine that reads rules and rejects redundant sequences.

    `Game.analyze` makes machines, and `Machine.load` reads their files. States are numbers.
    """

    def __init__(self, game: OpenedGame, machine: _psvn.Machine) -> None:
        self._game = game
        self._machine = machine

    @classmethod
    def load(cls, game: OpenedGame, path: str | os.PathLike[str]) -> Machine:
        """Read a machine file that was made for a game.

        Raises:
            InputError: If it can't be read, is damaged, or belongs to another game.
        """
        return cls(game, _psvn.Machine.load(game._env, game._game, os.fspath(path)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a machine file, as a whole or not at all."""
        self._machine.save(os.fspath(path))

    @property
    def start(self) -> int:
        """The state before the first rule."""
        return self._machine.start

    @property
    def n_states(self) -> int:
        """The number of states, without the one that rejects."""
        return self._machine.n_states

    @property
    def n_words(self) -> int:
        """The number of redundant sequences that it was made from."""
        return self._machine.n_words

    @property
    def max_length(self) -> int:
        """The length of the longest sequences that were compared, in rules."""
        return self._machine.max_length

    def step(self, state: int, rule: str | int) -> int | None:
        """Return the state after one more rule; ``None`` if the sequence is forbidden. The rule is
        given by its name or its number from 0."""
        number = rule if isinstance(rule, int) else self._game._game.rule_number(rule)
        return self._machine.step(state, number)

    def accepts(self, rules: Iterable[str | int]) -> bool:
        """Return whether a sequence is allowed."""
        state = self.start
        for rule in rules:
            after = self.step(state, rule)
            if after is None:
                return False
            state = after
        return True

    def words(self, most: int = 10_000) -> RedundantWords:
        """Return the first `most` redundant sequences, with their replacements."""
        return RedundantWords._of(json.loads(self._machine.words(natural("most", most))))

    def describe(self) -> MachineDescription:
        """Describe the machine, with its size and the growth of allowed sequences."""
        return of_data(MachineDescription, json.loads(self._machine.describe(self._game._env)))

    def verify(self) -> Verification:
        """Prove all claims of the machine again, with independent code."""
        found = self._of_file(_psvn.Machine.verify)
        return of_data(Verification, json.loads(found))

    def certificate(self) -> str:
        """Return what the machine claims as a certificate, the text of a file that
        :func:`psvn.certify` and the checker that is proved correct read.

        Raises:
            InputError: If certificates have no place for some of it, such as sleep sets.
        """
        return self._of_file(_psvn.Machine.certificate)

    def _of_file(self, find: Callable[[_psvn.Environment, _psvn.Game, str], str]) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "machine.fsm"
            self.save(path)
            return find(self._game._env, self._game._game, os.fspath(path))

    def svg(self) -> str:
        """Return the states and the arrows between them as SVG.

        Raises:
            LimitError: If there are too many states for a picture.
        """
        return self._machine.svg()

    def __repr__(self) -> str:
        return (
            f"<Machine of {self._game.name}: {self.n_states} states, {self.n_words} redundant "
            f"sequences up to length {self.max_length}>"
        )

    def _repr_html_(self) -> str:
        about = self.describe()
        rows = [
            ("states", about.states),
            ("redundant sequences", about.redundant_words),
            ("longest compared", about.max_length),
            ("branching factor", about.branching_factor),
            ("bytes", about.bytes),
        ]
        picture = self.svg() if self.n_states <= _MOST_DRAWN else ""
        return html_table(["machine", self._game.name], rows) + picture

"""Opening games; their variables, rules and states."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Union

from .. import _psvn
from .._core.data import of_data
from .._core.environment import Environment, default
from .._core.errors import Flaw, UsageError
from .._core.options import natural
from .._psvn import State
from .._results.records import Domain, Rule, Rules

if TYPE_CHECKING:
    from typing_extensions import Self

#: The forms of a state: a state, its text, or the names of its values in order.
StateLike = Union[State, str, Sequence[Any]]


def builtin_games() -> dict[str, str]:
    """Return the games that come with the package: a reference for `Game.builtin` of each, such as
    ``"topspin:14:3"``, with its description."""
    return dict(_psvn.builtin_games())


class OpenedGame:
    """A game, with its variables, rules and states."""

    def __init__(self, game: _psvn.Game, env: Environment) -> None:
        self._game = game
        self._environment = env
        self._rules: Rules | None = None

    @property
    def _env(self) -> _psvn.Environment:
        return self._environment._env

    @classmethod
    def open(cls, path: str | os.PathLike[str], env: Environment | None = None) -> Self:
        """Read a file of PSVN.

        Raises:
            TextError: If the text has errors, with their places.
            InputError: If the file can't be read.
        """
        env = env or default()
        return cls(_psvn.Game.open(env._env, os.fspath(path)), env)

    @classmethod
    def builtin(cls, reference: str, env: Environment | None = None) -> Self:
        """Open a game that comes with the toolkit, such as ``"topspin:14:3"``."""
        env = env or default()
        return cls(_psvn.Game.built_in(env._env, reference), env)

    @classmethod
    def parse(cls, text: str, name: str = "game", env: Environment | None = None) -> Self:
        """Read a game from a text. Messages call it `name`.

        Raises:
            TextError: If the text has errors, with their places.
        """
        env = env or default()
        return cls(_psvn.Game.parse(env._env, text, name), env)

    @property
    def name(self) -> str:
        """The name of its file, or ``gen:`` and the reference of a built-in game."""
        return self._game.name

    @property
    def text(self) -> str:
        """The game as PSVN."""
        return self._game.text

    @property
    def hash(self) -> str:
        """The hash of its content, which comments and layout don't change."""
        return self._game.hash

    @property
    def warnings(self) -> list[Flaw]:
        """What is suspicious about its text: valid rules that probably weren't intended. The most
        important warning comes first."""
        found = json.loads(self._game.findings(self._env))
        return [of_data(Flaw, it) for it in found]

    @property
    def n_variables(self) -> int:
        """The number of variables."""
        return self._game.n_variables

    @property
    def n_rules(self) -> int:
        """The number of rules."""
        return self._game.n_rules

    @property
    def variables(self) -> list[str]:
        """The names of the variables: those that a comment ``# variables:`` lists, or x1, x2..."""
        found = re.search(r"^\s*#\s*variables:(.*)$", self.text, re.MULTILINE)
        names = found.group(1).split() if found else []
        numbered = [f"x{number}" for number in range(1, self.n_variables + 1)]
        return names if len(names) == self.n_variables else numbered

    def describe(self) -> dict[str, Any]:
        """Return the description of the game as data: domains, rules, goals, invariants."""
        return json.loads(self._game.describe())

    @property
    def domains(self) -> list[Domain]:
        """Its domains."""
        return [of_data(Domain, it) for it in self.describe()["domains"]]

    @property
    def rules(self) -> Rules:
        """Its rules, in canonical form."""
        if self._rules is None:
            self._rules = Rules(of_data(Rule, it) for it in self.describe()["rules"])
        return self._rules

    @property
    def goal(self) -> State | None:
        """The goal state; ``None`` where there isn't exactly one."""
        return self._game.goal_state()

    def backward(self) -> Self:
        """Return the game with its rules run backward."""
        return type(self)(self._game.backward(), self._environment)

    def varied(
        self,
        goals: str | Sequence[str] = (),
        rules: Sequence[str] = (),
        goal_symmetries: str | None = None,
    ) -> Self:
        """Return the game with other goals, or with only some of its rules.

        Args:
            goals: Goals in place of those of the game, of which one is to be reached: values in
                order, ``-`` for any value.
            rules: The labels of the rules that stay; without any, all rules do.
            goal_symmetries: ``positions``, ``values`` or ``all``: the images of the goals count
                too, under all symmetries of the rules that map positions, as turns of a board do,
                or values, as other names do, or both.
        """
        goals = [goals] if isinstance(goals, str) else list(goals)
        game = self._game.varied(goals, list(rules), goal_symmetries)
        return type(self)(game, self._environment)

    def state(self, state: StateLike) -> State:
        """Make a state from its text, such as ``"2 1 0"``, or from the names of its values."""
        if isinstance(state, State):
            if len(state) != self.n_variables:
                raise UsageError(f"{state!r} isn't a state of {self.name}")
            return state
        if not isinstance(state, str):
            state = " ".join(str(value) for value in state)
        return self._game.state(state)

    def states_matching(self, pattern: str) -> list[State]:
        """Return the states that match a pattern, which has ``-`` for any value. Only those count
        that have the invariants of the goals, such as that each tile is somewhere."""
        return self._game.states_matching(self._env, pattern)

    def scramble(self, moves: str) -> State:
        """Return the state to which moves such as ``"R U2 F'"`` lead from the goal. If the goal
        isn't one state, they begin at the start that the text declares. A move is a label or an
        alias; a number after any other name repeats the move, and ``'`` undoes it."""
        return self._game.scramble(moves)

    def instances(
        self, path: str | os.PathLike[str], format: str = "auto"
    ) -> list[tuple[str, State, int | None]]:
        """Read the instances of a file: for each one its name, its state, and its known least cost.

        Args:
            path: A file with a line ``NAME: STATE = COST`` for each instance, of which only the
                state is required; or a name such as ``"gen:korf15"``.
            format: ``"auto"``, ``"plain"``, ``"korf"``, or ``"scrambles"``, with moves from the
                goal in place of states.

        Raises:
            TextError: If a line is no instance, with its place.
        """
        found = self._game.instances(self._env, os.fspath(path), format)
        return [(name, state, None if cost is None else int(cost)) for name, state, cost in found]

    def state_of_codes(self, codes: Iterable[int]) -> State:
        """Make a state from the numbers of its values, each in its variable's domain, from 0. A row
        of an array of states has this form."""
        return self._game.state_of_codes([natural("codes", code) for code in codes])

    def array(self, states: Iterable[StateLike]) -> Any:
        """Return states as a NumPy array of shape ``(states, variables)``. Entries are the numbers
        of values. The array shares its memory with the library, and is read-only."""
        import numpy

        return numpy.asarray(_psvn.StateBlock(self._game, [self.state(it) for it in states]))

    def applicable(self, state: StateLike) -> list[str]:
        """Return the names of the rules that apply to a state."""
        return [self.rules[it].name for it in self._game.applicable(self.state(state))]

    def apply(self, state: StateLike, rule: str | int) -> State | None:
        """Return the state that a rule leads to; ``None`` if the rule doesn't apply. The rule is
        given by its name, its number from 0, or a label; of the rules with this label, only one
        may apply."""
        if isinstance(rule, str):
            return self._game.apply_named(self.state(state), rule)
        return self._game.apply(self.state(state), natural("rule", rule))

    def successors(self, state: StateLike) -> list[tuple[str, State]]:
        """Return the rules that apply to a state, each with the state that it leads to."""
        start = self.state(state)
        numbers = self._game.applicable(start)
        reached = ((number, self._game.apply(start, number)) for number in numbers)
        return [(self.rules[number].name, to) for number, to in reached if to is not None]

    def is_goal(self, state: StateLike) -> bool:
        """Return whether a state is a goal state."""
        return self._game.is_goal(self.state(state))

    def random_states(
        self,
        count: int,
        steps: int,
        start: StateLike | None = None,
        *,
        backward: bool = True,
    ) -> list[State]:
        """Return different ends of random walks, the same ones for each seed of the environment.

        Args:
            count: The number of states.
            steps: The moves of each walk.
            start: The start of the walks; by default a goal state.
            backward: Whether rules are run backward, so that each end has a solution.
        """
        begin = None if start is None else self.state(start)
        n_states, n_steps = natural("count", count), natural("steps", steps)
        return self._game.random_states(self._env, n_states, n_steps, begin, backward)

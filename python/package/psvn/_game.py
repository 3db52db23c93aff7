"""Games: opening them, and what can be done with them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any, Union

from . import _psvn
from ._data import html_table, of_data
from ._environment import Environment, default
from ._errors import UsageError
from ._heuristics import for_blocks, name_of
from ._machine import Machine
from ._options import pairs, text
from ._psvn import State
from ._results import (
    Analysis,
    Composition,
    Domain,
    Explanation,
    Exploration,
    HeuristicCheck,
    PlanCheck,
    Rule,
    Rules,
    SearchResult,
    SearchResults,
    TreeCount,
)
from ._tables import Heuristic, PatternDatabase, named

#: What stands for a state: a state, its text, or the names of its values in order.
StateLike = Union[State, str, Sequence[Any]]

#: What a search estimates by: a name such as ``"manhattan"``, patterns such as ``"keep 0-4"``,
#: ``"auto"``, a heuristic that is ready, or a function.
HeuristicLike = Union[str, Heuristic, Callable[..., Any]]

#: The nodes that are expanded before a heuristic for many states is asked.
_BATCH = 4096


class Game:
    """A game: domains, variables, rules, and goals.

    Make one by `Game.open`, `Game.builtin`, `Game.parse`, or a `GameBuilder`.

    Example:
        >>> game = psvn.Game.builtin("sliding-tiles:3:3")
        >>> game.solve("8 7 6 5 4 3 2 1 0", heuristic="manhattan").cost
        28
    """

    def __init__(self, game: _psvn.Game, env: Environment) -> None:
        self._game = game
        self._environment = env
        self._rules: Rules | None = None

    @property
    def _env(self) -> _psvn.Environment:
        return self._environment._env

    @classmethod
    def open(cls, path: str | os.PathLike[str], env: Environment | None = None) -> Game:
        """Read a file of PSVN.

        Raises:
            TextError: If the text has errors, with their places.
            InputError: If the file can't be read.
        """
        env = env or default()
        return cls(_psvn.Game.open(env._env, os.fspath(path)), env)

    @classmethod
    def builtin(cls, reference: str, env: Environment | None = None) -> Game:
        """A game that comes with the toolkit, such as ``"topspin:14:3"``."""
        env = env or default()
        return cls(_psvn.Game.built_in(env._env, reference), env)

    @classmethod
    def parse(cls, text: str, name: str = "game", env: Environment | None = None) -> Game:
        """The game that a text describes; messages call it by `name`.

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
        """The hash of its content. Comments and layout don't matter for it."""
        return self._game.hash

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
        """The names of the variables: those that a comment ``# variables:`` lists, or x1, x2, ..."""
        found = re.search(r"^\s*#\s*variables:(.*)$", self.text, re.MULTILINE)
        names = found.group(1).split() if found else []
        numbered = [f"x{number}" for number in range(1, self.n_variables + 1)]
        return names if len(names) == self.n_variables else numbered

    def describe(self) -> dict[str, Any]:
        """What the game is, as data: domains, rules, goals, invariants."""
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

    def backward(self) -> Game:
        """The game with its rules run backward."""
        return Game(self._game.backward(), self._environment)

    def state(self, state: StateLike) -> State:
        """A state from its text, such as ``"2 1 0"``, or from the names of its values in order."""
        if isinstance(state, State):
            if len(state) != self.n_variables:
                raise UsageError(f"{state!r} is no state of {self.name}")
            return state
        if not isinstance(state, str):
            state = " ".join(str(value) for value in state)
        return self._game.state(state)

    def state_of_codes(self, codes: Iterable[int]) -> State:
        """The state whose values have these numbers, each in its variable's domain, from 0. A row
        of an array of states is such codes."""
        return self._game.state_of_codes([int(code) for code in codes])

    def array(self, states: Iterable[StateLike]) -> Any:
        """States as a NumPy array of shape ``(states, variables)``, whose entries are the numbers of
        values. It shares its memory with the library, and is read-only."""
        import numpy

        return numpy.asarray(_psvn.StateBlock(self._game, [self.state(it) for it in states]))

    def applicable(self, state: StateLike) -> list[str]:
        """The names of the rules that apply to a state."""
        return [self.rules[it].name for it in self._game.applicable(self.state(state))]

    def apply(self, state: StateLike, rule: str | int) -> State | None:
        """The state that a rule leads to, given by its name or its number from 0; ``None`` where it
        doesn't apply."""
        number = rule if isinstance(rule, int) else self._game.rule_number(rule)
        return self._game.apply(self.state(state), number)

    def successors(self, state: StateLike) -> list[tuple[str, State]]:
        """The rules that apply to a state, each with the state that it leads to."""
        start = self.state(state)
        numbers = self._game.applicable(start)
        reached = ((number, self._game.apply(start, number)) for number in numbers)
        return [(self.rules[number].name, to) for number, to in reached if to is not None]

    def is_goal(self, state: StateLike) -> bool:
        """Whether a state is a goal state."""
        return self._game.is_goal(self.state(state))

    def random_states(
        self,
        count: int,
        steps: int,
        start: StateLike | None = None,
        *,
        backward: bool = True,
    ) -> list[State]:
        """Different ends of random walks, always the same ones for the seed of the environment.

        Args:
            count: How many.
            steps: The moves of each walk.
            start: Where walks begin; at a goal unless given.
            backward: Whether rules are run backward, so that each end has a solution.
        """
        begin = None if start is None else self.state(start)
        return self._game.random_states(self._env, count, steps, begin, backward)

    def compose(self, *rules: str, trace: bool = False) -> Composition:
        """The macro-rule of a sequence of rules, given by their names."""
        return of_data(Composition, json.loads(self._game.compose(list(rules), trace)))

    def explain(self, *rules: str, time: float | str | None = None) -> Explanation:
        """Why a sequence of rules is redundant, impossible, or neither."""
        found = self._game.explain(self._env, list(rules), text(time))
        return of_data(Explanation, json.loads(found))

    def analyze(self, max_length: int | str = 2, **options: Any) -> Analysis:
        """Find which sequences of rules are redundant, and the machine that forbids them.

        Args:
            max_length: The length of the longest sequences that are compared, in rules, or
                ``"auto"``.
            options: ``order``, ``rule_order``, ``invariants``, ``start``, ``letters``, ``machine``,
                ``sleep_sets``, ``dont_cares``, ``split``, ``time`` (seconds) and ``memory``
                (bytes), as `psvn analyze` takes them.
        """
        settings = pairs({"max_length": max_length, **options})
        report, machine = self._game.analyze(self._env, settings)
        own = None if machine is None else Machine(self, machine)
        return of_data(Analysis, json.loads(report), _machine=own)

    def count_tree(
        self,
        depth: int,
        start: StateLike | None = None,
        *,
        lengths: Iterable[int] = (0,),
        parents: bool = False,
        cycles: bool = False,
        machines: Iterable[str | os.PathLike[str]] = (),
        within_invariants: bool = True,
        nodes: int | None = None,
        time: float | str | None = None,
    ) -> TreeCount:
        """Count the nodes of a search tree by depth.

        Args:
            depth: The depth that is counted to, in moves.
            start: The state at the root; the goal state unless given.
            lengths: A column for each: redundant sequences up to that length are left out. 0 leaves
                nothing out.
            parents: Whether there is a column without nodes that equal their grandparent.
            cycles: Whether there is a column without nodes that equal a node on their path.
            machines: A column for each machine file.
            within_invariants: Whether sequences are compared within the invariants of the root;
                else in all states, as published counts are made.
            nodes: The most nodes of each column.
            time: The most time of the analysis, and of each column.
        """
        report, missing = self._game.count_tree(
            self._env,
            depth,
            None if start is None else self.state(start),
            list(lengths),
            parents,
            cycles,
            [os.fspath(path) for path in machines],
            within_invariants,
            nodes,
            text(time),
        )
        for message in missing:
            self._env_warn(message)
        return of_data(TreeCount, json.loads(report))

    def draw_tree(
        self,
        depth: int,
        start: StateLike | None = None,
        *,
        length: int | None = None,
        parents: bool = False,
        machine: str | os.PathLike[str] | None = None,
    ) -> Picture:
        """Draw a search tree, with what is left out and why."""
        root = None if start is None else self.state(start)
        file = None if machine is None else os.fspath(machine)
        svg = self._game.tree_svg(self._env, depth, root, length, parents, file)
        return Picture(svg)

    def draw_search(self, start: StateLike, algorithm: str = "astar", **options: Any) -> Picture:
        """Draw the states that a search made, with their scores and the order of expansion."""
        searcher = self._searcher([self.state(start)], {"algorithm": algorithm, **options})
        return Picture(searcher.tree_svg(self._env))

    def _searcher(self, starts: list[State], options: dict[str, Any]) -> _psvn.Searcher:
        options = dict(options)
        machine, tables = None, None
        if isinstance(options.get("prune"), Machine):
            machine = options.pop("prune")._machine
            if machine.path is not None:
                options["prune"], machine = machine.path, None
        if isinstance(options.get("heuristic"), Heuristic):
            tables = options.pop("heuristic")._tables
        anyway = bool(options.pop("search_anyway", False))
        return _psvn.Searcher(self._game, pairs(options), starts, machine, tables, anyway)

    def solve(
        self,
        start: StateLike,
        algorithm: str = "ida",
        heuristic: HeuristicLike | None = None,
        **options: Any,
    ) -> SearchResult:
        """Search for a solution.

        Args:
            start: The start state.
            algorithm: ``dfs``, ``dfid``, ``ida``, ``wida``, ``ida-cr``, ``dfbnb``, ``ida-table``,
                ``bfs``, ``ucs``, ``astar``, ``wastar``, ``greedy``, ``dfs-closed`` or
                ``bidirectional``.
            heuristic: A name (``"manhattan"``, ``"gap"``, ...), patterns (``"keep 0-4"``), files of
                tables, several with commas between them, ``"auto"``, a `Heuristic`, a
                `PatternDatabase`, or a function of a state, or one that is `batched`. Functions
                serve ``astar`` and ``ida``.
            options: ``prune`` (``"none"``, ``"parent"``, a length, ``"auto"``, a `Machine` or its
                file), ``depth``, ``weight``, ``growth``, ``cost_bound``, ``ties``, ``perimeter``,
                ``split``, ``cycles``, ``count_depths``, ``heuristic_memory``, ``mirrored``,
                ``duals``, ``nodes``, ``time`` (seconds), ``memory`` (bytes) and
                ``search_anyway``, as `psvn solve` takes them. For functions also ``batch``: the
                nodes that are expanded before estimates are asked for.

        Returns:
            What became of the start. That a limit stopped the search is no error.
        """
        return self.solve_all([start], algorithm, heuristic, **options)[0]

    def solve_all(
        self,
        starts: Iterable[StateLike],
        algorithm: str = "ida",
        heuristic: HeuristicLike | None = None,
        **options: Any,
    ) -> SearchResults:
        """Search from several starts, with one preparation; arguments are those of `solve`."""
        states = [self.state(start) for start in starts]
        if callable(heuristic) and not isinstance(heuristic, Heuristic):
            return self._solve_by(heuristic, states, algorithm, options)
        if "batch" in options:
            raise UsageError("`batch` is for heuristics that are functions")
        options = {"algorithm": algorithm, "heuristic": heuristic, **options}
        found = self._searcher(states, options).run(self._env, False)
        return SearchResults(self._result(*it, algorithm) for it in found)

    def _solve_by(
        self,
        heuristic: Callable[..., Any],
        states: list[State],
        algorithm: str,
        options: dict[str, Any],
    ) -> SearchResults:
        from ._heuristics import is_batched

        options = dict(options)
        batch = int(options.pop("batch", _BATCH if is_batched(heuristic) else 1))
        machine = None
        if isinstance(options.get("prune"), Machine):
            machine = options.pop("prune")._machine
            if machine.path is not None:
                options["prune"], machine = machine.path, None
        settings = pairs({"algorithm": algorithm, **options})
        function = for_blocks(heuristic, self._game)
        results = SearchResults()
        for state in states:
            found = _psvn.solve_in_batches(
                self._game, self._env, state, settings, function, batch, machine, False
            )
            results.append(self._result(*found, algorithm, heuristic=name_of(heuristic)))
        return results

    def _result(
        self, record: str, rules: list[int] | None, algorithm: str, **more: Any
    ) -> SearchResult:
        data = json.loads(record)
        return of_data(SearchResult, data, rules=rules, algorithm=algorithm, _game=self, **more)

    def _path(self, start: str, rules: list[int]) -> list[State]:
        return self._game.states_on_the_way(self.state(start), rules)

    def explore(
        self,
        *starts: StateLike,
        depth: int | None = None,
        storage: str | os.PathLike[str] | None = None,
        farthest: int = 0,
        nodes: int | None = None,
        time: float | str | None = None,
        memory: int | str | None = None,
        symmetries: bool = False,
    ) -> Exploration:
        """Count all states by their number of moves.

        Args:
            starts: The states to begin with; all goal states, against the rules, if there are none.
            depth: The greatest distance.
            storage: ``"ranked"``, ``"memory"``, or a folder for files; chosen unless given.
            farthest: How many of the farthest states are listed.
            nodes: The most states that are generated.
            time: The most time, in seconds.
            memory: The most bytes for states.
            symmetries: Store one state for all its images, and count both.
        """
        report = self._game.explore(
            self._env,
            [self.state(start) for start in starts],
            depth,
            text(storage),
            farthest,
            nodes,
            text(time),
            text(memory),
            symmetries,
        )
        return of_data(Exploration, json.loads(report))

    def heuristic(self, name: str) -> Heuristic:
        """A heuristic by its name, such as ``"manhattan"``, as a function of states."""
        return named(self, name)

    def pattern_database(self, *patterns: str, **options: Any) -> PatternDatabase:
        """Build pattern databases; see `PatternDatabase.build`."""
        return PatternDatabase.build(self, *patterns, **options)

    def check_admissible(
        self,
        heuristic: HeuristicLike,
        start: StateLike | None = None,
        *,
        max_states: int = 1_000_000,
    ) -> HeuristicCheck:
        """Compare a heuristic with the least costs, on all states that a start leads to.

        Args:
            heuristic: As `solve` takes it.
            start: A state; the goal state unless given.
            max_states: The most states.

        Raises:
            LimitError: If there are more states.
        """
        if isinstance(heuristic, str):
            heuristic = self.heuristic(heuristic)
        begin = self.goal if start is None else self.state(start)
        if begin is None:
            raise UsageError(f"{self.name} has no single goal state", hint="give a start")
        if isinstance(heuristic, Heuristic):
            ready = heuristic

            def function(block: _psvn.StateBlock) -> bytes:
                from ._heuristics import _of_numbers

                return _of_numbers(ready.estimates(block.states(self._game)))

        else:
            function = for_blocks(heuristic, self._game)
        found = _psvn.check_estimates(self._game, self._env, begin, function, max_states)
        return of_data(HeuristicCheck, json.loads(found))

    def check_plan(
        self,
        plan: SearchResult | str | os.PathLike[str] | Sequence[str],
        start: StateLike | None = None,
        *,
        cost: int | None = None,
    ) -> PlanCheck:
        """Carry a plan out by the rules as they were written.

        Args:
            plan: What a search found, a file with one plan, or labels or names of rules.
            start: Where it starts, unless the plan says it.
            cost: The cost that it is said to have.
        """
        if isinstance(plan, SearchResult):
            if plan.rules is None:
                raise UsageError("there is no solution to check")
            begin = plan.start if start is None else start
            moves = [self.rules[rule].name for rule in plan.rules]
            claimed = plan.cost if cost is None else cost
            return self._check_moves(moves, begin, claimed)
        if isinstance(plan, (str, os.PathLike)):
            path = os.fspath(plan)
            with open(path, encoding="utf-8") as file:
                content = file.read()
            begin = None if start is None else self.state(start)
            found = self._game.check_plans(content, path, begin, True)
            if len(found) != 1:
                raise UsageError(f"{path} has {len(found)} plans, and one is checked")
            return of_data(PlanCheck, json.loads(found[0]))
        if start is None:
            raise UsageError("a plan of moves needs a start")
        return self._check_moves(list(plan), start, cost)

    def _check_moves(self, moves: list[str], start: StateLike, cost: int | None) -> PlanCheck:
        found = self._game.check_moves(moves, self.state(start), cost, True)
        return of_data(PlanCheck, json.loads(found))

    def _env_warn(self, message: str) -> None:
        import warnings

        from ._errors import PsvnWarning

        warnings.warn(message, PsvnWarning, stacklevel=3)

    def __repr__(self) -> str:
        return f"<Game {self.name}: {self.n_variables} variables, {self.n_rules} rules>"

    def _repr_html_(self) -> str:
        about = self.describe()
        facts = [
            ("variables", self.n_variables),
            ("rules", self.n_rules),
            ("rules that none undoes", about["without_inverse"]),
            ("goals", len(about["goals"])),
            ("goal state", about["goal_state"]),
            ("invariants", len(about["invariants"])),
        ]
        goal = self.goal
        picture = (goal._repr_svg_() if goal is not None else None) or ""
        rules = f"<details><summary>rules</summary>{self.rules._repr_html_()}</details>"
        return f"<p><b>{escape(self.name)}</b></p>{html_table(['', ''], facts)}{picture}{rules}"


class Picture:
    """A picture in SVG, which notebooks show."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture of {len(self.svg):,} characters>"

"""The extension module. Its data are JSON, which the package `psvn` turns into typed objects."""

from collections.abc import Callable, Iterator
from typing import Any, overload

Pairs = list[tuple[str, str]]
Found = tuple[str, list[int] | None]

class Environment:
    threads: int
    seed: int
    cache: str | None
    def __init__(
        self,
        threads: int = 1,
        seed: int = 1,
        cache: str | None = None,
        progress: Callable[[str | None, int | None, int | None], None] | None = None,
        warn: Callable[[str], None] | None = None,
    ) -> None: ...

class State:
    """A state: a value for each variable. Immutable and hashable; a sequence of names of values."""

    @property
    def codes(self) -> tuple[int, ...]:
        """The numbers of the values, each in its variable's domain, from 0."""

    @property
    def values(self) -> tuple[str, ...]:
        """The names of the values."""

    def board(self) -> str | None:
        """Return the state as a board of text; `None` if the game declares no layout of boards."""

    def _repr_svg_(self) -> str | None: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __iter__(self) -> Iterator[str]: ...
    def __hash__(self) -> int: ...

class Game:
    name: str
    text: str
    n_variables: int
    n_rules: int
    hash: str
    @staticmethod
    def open(env: Environment, path: str) -> Game: ...
    @staticmethod
    def built_in(env: Environment, reference: str) -> Game: ...
    @staticmethod
    def parse(env: Environment, text: str, name: str) -> Game: ...
    def backward(self) -> Game: ...
    def varied(
        self, goals: list[str], rules: list[str], goal_symmetries: str | None
    ) -> Game: ...
    def describe(self) -> str: ...
    def goal_state(self) -> State | None: ...
    def state(self, text: str) -> State: ...
    def states_matching(self, env: Environment, text: str) -> list[State]: ...
    def scramble(self, moves: str) -> State: ...
    def instances(
        self, env: Environment, path: str, format: str
    ) -> list[tuple[str, State, str | None]]: ...
    def state_of_codes(self, codes: list[int]) -> State: ...
    def applicable(self, state: State) -> list[int]: ...
    def apply(self, state: State, rule: int) -> State | None: ...
    def apply_named(self, state: State, name: str) -> State | None: ...
    def findings(self, env: Environment) -> str: ...
    def is_goal(self, state: State) -> bool: ...
    def rule_number(self, name: str) -> int: ...
    def compose(self, rules: list[str], trace: bool) -> str: ...
    def explain(
        self, env: Environment, rules: list[str], time_limit: str | None = None
    ) -> str: ...
    def analyze(self, env: Environment, settings: Pairs) -> tuple[str, Machine | None]: ...
    def random_states(
        self,
        env: Environment,
        count: int,
        steps: int,
        start: State | None = None,
        backward: bool = True,
    ) -> list[State]: ...
    def states_on_the_way(self, start: State, moves: list[int]) -> list[State]: ...
    def animation(
        self, states: list[State], moves: list[str], title: str, seconds: float = 0.7
    ) -> str | None: ...

class Machine:
    path: str | None
    n_states: int
    n_letters: int
    max_length: int
    n_words: int
    start: int
    @staticmethod
    def load(env: Environment, game: Game, path: str) -> Machine: ...
    @staticmethod
    def verify(env: Environment, game: Game, path: str) -> str: ...
    @staticmethod
    def certificate(env: Environment, game: Game, path: str) -> str: ...
    def step(self, state: int, rule: int) -> int | None: ...
    def words(self, most: int) -> str: ...
    def describe(self, env: Environment) -> str: ...
    def save(self, path: str) -> None: ...
    def svg(self) -> str: ...

class Tables:
    report: str | None
    name: str
    is_admissible: bool
    @staticmethod
    def build(
        env: Environment,
        game: Game,
        patterns: list[str],
        path: str | None = None,
        additive: bool = False,
        check: bool = False,
        time: str | None = None,
        memory: str | None = None,
    ) -> Tables: ...
    @staticmethod
    def open(
        env: Environment,
        game: Game,
        paths: list[str],
        additive: bool = False,
        check: bool = False,
        memory: str | None = None,
    ) -> Tables: ...
    @staticmethod
    def named(env: Environment, game: Game, settings: Pairs) -> Tables: ...
    def estimate(self, game: Game, states: list[State]) -> list[int | None]: ...

class Solver:
    def __init__(
        self,
        game: Game,
        settings: Pairs,
        starts: list[State] = ...,
        machine: Machine | None = None,
        tables: Tables | None = None,
        search_anyway: bool = False,
    ) -> None: ...
    def run(
        self, env: Environment, with_states: bool, certificate: str | None = None
    ) -> list[Found]: ...
    def tree_svg(self, env: Environment) -> str: ...

class StateBlock:
    def __init__(self, game: Game, states: list[State]) -> None: ...
    def __len__(self) -> int: ...
    def states(self, game: Game) -> list[State]: ...
    @property
    def __array_interface__(self) -> dict[str, Any]: ...

def certify(env: Environment, path: str, game: Game | None = None) -> str: ...
def solve_in_batches(
    game: Game,
    env: Environment,
    start: State,
    settings: Pairs,
    function: Callable[[StateBlock], bytes],
    batch: int,
    machine: Machine | None = None,
    with_states: bool = True,
) -> Found: ...
def check_estimates(
    game: Game,
    env: Environment,
    start: State,
    function: Callable[[StateBlock], bytes],
    max_states: int,
) -> str: ...
def experiment(
    env: Environment,
    text: str,
    name: str,
    base: str,
    results: str,
    jobs: int = 1,
    preset: bool = False,
    quick: bool = False,
) -> tuple[int, int, int, int, int]: ...
def presets() -> list[tuple[str, str]]: ...
def builtin_games() -> list[tuple[str, str]]: ...
def option_names() -> tuple[list[str], list[str]]: ...
def report(
    env: Environment, files: list[str], form: str, table: str | None = None
) -> str: ...
def count_tree(
    game: Game,
    env: Environment,
    depth: int,
    start: State | None = None,
    lengths: list[int] = ...,
    parents: bool = False,
    cycles: bool = False,
    machines: list[str] = ...,
    within_invariants: bool = True,
    nodes: int | None = None,
    time_limit: str | None = None,
) -> tuple[str, list[str]]: ...
def tree_svg(
    game: Game,
    env: Environment,
    depth: int,
    start: State | None = None,
    length: int | None = None,
    parents: bool = False,
    machine: str | None = None,
) -> str: ...
def explore(
    game: Game,
    env: Environment,
    starts: list[State] = ...,
    depth: int | None = None,
    storage: str | None = None,
    farthest: int = 0,
    nodes: int | None = None,
    time_limit: str | None = None,
    memory_limit: str | None = None,
    symmetries: bool = False,
    seeks_goals: bool = False,
) -> str: ...
def check_plans(
    game: Game, text: str, name: str, start: State | None = None, with_states: bool = True
) -> list[str]: ...
def check_moves(
    game: Game,
    moves: list[str],
    start: State,
    cost: int | None = None,
    with_states: bool = True,
) -> str: ...

"""Heuristic search in state spaces that are written in PSVN.

Open a game, find which sequences of rules are redundant, search without them, and check what comes
out::

    import psvn

    game = psvn.Game.builtin("sliding-tiles:3:3")
    game.count_tree(8, lengths=[0, 2]).to_pandas()      # nodes by depth, with and without pruning
    game.explore(depth=10).layers                       # states by distance from the goal
    found = game.solve("8 7 6 5 4 3 2 1 0", "astar", "manhattan")
    found.cost, found.expanded, found.moves
    game.check_plan(found)                              # by the rules as they were written

Heuristics may be functions: of a `State`, or, with `batched`, of a NumPy array of states. Errors are
exceptions with the place and a hint (`PsvnError`). Ctrl-C interrupts all work; other Python threads
go on meanwhile. Times are in seconds and sizes in bytes.
"""

from ._builder import GameBuilder, Symbol, symbol
from ._environment import Environment
from ._errors import (
    CancelledError,
    Flaw,
    InputError,
    LimitError,
    PsvnError,
    PsvnWarning,
    TextError,
    UsageError,
    WrongResultError,
)
from ._experiments import Report, experiment, presets, report
from ._game import Game, Picture
from ._heuristics import batched
from ._machine import Machine
from ._psvn import State
from ._results import (
    Analysis,
    Composition,
    Domain,
    ExperimentRun,
    Explanation,
    Exploration,
    HeuristicCheck,
    Layer,
    Level,
    MachineDescription,
    PlanCheck,
    RedundantWord,
    Rule,
    Rules,
    SearchResult,
    SearchResults,
    TreeColumn,
    TreeCount,
    Verification,
)
from ._tables import Heuristic, PatternDatabase

__version__ = "0.1.0"

__all__ = [
    "Analysis",
    "CancelledError",
    "Composition",
    "Domain",
    "Environment",
    "ExperimentRun",
    "Explanation",
    "Exploration",
    "Flaw",
    "Game",
    "GameBuilder",
    "Heuristic",
    "HeuristicCheck",
    "InputError",
    "Layer",
    "Level",
    "LimitError",
    "Machine",
    "MachineDescription",
    "PatternDatabase",
    "Picture",
    "PlanCheck",
    "PsvnError",
    "PsvnWarning",
    "RedundantWord",
    "Report",
    "Rule",
    "Rules",
    "SearchResult",
    "SearchResults",
    "State",
    "Symbol",
    "TextError",
    "TreeColumn",
    "TreeCount",
    "UsageError",
    "Verification",
    "WrongResultError",
    "batched",
    "experiment",
    "presets",
    "report",
    "symbol",
]

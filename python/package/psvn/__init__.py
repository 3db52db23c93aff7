"""Heuristic search in state spaces that are written in PSVN.

Open a game, find which sequences of rules are redundant, search without them, and check the
results::

    import psvn

    game = psvn.Game.builtin("sliding-tiles:3:3")
    game.count_tree(8, lengths=[0, 2]).to_pandas()      # nodes by depth, with and without pruning
    game.explore(depth=10).layers                       # states by distance from the goal
    found = game.solve("8 7 6 5 4 3 2 1 0", "astar", "manhattan")
    found.cost, found.expanded, found.moves
    game.check_plan(found)                              # by the rules as they were written

Heuristics may be functions: of a `State`, or, with `batched`, of a NumPy array of states. Errors
are exceptions with the place and a hint (`PsvnError`). Ctrl-C interrupts all work; other Python
threads continue meanwhile. Times are in seconds and sizes in bytes.
"""

from dataclasses import is_dataclass as _is_dataclass

from ._games.builder import GameBuilder, Symbol, symbol
from ._certificates import certify
from ._core.environment import Environment
from ._core.errors import (
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
from ._core.options import AnalysisOptions, SearchOptions
from ._experiments import Report, experiment, presets, report
from ._games.base import builtin_games
from ._games.game import Game
from ._games.picture import Picture
from ._parts.heuristics import batched
from ._parts.machine import Machine
from ._psvn import State
from ._results.counts import ExperimentRun, Exploration, TreeCount
from ._results.records import (
    Composition,
    Domain,
    Explanation,
    Layer,
    Level,
    MachineDescription,
    Rule,
    Rules,
    TreeColumn,
)
from ._results.rules import Analysis, RedundantWord, Verification
from ._results.searches import (
    Certified,
    HeuristicCheck,
    PlanCheck,
    SearchResult,
    SearchResults,
)
from ._parts.tables import Heuristic, PatternDatabase

__version__ = "0.1.0"

__all__ = [
    "Analysis",
    "AnalysisOptions",
    "CancelledError",
    "Certified",
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
    "SearchOptions",
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
    "builtin_games",
    "certify",
    "experiment",
    "presets",
    "report",
    "symbol",
]

# Messages and documents use the names by which these are imported.
for _name in __all__:
    _thing = globals()[_name]
    # The fields of data classes are looked up where these are defined.
    if isinstance(_thing, type) and _thing is not State and not _is_dataclass(_thing):
        _thing.__module__ = "psvn"

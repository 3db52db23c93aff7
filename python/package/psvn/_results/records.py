"""Results as the library writes them. `tools/results.py` makes this file from their schemas."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .._core.data import Result, Table
from .explained import Explained
from .titled import Titled


@dataclass(frozen=True, repr=False, kw_only=True)
class Domain(Result):
    """A domain: a name, and the names of its values."""

    name: str
    """Its name."""
    size: int
    """The number of its values."""
    values: list[str]
    """The names of its values, in the order of their numbers, from 0."""


@dataclass(frozen=True, repr=False, kw_only=True)
class Rule(Result):
    """A rule in canonical form."""

    number: int
    """Its number, from 1, as in ``rule_N``."""
    name: str
    """Its name, which no other rule has, such as ``LABEL#2``."""
    label: str
    """Its label."""
    source_rule: int
    """The number of the rule of the text that it is an instance of, from 1."""
    cost: int
    """Its cost."""
    preconditions: list[str]
    """The precondition on each variable: a value, or ``xj``, the value that variable j has
    before."""
    actions: list[str]
    """What each variable becomes: a value, or ``xj``."""
    rule: str
    """The rule as text."""
    one_to_one: bool
    """Whether different states lead to different states."""
    inverse: str | None = None
    """The name of the rule that undoes it; ``None`` if there is none."""
    duplicate_of: str | None = None
    """The name of the first rule that is the same; ``None`` if there is none."""


class Rules(Table[Rule]):
    """Rows of `Rule`."""

    _row = Rule
    _columns = ("number", "name", "cost", "rule", "inverse", "duplicate_of")


@dataclass(frozen=True, repr=False, kw_only=True)
class Composition(Result):
    """The macro-rule of a sequence, or why there is none."""

    word: list[str]
    """The names of the rules."""
    valid: bool
    """Whether the sequence can be carried out from some state."""
    reason: str | None = None
    """Why no state admits it; ``None`` otherwise."""
    cost: int | None = None
    """The cost of the sequence."""
    preconditions: list[str] | None = None
    """The preconditions of the macro-rule, position by position."""
    actions: list[str] | None = None
    """Its actions, position by position."""
    rule: str | None = None
    """The macro-rule as text."""
    trace: list[dict[str, Any]] | None = None
    """The steps of the composition, if requested."""


@dataclass(frozen=True, repr=False, kw_only=True)
class Explanation(Explained, Result):
    """Why a sequence of rules is redundant, impossible, or neither."""

    word: list[str]
    """The names of the rules."""
    verdict: str
    """``impossible``, ``redundant``, ``contains-redundant``, ``not-redundant`` or ``unknown``."""
    reason: str | None = None
    """Why the sequence is impossible; ``None`` otherwise."""
    cost: int | None = None
    """The cost of the sequence."""
    rule: str | None = None
    """The macro-rule that it makes, as text."""
    certificate: dict[str, Any] | None = None
    """The replacement of the redundant part, and the reason."""
    nearest: dict[str, Any] | None = None
    """The sequence that comes nearest to replacing one that nothing replaces."""
    reading: dict[str, Any] | None = None
    """How a machine reads the sequence."""
    traces: list[list[dict[str, Any]]] | None = None
    """The compositions of the sequence and then of its replacement."""
    impossible_within: bool = False
    """Whether no state with the invariants of the goal allows it, although some state does."""
    analyzed_length: int
    """The length up to which sequences were compared, in rules."""


@dataclass(frozen=True, repr=False, kw_only=True)
class Level(Result):
    """The figures of an analysis at one length of words."""

    length: int
    """The length of the words."""
    composed: int
    """The words that were composed."""
    impossible: int
    """The words among them that can't be carried out from any assumed state."""
    unreachable: int
    """The impossible words that only the assumed invariants exclude."""
    redundant: int
    """The redundant words."""
    kept: int
    """The words that are kept, to be extended at the next length."""
    seconds: float
    """The seconds that this length took."""
    bytes: int
    """The bytes held after this length."""
    open_instances: int | None = None
    """For operators: the instances of kept words that nothing replaces."""
    rejected: int | None = None
    """For the learner: the kept words that looked like duplicates."""


class Levels(Table[Level]):
    """Rows of `Level`."""

    _row = Level


@dataclass(frozen=True, repr=False, kw_only=True)
class AnalysisRecord(Result):
    """The result of an analysis as data, with the names of rules: what ``psvn analyze`` prints as
    JSON."""

    file: str
    """The name of the game."""
    rules: int
    """The number of rules."""
    variables: int
    """The number of variables."""
    operators: str
    """The letters of sequences: ``rules`` or ``labels``."""
    method: str
    """How redundant words were found."""
    labels: list[str] | None = None
    """The labels in the order in which they were compared, where they are operators."""
    max_length: int
    """The length up to which the analysis is complete."""
    order: str
    """The name of the order of words."""
    rule_order: str
    """The name of the order of rules."""
    rules_in_order: list[str] | None = None
    """The rules in the order in which they were compared, unless that is the order of the file."""
    rule_order_gain: list[float] | None = None
    """If the rule order was optimized, the values of the order of the file and of the optimized
    one: numbers of nodes down to a depth, or asymptotic branching factors."""
    rule_order_depth: int | None = None
    """The depth to which these nodes are counted."""
    assumed_of: str
    """Where the assumed invariants come from."""
    assumed_invariants: list[str]
    """The assumed invariants, one per entry."""
    ignored_variables: list[int] = field(default_factory=list)
    """The variables, from 1, that are ignored because no goal depends on them."""
    levels: Levels
    """The figures of each length, from 1."""
    redundant_words: int
    """The number of redundant words."""
    rejected: list[dict[str, Any]] | None = None
    """The words that looked like duplicates to the learner, but aren't."""
    fsm: dict[str, Any]
    """The sizes of the machines."""
    branching_factor: float | None = None
    """The asymptotic branching factor; ``None`` where the machine is too large, or the time ran
    out."""
    ideal: dict[str, Any] | None = None
    """The nodes of the machine's tree beside those of the ideal one, if requested."""
    splits: dict[str, Any] | None = None
    """The rules that are split, if requested."""
    seconds: float
    """The seconds that this took."""
    from_cache: bool
    """Whether an earlier analysis found this."""
    complete: bool
    """Whether no limit stopped it."""
    stopped: str | None = None
    """The limit that stopped it early."""


@dataclass(frozen=True, repr=False, kw_only=True)
class RedundantRecord(Result):
    """A redundant word with its replacement and the reason."""

    number: int
    """Its place among the machine's words, from 1."""
    word: list[str]
    """Its letters: rules, parts of rules, or operators."""
    cost: int | None = None
    """Its cost; ``None`` where letters are operators, or the game isn't known."""
    rule: str | None = None
    """Its macro-rule; ``None`` where letters are operators, or the game isn't known. Also where the
    word can't be used at all: for goals, words are compared as if they left variables alone on
    which no goal depends."""
    replaced_by: list[dict[str, Any]]
    """Its replacement; where letters are operators, each instance of the word may have another
    one."""
    implied: list[str]
    """The values that invariants imply beside its preconditions, where the replacement needs
    them."""
    invariants: list[str]
    """The invariants that imply these; empty if more than 500 are assumed."""
    apart_from: list[int]
    """The variables, from 1, in which the ends of both words may differ, since no goal depends on
    them. Empty where the ends are the same."""


@dataclass(frozen=True, repr=False, kw_only=True)
class MachineDescription(Result):
    """The contents of a machine file."""

    file: str
    """The name of the file."""
    game_hash: str
    """The hash of the game that it was made for."""
    letters: str
    """The letters: ``rules``, ``operators`` or ``parts`` of rules."""
    rules: int
    """The number of rules of the game."""
    alphabet: int
    """The number of letters: of rules, of operators, or of parts of rules."""
    splits: list[dict[str, Any]] | None = None
    """The rules that are split and why, which takes the game."""
    kind: str | None = None
    """How the machine was made."""
    form: str
    """How its rows are stored: ``dense`` or ``compressed``."""
    swaps: int
    """The number of pairs of rules that sleep sets let change places."""
    max_length: int
    """The length of the longest words that were compared."""
    order: str
    """The name of the order of words."""
    assumed_invariants: list[str]
    """The assumptions about start states, one a line."""
    redundant_words: int
    """The number of redundant words."""
    redundant_by_length: list[int]
    """The same by length, from 1."""
    states: int
    """The number of states."""
    bytes: int
    """The bytes of the machine."""
    minimized: dict[str, Any]
    """The size of the minimal machine."""
    branching_factor: float | None = None
    """The growth of the number of accepted words with their length."""
    branching_factor_bounds: list[float] | None = None
    """Lower and upper bound of it."""
    impossible_pairs_left_out: bool
    """Whether the branching factor counts only words whose neighbors can follow each other, which
    takes the game."""


@dataclass(frozen=True, repr=False, kw_only=True)
class VerificationRecord(Result):
    """The result of verifying a machine file."""

    file: str
    """The name of the game."""
    machine: str
    """The name of the machine file."""
    valid: bool
    """Whether everything was proved."""
    letters: str
    """The letters: ``rules``, ``operators`` or ``parts`` of rules."""
    certificates: int
    """The number of certificates."""
    failed: int
    """The number of certificates that fail."""
    failures: list[dict[str, Any]]
    """The first of them."""
    without_instance: int
    """The number of words of operators without an instance in this game, which need no proof."""
    invariants_flaw: str | None = None
    """The flaw of the assumed invariants, where the rest builds on them."""
    parts_flaw: str | None = None
    """The flaw of the parts of rules, where letters are parts."""
    swaps: int
    """The pairs of rules that sleep sets let change places."""
    swaps_flaw: str | None = None
    """The flaw of one of these pairs."""
    dont_cares: bool
    """Whether words that are impossible in this game are don't-cares."""
    machine_valid: bool
    """Whether the machine forbids exactly what it should."""
    machine_flaw: str | None = None
    """The flaw of the machine; in JSON as text."""
    states: int
    """The number of states of the machine."""
    max_length: int
    """The length of the longest words that were compared, according to the file."""
    longest_word: int
    """The length of the longest word that is forbidden."""
    header_flaw: str | None = None
    """The false statement in the header."""
    assumed_invariants: list[str]
    """The assumptions about start states, one a line."""


@dataclass(frozen=True, repr=False, kw_only=True)
class TreeColumn(Titled, Result):
    """A tree counted in one way."""

    prune: str
    """The pruning: ``none``, ``parent``, ``path``, the length, or the name of the machine file."""
    max_length: int | None = None
    """The length of the longest redundant sequences that are left out, where a length was given."""
    nodes: list[int]
    """The number of nodes at each complete depth; the root is at depth 0."""
    seconds: float
    """The seconds that counting took."""
    generated_per_second: float
    """The nodes that were generated in a second."""
    analysis_seconds: float
    """The seconds of the analysis."""
    complete: bool
    """Whether the count is complete."""
    stopped: str | None = None
    """The limit that stopped the count, if one did."""


@dataclass(frozen=True, repr=False, kw_only=True)
class TreeRecord(Result):
    """A tree counted by depth, in one or more ways."""

    file: str
    """The name of the game."""
    start: str
    """The state at the root."""
    depth: int | None = None
    """The bound on depth; ``None`` where the cost was bounded."""
    cost: int | None = None
    """The bound on cost; ``None`` where the depth was bounded."""
    columns: list[TreeColumn]
    """The columns, one for each way of pruning that the analysis reached."""
    complete: bool
    """Whether all columns are there and counted to the end."""


@dataclass(frozen=True, repr=False, kw_only=True)
class Layer(Result):
    """A complete layer of an exploration."""

    distance: int
    """Its distance in moves."""
    states: int
    """The number of states at that distance."""
    total: int
    """The number of states up to that distance."""
    orbits: int | None = None
    """The number of states that were stored for them, where symmetries are used: one for all images
    of a state."""
    goals: int | None = None
    """The number of states at that distance that are goals, where these are looked for on the way
    from the starts."""
    seconds: float
    """The seconds since the exploration began."""


class Layers(Table[Layer]):
    """Rows of `Layer`."""

    _row = Layer


@dataclass(frozen=True, repr=False, kw_only=True)
class ExplorationRecord(Result):
    """The result of an exploration."""

    file: str
    """The name of the game."""
    starts: list[str]
    """The states that it began with, as text; none where it began with the goals."""
    layers: Layers
    """The complete layers."""
    states: int
    """The number of states in them."""
    space: str | None = None
    """The number of states at all distances, in decimal digits, where the rules only move values,
    there is one start or goal state, and the group of the moves is found quickly."""
    nearest_goal: int | None = None
    """The least distance from a start to a goal, where goals were looked for and one was found."""
    greatest_distance: int | None = None
    """The greatest distance of all states, where all were found."""
    complete: bool
    """Whether all states were found."""
    stopped: str | None = None
    """The limit that stopped it, if one did."""
    beyond: int
    """States at the next distance that were found when it stopped."""
    generated: int
    """The number of times that a state was generated."""
    farthest: list[str]
    """Some states of the last layer."""
    storage: str
    """How states were stored: ``ranked``, ``memory``, ``disk``, or ``cluster``."""
    storage_description: str
    """The storage in words."""
    peak_bytes: int
    """The maximum number of bytes that were held for states."""
    bytes_read: int
    """The bytes read from files."""
    bytes_written: int
    """The bytes written to files."""
    processes: int
    """The number of processes that explored together."""
    bytes_sent: int
    """The bytes that processes sent each other."""
    resumed_from: int | None = None
    """The distance of the last layer that an earlier call had completed in the folder."""
    seconds: float
    """The seconds that it took."""


@dataclass(frozen=True, repr=False, kw_only=True)
class TableFigures(Result):
    """The figures of one table."""

    pattern: str
    """The name of the table: its pattern, or its file."""
    entries: int
    """The number of entries."""
    bits_per_entry: int
    """The bits of an entry."""
    bytes: int
    """The bytes of the table."""
    ranking: str
    """How abstract states are numbered, in words."""
    paying: list[str] | None = None
    """The values that pay for steps, where costs are charged to values."""
    reached: int
    """The states from which a goal can be reached. There are more of them than entries where one
    entry serves all states that symmetries map to each other."""
    unreached: int
    """States from which no goal can be reached, and numbers that belong to no state."""
    max_distance: int
    """The greatest distance of a reached state."""
    mean_distance: float
    """The mean distance of the reached states."""
    saturated: bool
    """Whether distances may be greater than the table can hold."""
    consistent: bool
    """Whether estimates fall by no more than a step costs."""
    assumed_invariants: list[str]
    """The invariants that the table rests on."""
    distribution: list[dict[str, Any]] | None = None
    """The reached states by distance, if requested."""


@dataclass(frozen=True, repr=False, kw_only=True)
class TablesReport(Result):
    """The figures of tables that were built or opened."""

    file: str
    """The name of the game."""
    tables: list[TableFigures]
    """Each table."""
    written: list[str] = field(default_factory=list)
    """Their names."""
    heuristic: str | None = None
    """The text of the ``HeuristicSpec`` that uses them, if one can name them."""
    additive: bool
    """Whether they may be added up."""
    not_covered: list[str]
    """The values that no pattern pays for, where they may be added up."""
    seconds: float
    """The seconds that building, writing or opening them took."""
    checked: dict[str, Any] | None = None
    """The result of comparing estimates, if requested."""


@dataclass(frozen=True, repr=False, kw_only=True)
class Bound(Result):
    """One iteration of a search."""

    bound: int
    """The bound: a depth, or a cost."""
    generated: int
    """The nodes generated in this iteration."""
    expanded: int
    """The nodes expanded in this iteration."""
    pruned_by_machine: int
    """Would-be nodes that the machine forbade in this iteration."""
    pruned_by_cycle: int
    """Would-be nodes that cycle detection left out in this iteration."""


class Bounds(Table[Bound]):
    """Rows of `Bound`."""

    _row = Bound


@dataclass(frozen=True, repr=False, kw_only=True)
class Depth(Result):
    """The counts of a depth."""

    depth: int
    """The depth, from 0."""
    generated: int
    """Nodes of this depth that were generated."""
    expanded: int
    """Nodes of this depth that were expanded."""
    pruned_by_machine: int
    """Would-be nodes of this depth that the machine forbade, though their rule applies."""
    pruned_by_cycle: int
    """Would-be nodes of this depth that the machine allowed and cycle detection left out."""
    beyond_bound: int
    """Nodes of this depth that passed both tests and exceed a bound by cost. A search for a
    solution, which has to estimate them, counts them as generated too; a count of a tree
    doesn't."""


class Depths(Table[Depth]):
    """Rows of `Depth`."""

    _row = Depth


@dataclass(frozen=True, repr=False, kw_only=True)
class SolveRecord(Result):
    """The outcome of an instance, as data: an ``Answer`` with the instance, the labels of moves,
    and the heuristic."""

    instance: str
    """The name of the instance."""
    start: str
    """The start state."""
    solved: bool
    """Whether there is a solution."""
    outcome: str
    """``solved``, ``no-solution``, ``not-within-depth``, ``not-within-cost``, ``not-found``, or the
    limit that stopped the search."""
    proof: str | None = None
    """The reason why there is no solution, where that was proved without a search."""
    cost: int | None = None
    """The cost of the solution."""
    length: int | None = None
    """The number of its moves."""
    moves: list[str] | None = None
    """The labels of its moves."""
    all: dict[str, Any] | None = None
    """All solutions of least cost, if they were asked for."""
    generated: int
    """The nodes that were generated, without the root."""
    expanded: int
    """The nodes that were expanded."""
    pruned: int
    """The children that were left out."""
    pruned_by_machine: int | None = None
    """The children that a machine left out."""
    bounds: Bounds
    """The counts of each bound."""
    depths: Depths = field(default_factory=Depths)
    """The counts of each depth, all iterations added up, the root of each included."""
    best_so_far: int | None = None
    """The cost of the best solution so far, where a search was stopped."""
    cost_at_least: int | None = None
    """A lower bound on the cost of all solutions, where a stopped search has proved one."""
    length_at_least: int | None = None
    """A lower bound on the moves of all solutions, where a stopped search has proved one."""
    generated_in_tries: int | None = None
    """The nodes that were generated while a heuristic was chosen, in tries that didn't find the
    solution. They aren't counted otherwise."""
    seconds: float
    """The seconds that the search took."""
    preparation_seconds: float
    """The seconds of preparation that no earlier record has."""
    generated_per_second: float
    """The nodes that were generated in a second."""
    heuristic: str | None = None
    """The heuristic; ``None`` where all starts were proved to have no solution before one was
    chosen."""
    found_while_choosing: bool = False
    """Whether the solution was found while a heuristic was chosen."""
    heuristic_options: str | None = None
    """The settings that name the choice, if requested."""
    heuristic_reason: str | None = None
    """The reason why the heuristic was chosen."""
    heuristic_considered: list[dict[str, Any]] = field(default_factory=list)
    """The heuristics that were considered, if the settings of the choice are requested."""
    heuristic_seconds: float | None = None
    """The seconds of choosing it, and of building or opening its tables; ``None`` if it was given
    and has no tables."""
    heuristic_bytes: int | None = None
    """The bytes of its tables."""
    admissible: bool | None = None
    """Whether the heuristic never estimates too high."""
    heuristic_start: int | None = None
    """The estimate of the start, as a cost; ``None`` where nothing was searched."""
    cycles: str | None = None
    """The cycle detection that was used, if there was a search."""
    pruning: dict[str, Any] | None = None
    """What was left out, from which bound on, if there was a search."""
    known_cost: int | None = None
    """The known least cost."""
    states_kept: int | None = None
    """The number of states that the search kept."""
    bytes_per_state: float | None = None
    """The bytes that a state takes on average."""
    peak_bytes: int | None = None
    """The maximum number of bytes that were held at once."""
    duplicates: int | None = None
    """The number of times that a state was found again."""
    reopened: int | None = None
    """The number of times that a state was expanded again."""
    lookups: int | None = None
    """The entries of tables that were read, if they were counted."""
    lookups_per_node: float | None = None
    """The look-ups for each generated node."""
    lookups_per_second: float | None = None
    """The look-ups in a second."""
    bytes_per_node: float | None = None
    """The bytes of memory for each generated node: a line of the processor's caches for each look-
    up, and the bytes of the states that were kept."""
    cache_misses: int | None = None
    """The misses of the last level of the processor's caches, if they were requested; none where
    they can't be counted."""
    cache_misses_per_node: float | None = None
    """These misses for each generated node."""
    peak_bytes_on_disk: int | None = None
    """The maximum number of bytes in files, in a search on a disk."""
    bytes_written: int | None = None
    """The bytes that were written to files."""
    bytes_read: int | None = None
    """The bytes that were read from files."""


@dataclass(frozen=True, repr=False, kw_only=True)
class CertifiedRecord(Result):
    """The verdict on a certificate."""

    file: str
    """The name of the file."""
    starts: list[dict[str, Any]]
    """What the certificate claims of each start, in the order of the file."""
    accepted: bool
    """Whether all claims are proved."""
    flaw: str | None = None
    """The first flaw, where they aren't."""
    states: int
    """The number of states that the certificate lists."""
    table_entries: int
    """The number of entries of its tables of estimates."""


@dataclass(frozen=True, repr=False, kw_only=True)
class PlanRecord(Result):
    """A checked plan as data."""

    instance: str
    """The name of the instance."""
    start: str
    """The state in which it starts."""
    verdict: str
    """``right``, ``optimal``, ``wrong``, or ``no-plan``."""
    reaches_goal: bool
    """Whether it ends in a goal state."""
    cost: int | None = None
    """Its cost, if it can be carried out."""
    length: int | None = None
    """The number of its moves, if it can be carried out."""
    known_cost: int | None = None
    """The known least cost."""
    problems: list[str]
    """Its mistakes, each in words."""
    states: list[str] | None = None
    """The states of its path, start and end included, if requested."""

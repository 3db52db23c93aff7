"""Groups of facts of which exactly one is true in every state, found and proved.

As in Helmert (2009, "Concise finite-domain representations for PDDL planning tasks"), a candidate
is a few fluents, each with the place of an argument that they share: where a truck is, what a block
is on. It is proved on the rules, one by one: if exactly one fact of the group is true before, then
so it is afterward.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from unified_planning.model import FNode

from .task import Rule, Task, Values
from .translate import OutOfTime

#: A fluent and the place of the argument that stays the same within a group; ``None`` if none does.
Part = tuple[Any, "int | None"]

#: The most candidates that are looked at. Later ones are mostly extensions of others.
MOST_CANDIDATES = 300

#: The factor by which groups may multiply the rules.
MOST_GROWTH = 3


@dataclass(frozen=True, eq=False)
class Group:
    """A variable for facts of which exactly one is true, or none if another variable has it."""

    facts: frozenset[Hashable]
    """The facts of which exactly one is true."""
    own: tuple[Hashable, ...]
    """Those that this variable stands for."""

    @property
    def values(self) -> list[Hashable]:
        """The values of the variable: its facts, and ``None`` if there are others."""
        return [*self.own, *([None] if len(self.own) < len(self.facts) else [])]


def grouped(task: Task, deadline: float | None = None) -> Task:
    """Return the task with a variable for each of some groups, the largest first, in place of the
    facts in it. If conditions that facts are false become too many rules, the facts stay."""
    left = {
        name
        for name, values in task.domains.items()
        if isinstance(name, FNode) and set(values) == {False, True}
    }
    found = _Search(task, [name for name in task.domains if name in left], deadline).groups()
    chosen = []
    while found:
        facts = max(found, key=lambda group: sum(fact in left for fact in group))
        own = tuple(fact for fact in facts if fact in left)
        if len(own) < 2:
            break
        chosen.append(Group(frozenset(facts), own))
        left.difference_update(own)
    return _Regrouping(chosen).task(task)


def keeps_one(rule: Rule, facts: set[Hashable]) -> bool:
    """Whether exactly one of the facts is true after a rule if exactly one was true before."""
    true = {it for it in rule.before if it in facts and rule.before[it] is True}
    adds = {it for it in rule.after if it in facts and rule.after[it] is True}
    removes = {it for it in rule.after if it in facts and rule.after[it] is False}
    if len(true) > 1 or not (adds or removes):
        return True
    if not true:
        # Any fact that isn't tested to be false may be the true one.
        true = {it for it in facts if rule.before.get(it, True)}
    return all(len(({it} - removes) | adds) == 1 for it in true)


class _Search:
    """The search for groups."""

    def __init__(self, task: Task, facts: list[Hashable], deadline: float | None) -> None:
        self._task, self._deadline = task, deadline
        self._by_part: dict[tuple[Part, Any], list[Hashable]] = defaultdict(list)
        for fact in facts:
            for part, kept in _parts(fact):
                self._by_part[part, kept].append(fact)
        self._known = set(facts)
        self._writing: dict[Hashable, list[int]] = defaultdict(list)
        for n, rule in enumerate(task.rules):
            for name in rule.after:
                if name in self._known:
                    self._writing[name].append(n)

    def groups(self) -> list[list[Hashable]]:
        """The groups of exactly one true fact."""
        waiting = [frozenset([part]) for part in dict.fromkeys(part for part, _ in self._by_part)]
        seen, proved = set(waiting), []
        for candidate in waiting:
            if self._deadline is not None and time.monotonic() > self._deadline:
                raise OutOfTime
            for kept in self._objects(candidate):
                group = self._facts_of(candidate, kept)
                rule = self._unbalanced(group)
                if rule is None:
                    if sum(self._task.start[fact] for fact in group) == 1:
                        proved.append(group)
                    continue
                for part in self._extensions(rule, set(group), kept):
                    longer = candidate | {part}
                    is_new = longer not in seen and part[0] not in {it[0] for it in candidate}
                    if is_new and len(seen) < MOST_CANDIDATES:
                        seen.add(longer)
                        waiting.append(longer)
        return proved

    def _objects(self, candidate: frozenset[Part]) -> list[Any]:
        return list(dict.fromkeys(kept for part, kept in self._by_part if part in candidate))

    def _facts_of(self, candidate: frozenset[Part], kept: Any) -> list[Hashable]:
        """The facts of a candidate for an object; parts without one belong to each."""
        found = (
            fact
            for part in sorted(candidate, key=str)
            for fact in self._by_part.get((part, None if part[1] is None else kept), [])
        )
        return list(dict.fromkeys(found))

    def _unbalanced(self, group: list[Hashable]) -> Rule | None:
        """A rule after which more or fewer facts of a group may be true than one."""
        facts = set(group)
        for n in sorted({n for fact in group for n in self._writing[fact]}):
            if not keeps_one(self._task.rules[n], facts):
                return self._task.rules[n]
        return None

    def _extensions(self, rule: Rule, group: set[Hashable], kept: Any) -> Iterator[Part]:
        """The parts with a fact that the rule changes, by which a group might be balanced."""
        for name, value in rule.after.items():
            changes = rule.before.get(name) is True if value is False else value is True
            if changes and name in self._known and name not in group:
                for part, thing in _parts(name):
                    if part[1] is None or thing == kept or kept is None:
                        yield part


def _parts(fact: Any) -> Iterator[tuple[Part, Any]]:
    """The parts that a fact belongs to, each with the object that stays the same."""
    yield (fact.fluent(), None), None
    for place, argument in enumerate(fact.args):
        yield (fact.fluent(), place), argument


class _Regrouping:
    """Replaces facts by the variables of groups."""

    def __init__(self, groups: list[Group]) -> None:
        self._groups = groups
        self._owner = {fact: group for group in groups for fact in group.own}
        self._having: dict[Hashable, list[Group]] = defaultdict(list)
        for group in groups:
            for fact in group.facts:
                self._having[fact].append(group)

    def task(self, task: Task) -> Task:
        rules = []
        for rule in task.rules:
            after = self._effects(rule.after)
            for before in self._conditions(rule.before):
                if any(before.get(name, rule) != value for name, value in after.items()):
                    rules.append(Rule(rule.action, before, after, rule.cost))
            if len(rules) > MOST_GROWTH * len(task.rules):
                return task
        (start,) = self._conditions(task.start)
        domains: dict[Hashable, list[Any]] = {group: group.values for group in self._groups}
        others = {name: values for name, values in task.domains.items() if name not in self._owner}
        goals = [it for goal in task.goals for it in self._conditions(goal)]
        domains |= others
        return Task({name: start[name] for name in domains}, rules, goals, domains)

    def _conditions(self, values: Values) -> list[Values]:
        """The conditions on groups: several where facts of a group are only known to be false."""
        found: Values = {}
        false: dict[Group, set[Hashable]] = defaultdict(set)
        for name, value in values.items():
            group = self._owner.get(name)
            if group is None:
                found[name] = value
            elif not value:
                false[group].add(name)
            elif found.setdefault(group, name) != name:
                return []
        several = [found]
        for group, excluded in false.items():
            if group not in found:
                rest = [fact for fact in group.values if fact not in excluded]
                several = [{**it, group: fact} for it in several for fact in rest]
            elif found[group] in excluded:
                return []
        return several

    def _effects(self, after: Values) -> Values:
        """What a rule makes of groups: the fact that it makes true replaces the one before."""
        found: Values = {}
        for name, value in after.items():
            if name not in self._owner:
                found[name] = value
            if value is True:
                for group in self._having.get(name, []):
                    found[group] = name if name in group.own else None
        return found

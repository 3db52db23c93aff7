"""Tasks over variables with finite domains, and their text in PSVN."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

#: Values of some variables: a condition that they are these, or an effect that makes them so.
Values = dict[Hashable, Any]


@dataclass(frozen=True)
class Differs:
    """A variable of its own for whether another one has any value but one. Conditions of this kind
    would otherwise be as many rules as there are other values."""

    variable: Hashable
    value: Any

    def __str__(self) -> str:
        return f"{self.variable}-isn't-{self.value}"


@dataclass
class Rule:
    """What an action does in the states that have the values of `before`."""

    action: int
    """The number of the action in the plan's terms; an action may be several rules."""
    before: Values
    after: Values
    cost: int = 1


@dataclass
class Task:
    """Variables, rules, a start and goals."""

    start: Values
    """The value of each variable in the start."""
    rules: list[Rule]
    goals: list[Values]
    """Alternatives: a state with the values of one of them is a goal."""
    domains: dict[Hashable, list[Any]] = field(default_factory=dict)
    """The values that each variable may have."""

    def with_differences(self) -> Task:
        """Return the task with a variable for each `Differs` that conditions name."""
        goals = [it for it in map(_without_implied, self.goals) if it is not None]
        conditions = [(rule, _without_implied(rule.before)) for rule in self.rules]
        named = dict.fromkeys(
            name for _, before in conditions for name in before or () if isinstance(name, Differs)
        )
        named |= dict.fromkeys(name for goal in goals for name in goal if isinstance(name, Differs))
        values_of: dict[Hashable, list[Differs]] = {}
        for it in named:
            values_of.setdefault(it.variable, []).append(it)
        rules = []
        for rule, before in conditions:
            if before is not None:
                after = {
                    it: value != it.value
                    for name, value in rule.after.items()
                    for it in values_of.get(name, ())
                }
                rules.append(Rule(rule.action, before, rule.after | after, rule.cost))
        return Task(
            self.start | {it: self.start[it.variable] != it.value for it in named},
            rules,
            goals,
            self.domains | {it: [False, True] for it in named},
        )

    def relevant(self) -> Task:
        """Return the task without what can't matter for a plan: variables of one value, variables
        that are only written, and rules that change nothing else."""
        read = {name for goal in self.goals for name in goal}
        rules, n_read = self.rules, -1
        while len(read) != n_read:
            n_read = len(read)
            for rule in rules:
                if not read.isdisjoint(rule.after):
                    read.update(rule.before)
        kept = {name for name in read if len(self.domains[name]) > 1}

        def only(values: Values) -> Values:
            return {name: value for name, value in values.items() if name in kept}

        rules = [Rule(it.action, only(it.before), only(it.after), it.cost) for it in rules]
        return Task(
            only(self.start),
            [
                it
                for it in rules
                if any(it.before.get(name, it) != it.after[name] for name in it.after)
            ],
            [only(goal) for goal in self.goals],
            {name: values for name, values in self.domains.items() if name in kept},
        )


def _without_implied(condition: Values) -> Values | None:
    """A condition without the differences that its values imply; ``None`` if one is wrong."""
    found = {}
    for name, value in condition.items():
        if isinstance(name, Differs) and name.variable in condition:
            if condition[name.variable] == name.value:
                return None
        else:
            found[name] = value
    return found


class Names:
    """Distinct words for anything, and none that means something in PSVN. Case doesn't matter."""

    def __init__(self) -> None:
        self._used = {"abstraction", "cost", "domain", "goal", "label", "projection"}

    def word(self, thing: Any) -> str:
        """Return a word that reads like `thing` and wasn't returned before."""
        shown = re.sub(r"\s*,\s*", ",", str(thing))
        base = re.sub(r"[^A-Za-z0-9_.,()+-]", "_", shown) or "_"
        base = base if re.match(r"[A-Za-z0-9_(+]", base) else f"_{base}"
        word, n = base, 1
        while word.casefold() in self._used:
            n += 1
            word = f"{base}_{n}"
        self._used.add(word.casefold())
        return word

    def words(self, things: Iterable[Any]) -> list[str]:
        """Return a word for each thing."""
        return [self.word(thing) for thing in things]


def text(task: Task, labels: list[str], name: str) -> tuple[str, str]:
    """Return a task as PSVN, and its start. Labels are those of the actions by their numbers."""
    names = list(task.domains)
    words: list[dict[Any, str]] = []
    declared: dict[tuple[str, ...], str] = {}
    lines = [f"# {' '.join(name.split())}", f"# variables: {' '.join(Names().words(names))}"]
    for variable in names:
        values = task.domains[variable]
        spelled = Names().words("none" if value is None else value for value in values)
        words.append(dict(zip(values, spelled)))
        if tuple(spelled) not in declared:
            domain = f"domain{len(declared)}"
            declared[tuple(spelled)] = domain
            lines.append(f"DOMAIN {domain} {len(spelled)} {' '.join(spelled)}")
    lines += [str(len(names)), " ".join(declared[tuple(it.values())] for it in words)]

    def row(values: Values) -> str:
        return " ".join(
            spelled[values[name]] if name in values else "-" for name, spelled in zip(names, words)
        )

    for rule in task.rules:
        line = f"{row(rule.before)} => {row(rule.after)} LABEL {labels[rule.action]}"
        lines.append(line if rule.cost == 1 else f"{line} COST {rule.cost}")
    lines += [f"GOAL {row(goal)}" for goal in task.goals]
    return "\n".join(lines) + "\n", row(task.start)

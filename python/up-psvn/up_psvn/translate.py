"""Problems of the Unified Planning library as tasks over finite domains.

The fluents of the problem, with objects as arguments, become variables. Their domains are the
values that they can get when nothing that was true ever ceases to be, so that numbers may be
unbounded in the problem as long as few of them can be reached. An action with arguments becomes a
rule for each combination of values that it behaves differently for.
"""

from __future__ import annotations

import operator
import time
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import chain
from math import lcm
from typing import Any

from unified_planning.engines.compilers.grounder import GrounderHelper
from unified_planning.model import Effect, FNode, InstantaneousAction, OperatorKind, Problem
from unified_planning.model.metrics import MinimizeActionCosts
from unified_planning.model.walkers import ExpressionQuantifiersRemover
from unified_planning.plans import ActionInstance

from .task import Differs, Rule, Task, Values

#: The most values of a variable, the most rules, and the most cases of one expression.
MOST_VALUES, MOST_RULES, MOST_CASES = 1_000, 1_000_000, 100_000

_ARITHMETIC: dict[OperatorKind, Callable[..., Any]] = {
    OperatorKind.PLUS: lambda *terms: sum(terms),
    OperatorKind.MINUS: operator.sub,
    OperatorKind.TIMES: lambda *factors: _product(factors),
    OperatorKind.DIV: lambda a, b: Fraction(a) / b if b != 0 else None,
}
_COMPARISONS: dict[OperatorKind, Callable[[Any, Any], bool]] = {
    OperatorKind.EQUALS: operator.eq,
    OperatorKind.LE: operator.le,
    OperatorKind.LT: operator.lt,
}


class Unsupported(Exception):
    """The problem has something that can't become a finite task, or becomes too large a one."""


class OutOfTime(Exception):
    """The time is over."""


def _product(factors: tuple[Any, ...]) -> Any:
    product = factors[0]
    for factor in factors[1:]:
        product *= factor
    return product


def joined(a: Values, b: Values) -> Values | None:
    """Return the condition that both hold; ``None`` if they can't."""
    if len(a) < len(b):
        a, b = b, a
    for name, value in b.items():
        if a.get(name, value) != value:
            return None
    return {**a, **b} if b else a


def _constant(value: FNode) -> Any:
    """A constant as a Python value."""
    return value.object() if value.is_object_exp() else value.constant_value()


class Cases:
    """Which values expressions have, and in which states. A case is a condition on variables; every
    state with values of the domains meets a case of each value's that the expression has there."""

    def __init__(self, problem: Problem, deadline: float | None) -> None:
        self._problem = problem
        self._manager = problem.environment.expression_manager
        self._static = problem.get_static_fluents()
        self._deadline = deadline
        self._initial: dict[FNode, Any] = {}
        self.domains: dict[FNode, dict[Any, None]] = {}
        self.read: set[FNode] = set()
        """The variables that expressions were looked up in since this set was last emptied."""

    def check_time(self) -> None:
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise OutOfTime

    def initial(self, fluent: FNode) -> Any:
        """The value in the initial state."""
        if fluent not in self._initial:
            self._initial[fluent] = _constant(self._problem.initial_value(fluent))
        return self._initial[fluent]

    def domain(self, variable: FNode) -> dict[Any, None]:
        """The values of a variable so far."""
        if variable not in self.domains:
            self.domains[variable] = {self.initial(variable): None}
        return self.domains[variable]

    def limited(self, cases: list[Any]) -> list[Any]:
        self.check_time()
        if len(cases) > MOST_CASES:
            raise Unsupported(f"a condition or an effect has more than {MOST_CASES:,} cases")
        return cases

    def both(self, a: list[Values], b: list[Values]) -> list[Values]:
        found = (joined(one, other) for one in a for other in b)
        return self.limited([it for it in found if it is not None])

    def all_of(self, parts: Iterator[list[Values]]) -> list[Values]:
        """The cases in which one of each part's holds. Those that contradict each other are found
        soonest if parts with few cases come first."""
        cases: list[Values] = [{}]
        for part in sorted(parts, key=len):
            cases = _distinct(self.both(cases, part))
        return cases

    def truth(self, condition: FNode, wanted: bool = True) -> list[Values]:
        """The cases in which a condition has a truth value."""
        kind, args = condition.node_type, condition.args
        if kind == OperatorKind.NOT:
            return self.truth(args[0], not wanted)
        if kind in (OperatorKind.AND, OperatorKind.OR):
            parts = (self.truth(arg, wanted) for arg in args)
            if (kind == OperatorKind.AND) == wanted:
                return self.all_of(parts)
            return self.limited(_distinct(chain.from_iterable(parts)))
        if kind == OperatorKind.IMPLIES:
            if wanted:
                return _distinct(chain(self.truth(args[0], False), self.truth(args[1])))
            return self.both(self.truth(args[0]), self.truth(args[1], False))
        if kind == OperatorKind.IFF:
            same = [
                self.both(self.truth(args[0], it), self.truth(args[1], it == wanted))
                for it in (True, False)
            ]
            return _distinct(chain(*same))
        if kind == OperatorKind.EQUALS and not wanted:
            for one, other in (args, args[::-1]):
                if one.is_fluent_exp() and (other.is_constant() or other.is_object_exp()):
                    return list(self.differing(one, _constant(other)))
        if kind in _COMPARISONS:
            compare = _COMPARISONS[kind]
            return [case for (a, b), case in self.tuples(args) if compare(a, b) == wanted]
        return [case for value, case in self.values(condition) if value == wanted]

    def differing(self, expression: FNode, value: Any) -> Iterator[Values]:
        """The cases in which a fluent has another value: one for each, if there are few."""
        for fluent, case in self.fluents(expression):
            static = fluent.fluent() in self._static
            others = [it for it in self._values_of(fluent) if it != value]
            if static or len(others) < 2:
                more = [{} if static else {fluent: it} for it in others]
            else:
                more = [{Differs(fluent, value): True}]
            for it in more:
                both = joined(case, it)
                if both is not None:
                    yield both

    def _values_of(self, fluent: FNode) -> list[Any]:
        """The values that a fluent may have so far."""
        if fluent.fluent() in self._static:
            return [self.initial(fluent)]
        self.read.add(fluent)
        return list(self.domain(fluent))

    def tuples(self, expressions: list[FNode]) -> list[tuple[tuple[Any, ...], Values]]:
        """The values that expressions have together, each with a case."""
        found: list[tuple[tuple[Any, ...], Values]] = [((), {})]
        for expression in expressions:
            values = self.values(expression)
            combined = (
                (known + (value,), joined(case, more))
                for known, case in found
                for value, more in values
            )
            found = self.limited([(it, case) for it, case in combined if case is not None])
        return found

    def values(self, expression: FNode) -> list[tuple[Any, Values]]:
        """The values of an expression, each with a case."""
        kind = expression.node_type
        if expression.is_constant() or expression.is_object_exp():
            return [(_constant(expression), {})]
        if kind == OperatorKind.FLUENT_EXP:
            found = []
            for fluent, case in self.fluents(expression):
                static = fluent.fluent() in self._static
                for value in self._values_of(fluent):
                    more = case if static else joined(case, {fluent: value})
                    if more is not None:
                        found.append((value, more))
            return self.limited(found)
        if kind in _ARITHMETIC:
            compute = _ARITHMETIC[kind]
            results = ((compute(*it), case) for it, case in self.tuples(expression.args))
            return [(value, case) for value, case in results if value is not None]
        if expression.type.is_bool_type():
            return [(it, case) for it in (True, False) for case in self.truth(expression, it)]
        raise Unsupported(f"an expression of the kind {kind.name} can't be translated")

    def fluents(self, expression: FNode) -> Iterator[tuple[FNode, Values]]:
        """The fluents with constant arguments that an expression of a fluent stands for. There is
        none where an argument isn't one that the fluent is declared for."""
        fluent = expression.fluent()
        for arguments, case in self.tuples(expression.args):
            promoted = self._manager.auto_promote(*arguments) if arguments else []
            if all(_fits(it, parameter.type) for it, parameter in zip(arguments, fluent.signature)):
                yield self._manager.FluentExp(fluent, promoted), case


def _fits(value: Any, type: Any) -> bool:
    """Whether a number is within the bounds of a type; other values are what they must be."""
    if not (type.is_int_type() or type.is_real_type()):
        return True
    lower, upper = type.lower_bound, type.upper_bound
    return (lower is None or lower <= value) and (upper is None or value <= upper)


def _distinct(cases: Iterable[Values]) -> list[Values]:
    return list({frozenset(case.items()): case for case in cases}.values())


class Translation:
    """The task of a problem, and the actions that its rules stand for.

    Args:
        problem: The problem, of a kind that the engines support.
        deadline: The time (`time.monotonic`) at which the translation gives up.
    """

    def __init__(self, problem: Problem, deadline: float | None = None) -> None:
        self._problem = problem
        self._remove = ExpressionQuantifiersRemover(problem.environment)
        self._cases = Cases(problem, deadline)
        self._unread = self._fluents_without_influence()
        self._costs = self._action_costs()
        self.actions: list[ActionInstance] = []
        """The actions of rules, by their numbers."""
        self.cost_factor = 1
        """The cost in the task of what costs 1 in the problem."""
        rules = self._rules()
        goal = problem.environment.expression_manager.And(*problem.goals)
        goals = self._cases.truth(self._plain(goal))
        self.task = self._task(rules, goals)

    def _plain(self, expression: FNode) -> FNode:
        return self._remove.remove_quantifiers(expression, self._problem)

    def _fluents_without_influence(self) -> set[Any]:
        """The fluents that no condition, value or cost depends on, and that can't make an action
        inapplicable either, as bounds and contradictory effects do."""
        expressions = list(self._problem.goals)
        for action in self._problem.actions:
            expressions += action.preconditions
            for effect in action.effects:
                expressions += [effect.condition, effect.value, *effect.fluent.args]
        for metric in self._problem.quality_metrics:
            if isinstance(metric, MinimizeActionCosts):
                expressions += [it for it in metric.costs.values() if it is not None]
                expressions += [metric.default] if metric.default is not None else []
        fluents_of = self._problem.environment.free_vars_extractor.get
        read = {it.fluent() for each in expressions for it in fluents_of(self._plain(each))}
        assigned = {
            effect.fluent.fluent()
            for action in self._problem.actions
            for effect in action.effects
            if effect.is_assignment()
        }

        def harmless(fluent: Any) -> bool:
            if fluent.type.is_bool_type():
                return True
            is_number = fluent.type.is_int_type() or fluent.type.is_real_type()
            bounded = is_number and not (fluent.type.lower_bound is fluent.type.upper_bound is None)
            return is_number and not bounded and fluent not in assigned

        return {it for it in self._problem.fluents if it not in read and harmless(it)}

    def _action_costs(self) -> Callable[[Any], FNode]:
        """The cost of an action with parameters, as the metric has it: 1 without a metric."""
        manager = self._problem.environment.expression_manager
        if len(self._problem.quality_metrics) > 1:
            raise Unsupported("there are several metrics")
        for metric in self._problem.quality_metrics:
            if isinstance(metric, MinimizeActionCosts):
                return lambda action: metric.get_action_cost(action) or manager.Int(0)
        return lambda action: manager.Int(1)

    def _rules(self) -> list[tuple[int, Values, Values, Fraction]]:
        """The rules, once no variable gets further values."""
        grounder = GrounderHelper(self._problem)
        grounded = []
        for action, arguments, instance in grounder.get_grounded_actions():
            self._cases.check_time()
            if not isinstance(action, InstantaneousAction) or action.simulated_effect is not None:
                raise Unsupported(f"the action {action.name} can't be translated")
            if instance is None:
                continue
            names = dict(zip(action.parameters, arguments))
            cost = self._costs(action)
            grounded.append((self._parts(instance), cost.substitute(names) if names else cost))
            self.actions.append(ActionInstance(action, tuple(arguments)))

        found: list[list[tuple[Values, Values, Fraction]]] = [[] for _ in grounded]
        readers: dict[FNode, set[int]] = {}
        waiting, n_rules = dict.fromkeys(range(len(grounded))), 0
        while waiting:
            n = next(iter(waiting))
            del waiting[n]
            self._cases.read.clear()
            n_rules -= len(found[n])
            found[n] = list(self._rules_of(*grounded[n]))
            n_rules += len(found[n])
            if n_rules > MOST_RULES:
                raise Unsupported(f"the problem becomes more than {MOST_RULES:,} rules")
            for variable in self._cases.read:
                readers.setdefault(variable, set()).add(n)
            for _, after, _ in found[n]:
                for variable, value in after.items():
                    domain = self._cases.domain(variable)
                    if value not in domain:
                        domain[value] = None
                        waiting.update(dict.fromkeys(sorted(readers.get(variable, ()))))
                        if len(domain) > MOST_VALUES:
                            raise Unsupported(f"{variable} gets more than {MOST_VALUES:,} values")
        return [(n, *rule) for n, rules in enumerate(found) for rule in rules]

    def _parts(self, action: InstantaneousAction) -> tuple[list[FNode], list[Effect]]:
        """Preconditions and effects without quantifiers."""
        effects = [
            Effect(it.fluent, self._plain(it.value), self._plain(it.condition), it.kind)
            for effect in action.effects
            if effect.fluent.fluent() not in self._unread
            for it in effect.expand_effect(self._problem)
        ]
        return [self._plain(it) for it in action.preconditions], effects

    def _rules_of(
        self, parts: tuple[list[FNode], list[Effect]], cost: FNode
    ) -> Iterator[tuple[Values, Values, Fraction]]:
        """The rules of an action: the condition, what it writes, and its cost."""
        preconditions, effects = parts
        cases = self._cases.all_of(self._cases.truth(it) for it in preconditions)
        # What effects have written: a value and whether it was assigned, not added to.
        partial: list[tuple[Values, dict[FNode, tuple[Any, bool]]]] = [(case, {}) for case in cases]
        for effect in effects:
            if not partial:
                return
            options = list(self._effects(effect))
            more = []
            for case, written in partial:
                for condition, target, value in options:
                    both = joined(case, condition)
                    if both is not None:
                        new = written if target is None else _write(written, effect, target, value)
                        if new is not None:
                            more.append((both, new))
            partial = self._cases.limited(more)
        for case, written in partial:
            after = {name: value for name, (value, _) in written.items()}
            if not all(_fits(value, name.type) for name, value in after.items()):
                continue
            for price, condition in self._cases.values(cost):
                both = joined(case, condition)
                if both is not None:
                    yield both, after, Fraction(price)

    def _effects(self, effect: Effect) -> Iterator[tuple[Values, FNode | None, Any]]:
        """The cases of an effect: the condition, and what gets which value, if anything does. For
        an increase that is what the fluent has before, and the amount."""
        for case in self._cases.truth(effect.condition, False):
            yield case, None, None
        for case in self._cases.truth(effect.condition):
            for target, more in self._cases.fluents(effect.fluent):
                condition = joined(case, more)
                if condition is None:
                    continue
                for value, further in self._cases.values(effect.value):
                    whole = joined(condition, further)
                    if whole is None:
                        continue
                    if effect.is_assignment():
                        yield whole, target, value
                        continue
                    for before, last in self._cases.values(target):
                        counted = joined(whole, last)
                        if counted is not None:
                            yield counted, target, (before, value)

    def _task(self, rules: list[Any], goals: list[Values]) -> Task:
        """The task, with costs as whole numbers."""
        if any(cost < 0 for *_, cost in rules):
            raise Unsupported("an action has a negative cost")
        self.cost_factor = lcm(*(cost.denominator for *_, cost in rules)) if rules else 1
        domains = {name: list(values) for name, values in self._cases.domains.items()}
        return Task(
            {name: values[0] for name, values in domains.items()},
            [
                Rule(n, before, after, int(cost * self.cost_factor))
                for n, before, after, cost in rules
            ],
            goals,
            domains,
        ).with_differences()


def _write(
    written: dict[FNode, tuple[Any, bool]], effect: Effect, target: FNode, value: Any
) -> dict[FNode, tuple[Any, bool]] | None:
    """What an action writes, with one more effect; ``None`` if effects contradict each other, so
    that the action isn't applicable. Of truth values, `True` prevails."""
    known = written.get(target)
    if effect.is_assignment():
        if known is not None:
            if not known[1]:
                return None
            if known[0] != value:
                if not isinstance(value, bool):
                    return None
                value = True
        return {**written, target: (value, True)}
    before, amount = value
    if known is not None and known[1]:
        return None
    before = before if known is None else known[0]
    after = before + amount if effect.is_increase() else before - amount
    return {**written, target: (after, False)}

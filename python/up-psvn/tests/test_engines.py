"""The engines on the library's examples, with its validator and its simulator as judges."""

import io
import pathlib
import random
from collections import deque
from fractions import Fraction

import psvn
import pytest
import unified_planning.engines.results as results
import unified_planning.test
import up_psvn
from unified_planning.engines import SequentialPlanValidator
from unified_planning.engines import UPSequentialSimulator as Simulator
from unified_planning.exceptions import UPConflictingEffectsException, UPUsageError
from unified_planning.io import PDDLReader
from unified_planning.model import ProblemKind
from unified_planning.shortcuts import *
from unified_planning.test.examples import get_example_problems
from up_psvn import translate
from up_psvn.groups import Group, grouped
from up_psvn.translate import Translation

Status = results.PlanGenerationResultStatus
ENGINES = ["psvn", "psvn-opt"]
EXAMPLES = {
    name: case for name, case in get_example_problems().items() if isinstance(case.problem, Problem)
}
SUPPORTED = {
    name: case for name, case in EXAMPLES.items() if up_psvn.PSVNPlanner.supports(case.problem.kind)
}


@pytest.fixture(autouse=True, scope="module")
def engines():
    get_environment().credits_stream = None
    up_psvn.register()


def solve(problem, engine="psvn-opt", timeout=60, output=None, **params):
    with OneshotPlanner(name=engine, params=params) as planner:
        return planner.solve(problem, timeout=timeout, output_stream=output)


def is_valid(problem, plan):
    with SequentialPlanValidator() as validator:
        return bool(validator.validate(problem, plan).status)


def cost_of(problem, plan):
    metrics = problem.quality_metrics or [MinimizeSequentialPlanLength()]
    with Simulator(problem) as simulator:
        states = [simulator.get_initial_state()]
        for action in plan.actions:
            states.append(simulator.apply(states[-1], action))
        if isinstance(metrics[0], MinimizeSequentialPlanLength):
            return len(plan.actions)
        costs = [metrics[0].get_action_cost(action.action) for action in plan.actions]
        total = 0
        for state, action, cost in zip(states, plan.actions, costs):
            if cost is not None:
                names = dict(zip(action.action.parameters, action.actual_parameters))
                grounded = cost.substitute(names) if names else cost
                free = problem.environment.free_vars_extractor.get(grounded)
                values = {fluent: state.get_value(fluent) for fluent in free}
                total += (
                    (grounded.substitute(values) if values else grounded)
                    .simplify()
                    .constant_value()
                )
        return total


def least_length(problem, most_states=3_000):
    """The least number of actions, by breadth-first search with the library's own simulator: -1 if
    there is no plan, and `None` if there are more states."""
    fluents = [it for it in problem.initial_values]
    with Simulator(problem) as simulator:
        start = simulator.get_initial_state()
        key = lambda state: tuple(state.get_value(it) for it in fluents)
        seen, waiting = {key(start)}, deque([(start, 0)])
        while waiting:
            state, depth = waiting.popleft()
            if simulator.is_goal(state):
                return depth
            for action, arguments in simulator.get_applicable_actions(state):
                after = simulator.apply(state, action, arguments)
                if after is not None and key(after) not in seen:
                    seen.add(key(after))
                    waiting.append((after, depth + 1))
            if len(seen) > most_states:
                return None
    return -1


@pytest.mark.parametrize("mutexes", [True, False], ids=["groups", "facts"])
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", SUPPORTED)
def test_examples_are_solved(name, engine, mutexes):
    case = SUPPORTED[name]
    found = solve(case.problem, engine, mutexes=mutexes)
    assert (found.plan is not None) == case.solvable, found
    assert is_valid(case.problem, found.plan)
    optimal = engine == "psvn-opt" and bool(case.problem.quality_metrics)
    assert found.status == (Status.SOLVED_OPTIMALLY if optimal else Status.SOLVED_SATISFICING)
    if engine == "psvn-opt":
        known = [cost_of(case.problem, plan) for plan in case.valid_plans]
        cost = cost_of(case.problem, found.plan)
        assert all(cost <= it for it in known)
        if case.optimum is not None:
            assert cost == case.optimum


def test_most_examples_are_of_a_supported_kind():
    assert len(SUPPORTED) >= 30


@pytest.mark.parametrize(
    "name", [name for name, case in SUPPORTED.items() if not case.problem.quality_metrics]
)
def test_lengths_are_those_of_the_simulator(name):
    problem = SUPPORTED[name].problem
    least = least_length(problem)
    if least is None:
        pytest.skip("too many states for the simulator")
    assert len(solve(problem).plan.actions) == least


def random_problem(seed):
    """A problem with few states and much of what actions may say: several effects on one fluent,
    conditions, values that other fluents have, disjunctions, quantifiers, nested fluents."""
    rng = random.Random(seed)
    thing = UserType("thing")
    objects = [Object(f"o{n}", thing) for n in range(rng.randint(2, 3))]
    flag, mark = Fluent("flag", BoolType()), Fluent("mark", BoolType(), of=thing)
    place, level = Fluent("place", thing, of=thing), Fluent("level", IntType(0, 3))
    problem = Problem(f"random{seed}")
    for fluent, value in ((flag, False), (mark, False), (level, 1)):
        problem.add_fluent(fluent, default_initial_value=value)
    problem.add_fluent(place, default_initial_value=objects[0])
    problem.add_objects(objects)
    for it in objects:
        problem.set_initial_value(mark(it), rng.random() < 0.4)
        problem.set_initial_value(place(it), rng.choice(objects))

    def atom(terms):
        it, other = rng.choice(terms), rng.choice(terms)
        return rng.choice(
            [
                lambda: FluentExp(flag),
                lambda: mark(it),
                lambda: mark(place(it)),
                lambda: Equals(place(it), other),
                lambda: Equals(place(it), place(other)),
                lambda: LE(level, rng.randint(0, 2)),
                lambda: Equals(level, rng.randint(0, 3)),
            ]
        )()

    def condition(terms, depth=2):
        kind = rng.randrange(8 if depth else 2)
        if kind < 2:
            return atom(terms) if kind else Not(atom(terms))
        if kind == 2:
            variable = Variable("v", thing)
            return rng.choice([Exists, Forall])(condition([*terms, variable], 0), variable)
        a, b = condition(terms, depth - 1), condition(terms, depth - 1)
        return rng.choice([And, Or, Implies, Iff, lambda a, b: Not(And(a, b))])(a, b)

    for n in range(rng.randint(3, 5)):
        action = InstantaneousAction(f"act{n}", it=thing)
        terms = [action.parameter("it"), *objects]
        for _ in range(rng.randint(0, 1)):
            action.add_precondition(condition(terms))
        for _ in range(rng.randint(1, 3)):
            when = condition(terms) if rng.random() < 0.5 else TRUE()
            target = rng.choice(terms)
            effect = rng.randrange(5)
            try:
                if effect == 0:
                    action.add_effect(
                        flag, rng.choice([TRUE(), FALSE(), condition(terms, 1)]), when
                    )
                elif effect < 3:
                    action.add_effect(mark(target), rng.choice([TRUE(), FALSE()]), when)
                elif effect == 3:
                    action.add_effect(
                        place(target), rng.choice([place(rng.choice(terms)), target]), when
                    )
                else:
                    change = rng.choice([action.add_increase_effect, action.add_decrease_effect])
                    # The simulator can't do this on conditions.
                    change(level, rng.randint(1, 2))
            except UPConflictingEffectsException:
                pass
        problem.add_action(action)
    for _ in range(20):
        problem.clear_goals()
        problem.add_goal(
            And(condition(objects), rng.choice([condition(objects), Equals(level, 3)]))
        )
        with Simulator(problem) as simulator:
            if not simulator.is_goal(simulator.get_initial_state()):
                break
    return problem


@pytest.mark.parametrize("seed", range(50))
def test_random_problems_have_the_lengths_of_the_simulator(seed):
    problem = random_problem(seed)
    assert up_psvn.PSVNPlanner.supports(problem.kind), problem.kind
    least = least_length(problem)
    for mutexes in (True, False):
        found = solve(problem, mutexes=mutexes)
        if least == -1:
            assert found.status == Status.UNSOLVABLE_PROVEN, problem
        else:
            assert is_valid(problem, found.plan), problem
            assert least is None or len(found.plan.actions) == least, problem


def test_random_problems_are_of_both_kinds():
    solvable = [least_length(random_problem(seed)) for seed in range(50)]
    assert sum(it == -1 for it in solvable) >= 10 and sum((it or 0) > 1 for it in solvable) >= 5, (
        solvable
    )


@pytest.mark.parametrize("name, length", [("depot", 10), ("miconic", 6)])
def test_problems_in_pddl(name, length):
    folder = pathlib.Path(unified_planning.test.__file__).parent / "pddl" / name
    problem = PDDLReader().parse_problem(folder / "domain.pddl", folder / "problem.pddl")
    for params in ({}, {"mutexes": False}, {"algorithm": "ucs", "heuristic": "zero"}):
        found = solve(problem, **params)
        assert is_valid(problem, found.plan)
        assert len(found.plan.actions) == length


def test_facts_that_exclude_each_other_become_one_variable():
    problem = EXAMPLES["hierarchical_blocks_world"].problem
    task = Translation(problem).task.relevant()
    assert len(task.domains) == 24 and len(grouped(task).domains) < 10


def test_exactly_one_fact_of_each_group_is_true_on_random_walks():
    n_groups = 0
    for name in ("hierarchical_blocks_world", "robot_loader_adv", "robot_locations_visited"):
        problem = EXAMPLES[name].problem
        domains = grouped(Translation(problem).task.relevant()).domains
        groups = [it for it in domains if isinstance(it, Group)]
        n_groups += len(groups)
        rng = random.Random(1)
        with Simulator(problem) as simulator:
            for _ in range(5):
                state = simulator.get_initial_state()
                for _ in range(10):
                    for group in groups:
                        true = [it for it in group.facts if state.get_value(it).is_true()]
                        assert len(true) == 1, (name, group)
                    possible = list(simulator.get_applicable_actions(state))
                    if not possible:
                        break
                    state = simulator.apply(state, *rng.choice(possible))
    assert n_groups >= 6


def test_a_number_becomes_a_variable():
    task = Translation(EXAMPLES["counter_to_50"].problem).task
    (values,) = task.domains.values()
    assert values == list(range(101))


def without_a_way():
    problem = EXAMPLES["robot_no_negative_preconditions"].problem.clone()
    problem.clear_actions()
    return problem


def test_what_has_no_plan_is_proved():
    assert solve(without_a_way()).status == Status.UNSOLVABLE_PROVEN
    x, y = Fluent("x"), Fluent("y")
    problem = Problem("either")
    for fluent in (x, y):
        problem.add_fluent(fluent, default_initial_value=False)
    for one, other in ((x, y), (y, x)):
        action = InstantaneousAction(f"only_{one.name}")
        action.add_effect(one, True)
        action.add_effect(other, False)
        problem.add_action(action)
    problem.add_goal(And(x, y))
    for engine in ENGINES:
        assert solve(problem, engine).status == Status.UNSOLVABLE_PROVEN


def test_a_goal_that_holds_takes_no_action():
    problem = EXAMPLES["basic"].problem.clone()
    problem.clear_goals()
    assert solve(problem).plan.actions == []


def test_kinds_that_are_not_translated_are_refused():
    refused = {name for name in EXAMPLES if name not in SUPPORTED}
    assert {"basic_oversubscription", "travel", "matchcellar", "basic_numeric"} <= refused
    for name in ("basic_oversubscription", "travel", "matchcellar", "robot_loader_weak_bridge"):
        with pytest.warns(UserWarning, match="cannot establish"):
            found = solve(EXAMPLES[name].problem)
        assert found.status == Status.UNSUPPORTED_PROBLEM, name
    assert not up_psvn.PSVNPlanner.supports(ProblemKind(["HIERARCHICAL"]))


def test_numbers_without_bounds_are_translated_for_those_who_ask_by_name():
    problem = EXAMPLES["basic_numeric"].problem
    with pytest.warns(UserWarning, match="cannot establish"):
        assert is_valid(problem, solve(problem).plan)


def endless(bound):
    """A counter with more values than are translated."""
    counter = Fluent("counter", IntType(0, bound))
    problem = Problem("endless")
    problem.add_fluent(counter, default_initial_value=0)
    increase = InstantaneousAction("increase")
    increase.add_increase_effect(counter, 1)
    problem.add_action(increase)
    problem.add_goal(Equals(counter, bound))
    return problem


def test_what_is_too_large_is_said(monkeypatch):
    monkeypatch.setattr(translate, "MOST_VALUES", 50)
    found = solve(endless(1_000_000), timeout=None)
    assert found.status == Status.UNSUPPORTED_PROBLEM
    assert "50 values" in str(found.log_messages[-1])


def test_time_ends_translations_and_searches():
    assert solve(endless(1_000_000), timeout=0.01).status == Status.TIMEOUT
    assert solve(towers(15), timeout=2, algorithm="ucs", heuristic="zero").status == Status.TIMEOUT


def test_memory_ends_searches():
    found = solve(towers(11), memory="1MiB", algorithm="ucs", heuristic="zero")
    assert found.status == Status.MEMOUT


def towers(n_disks):
    """Disks on three pegs: what each disk is on, as an object."""
    place = UserType("place")
    disk = UserType("disk", place)
    on = Fluent("on", place, disk=disk)
    larger = Fluent("larger", BoolType(), one=place, other=disk)
    problem = Problem("towers")
    pegs = [Object(f"peg{n}", place) for n in range(3)]
    disks = [Object(f"disk{n}", disk) for n in range(n_disks)]
    problem.add_objects([*pegs, *disks])
    problem.add_fluent(on)
    problem.add_fluent(larger, default_initial_value=False)
    for n, it in enumerate(disks):
        problem.set_initial_value(on(it), disks[n + 1] if n + 1 < n_disks else pegs[0])
        for other in [*disks[n + 1 :], *pegs]:
            problem.set_initial_value(larger(other, it), True)
    move = InstantaneousAction("move", it=disk, to=place)
    it, to = move.parameters
    move.add_precondition(larger(to, it))
    any_disk = Variable("any_disk", disk)
    move.add_precondition(
        Forall(And(Not(Equals(on(any_disk), it)), Not(Equals(on(any_disk), to))), any_disk)
    )
    move.add_effect(on(it), to)
    problem.add_action(move)
    for n, it in enumerate(disks):
        problem.add_goal(Equals(on(it), disks[n + 1] if n + 1 < n_disks else pegs[2]))
    return problem


def test_names_may_be_words_of_psvn():
    """Objects, fluents and actions called as the language's own words, or alike but for case."""
    place = UserType("domain")
    names = ["goal", "GOAL", "label", "cost", "abstraction", "1", "-", "a b", "*x", "=>", "none"]
    places = [Object(name, place) for name in names]
    at = Fluent("variables", place)
    problem = Problem("# start: {}")
    problem.add_objects(places)
    problem.add_fluent(at)
    problem.set_initial_value(at, places[0])
    for n, (one, other) in enumerate(zip(places, places[1:])):
        action = InstantaneousAction(["LABEL", "cost", "=>", "#", "move one"][n % 5] + str(n // 5))
        action.add_precondition(Equals(at, one))
        action.add_effect(at, other)
        problem.add_action(action)
    problem.add_goal(Equals(at, places[-1]))
    found = solve(problem)
    assert len(found.plan.actions) == len(names) - 1 and is_valid(problem, found.plan)


def test_fluents_of_objects():
    problem = towers(3)
    problem.add_quality_metric(MinimizeSequentialPlanLength())
    found = solve(problem)
    assert found.status == Status.SOLVED_OPTIMALLY and len(found.plan.actions) == 7
    assert is_valid(problem, found.plan)


def test_certificates_prove_the_cost(tmp_path):
    path = tmp_path / "cost.cert"
    problem = EXAMPLES["locations_connected_cost_minimize"].problem
    found = solve(problem, certificate=str(path))
    assert found.status == Status.SOLVED_OPTIMALLY
    assert any(path.name in str(message) for message in found.log_messages)
    assert psvn.certify(path)
    other = tmp_path / "other.cert"
    assert "no certificate" in str(solve(without_a_way(), certificate=str(other)).log_messages)
    assert not other.exists()


def test_costs_that_are_fractions():
    problem = EXAMPLES["basic_with_costs"].problem.clone()
    problem.clear_quality_metrics()
    actions = problem.actions
    costs = {actions[0]: Fraction(7, 2), actions[1]: Fraction(1, 3), actions[2]: Fraction(3, 1)}
    problem.add_quality_metric(MinimizeActionCosts(costs))
    found = solve(problem)
    assert found.status == Status.SOLVED_OPTIMALLY
    assert cost_of(problem, found.plan) == min(Fraction(7, 2), Fraction(10, 3))
    several = problem.clone()
    several.add_quality_metric(MinimizeSequentialPlanLength())
    assert solve(several).status == Status.UNSUPPORTED_PROBLEM
    negative = problem.clone()
    negative.clear_quality_metrics()
    negative.add_quality_metric(MinimizeActionCosts({it: -1 for it in negative.actions}))
    assert solve(negative).status == Status.UNSUPPORTED_PROBLEM


def test_guarantees_choose_the_engine():
    problem = EXAMPLES["basic_with_costs"].problem
    with OneshotPlanner(
        problem_kind=problem.kind, optimality_guarantee=OptimalityGuarantee.SOLVED_OPTIMALLY
    ) as planner:
        assert planner.name == "psvn-opt"


def test_least_costs_are_claimed_only_where_they_are_found():
    problem = EXAMPLES["basic_with_costs"].problem
    with pytest.raises(UPUsageError):
        solve(problem, algorithm="greedy")
    assert solve(problem, heuristic="h-add").status == Status.SOLVED_SATISFICING
    assert solve(problem, heuristic="h-max").status == Status.SOLVED_OPTIMALLY


def test_the_example_of_the_readme(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    readme = (pathlib.Path(__file__).parents[1] / "README.md").read_text()
    exec(readme.split("```python\n")[1].split("```")[0], {})
    assert "SOLVED_OPTIMALLY SequentialPlan:" in capsys.readouterr().out
    assert psvn.certify("trip.cert")


def test_output_and_metrics():
    output = io.StringIO()
    found = solve(EXAMPLES["basic"].problem, output=output)
    assert output.getvalue().startswith("psvn-opt: 1 variables, 1 rules\n")
    assert found.metrics["rules"] == "1" and int(found.metrics["generated"]) == 1
    with (
        OneshotPlanner(name="psvn") as planner,
        pytest.warns(UserWarning, match="ignores the heuristic"),
    ):
        planner.solve(EXAMPLES["basic"].problem, heuristic=lambda state: 0.0)

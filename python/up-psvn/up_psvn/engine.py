"""The engines: one for any plan, one for plans of least cost."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from typing import IO, Any

import psvn
from unified_planning.engines import Credits, Engine, OptimalityGuarantee
from unified_planning.engines import PlanGenerationResultStatus as Status
from unified_planning.engines.mixins import OneshotPlannerMixin
from unified_planning.engines.results import LogLevel, LogMessage, PlanGenerationResult
from unified_planning.exceptions import UPUsageError
from unified_planning.model import AbstractProblem, Problem, ProblemKind, State
from unified_planning.plans import Plan, SequentialPlan

from .groups import grouped
from .task import Names, Task, text
from .translate import OutOfTime, Translation, Unsupported

_CREDITS = Credits(
    name="PSVN",
    author="The authors of the PSVN toolkit",
    contact="",
    website="",
    license="MIT OR Apache-2.0",
    short_description="Heuristic search with pruning of redundant sequences of rules.",
    long_description="Translates a problem to variables with finite domains and rules in PSVN, "
    "and searches with the package psvn. Least costs come with certificates, if requested.",
)

#: The algorithms that find least costs, if estimates aren't too high.
_OPTIMAL = (
    "astar",
    "bae",
    "bidirectional",
    "dfbnb",
    "ida",
    "ida-cr",
    "ida-table",
    "nbs",
    "sma",
    "ucs",
)

_KIND = {
    "problem_class": ["ACTION_BASED"],
    "typing": ["FLAT_TYPING", "HIERARCHICAL_TYPING"],
    "parameters": [
        "BOOL_FLUENT_PARAMETERS",
        "BOUNDED_INT_FLUENT_PARAMETERS",
        "BOOL_ACTION_PARAMETERS",
        "BOUNDED_INT_ACTION_PARAMETERS",
    ],
    "problem_type": ["SIMPLE_NUMERIC_PLANNING", "GENERAL_NUMERIC_PLANNING"],
    "numbers": ["BOUNDED_TYPES"],
    "fluents_type": ["INT_FLUENTS", "REAL_FLUENTS", "OBJECT_FLUENTS"],
    "conditions_kind": [
        "NEGATIVE_CONDITIONS",
        "DISJUNCTIVE_CONDITIONS",
        "EQUALITIES",
        "EXISTENTIAL_CONDITIONS",
        "UNIVERSAL_CONDITIONS",
    ],
    "effects_kind": [
        "CONDITIONAL_EFFECTS",
        "INCREASE_EFFECTS",
        "DECREASE_EFFECTS",
        "STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
        "STATIC_FLUENTS_IN_NUMERIC_ASSIGNMENTS",
        "STATIC_FLUENTS_IN_OBJECT_ASSIGNMENTS",
        "FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
        "FLUENTS_IN_NUMERIC_ASSIGNMENTS",
        "FLUENTS_IN_OBJECT_ASSIGNMENTS",
        "FORALL_EFFECTS",
    ],
    "quality_metrics": ["ACTIONS_COST", "PLAN_LENGTH"],
    "actions_cost_kind": [
        "STATIC_FLUENTS_IN_ACTIONS_COST",
        "FLUENTS_IN_ACTIONS_COST",
        "INT_NUMBERS_IN_ACTIONS_COST",
        "REAL_NUMBERS_IN_ACTIONS_COST",
    ],
}


class PSVNPlanner(Engine, OneshotPlannerMixin):
    """Finds some plan: greedy best-first search with the estimates of delete relaxation.

    Args:
        algorithm, heuristic: As `psvn.Game.solve` takes them.
        mutexes: Whether facts that exclude each other become one variable.
        memory: The most memory for states, in bytes or as text such as ``"2GiB"``.
        threads: The threads of the search.
        options: More options of `psvn.Game.solve`.
    """

    _algorithm, _heuristic = "greedy", "ff"
    _certificate: str | os.PathLike[str] | None = None

    def __init__(
        self,
        algorithm: str | None = None,
        heuristic: str | None = None,
        mutexes: bool = True,
        memory: int | str | None = None,
        threads: int = 1,
        **options: Any,
    ) -> None:
        Engine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        self._algorithm = algorithm or self._algorithm
        self._heuristic = heuristic or self._heuristic
        self._mutexes, self._memory, self._threads = mutexes, memory, threads
        self._options = options

    @property
    def name(self) -> str:
        return "psvn"

    @staticmethod
    def supported_kind() -> ProblemKind:
        return ProblemKind(
            [feature for features in _KIND.values() for feature in features], version=2
        )

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        """Whether problems of a kind are translated. Fluents that are numbers must have bounds."""
        unbounded = not problem_kind.has_bounded_types() and (
            problem_kind.has_simple_numeric_planning()
            or problem_kind.has_general_numeric_planning()
        )
        return problem_kind <= PSVNPlanner.supported_kind() and not unbounded

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        return optimality_guarantee == OptimalityGuarantee.SATISFICING

    @staticmethod
    def get_credits(**kwargs: Any) -> Credits:
        return _CREDITS

    def _solve(
        self,
        problem: AbstractProblem,
        heuristic: Callable[[State], float | None] | None = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> PlanGenerationResult:
        return self._solve_with_params(problem, heuristic, timeout, output_stream)

    def _solve_with_params(
        self,
        problem: AbstractProblem,
        heuristic: Callable[[State], float | None] | None = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
        warm_start_plan: Plan | None = None,
        **kwargs: Any,
    ) -> PlanGenerationResult:
        strange = problem.kind.features - self.supported_kind().features
        if not isinstance(problem, Problem) or (strange and not self.skip_checks):
            run = _Run(self.name, problem, timeout, output_stream)
            what = ", ".join(sorted(strange)) or "this class of problems"
            return run.result(Status.UNSUPPORTED_PROBLEM, None, what, LogLevel.ERROR)
        for given, what in ((heuristic, "heuristic"), (warm_start_plan, "warm start")):
            if given is not None:
                warnings.warn(f"{self.name} ignores the {what} that was given", stacklevel=3)
        run = _Run(self.name, problem, timeout, output_stream)
        try:
            translation = Translation(problem, run.deadline)
            task = translation.task.relevant()
            if self._mutexes:
                task = grouped(task, run.deadline)
            run.say(f"{len(task.domains)} variables, {len(task.rules)} rules")
            run.metrics |= {"variables": str(len(task.domains)), "rules": str(len(task.rules))}
            return self._search(run, translation, task)
        except OutOfTime:
            return run.result(Status.TIMEOUT, None, "the time is over before the search")
        except Unsupported as reason:
            return run.result(Status.UNSUPPORTED_PROBLEM, None, str(reason), LogLevel.ERROR)
        except psvn.LimitError as reason:
            out = Status.MEMOUT if "memory" in str(reason) else Status.TIMEOUT
            return run.result(out, None, str(reason))
        except psvn.PsvnError as reason:
            return run.result(Status.INTERNAL_ERROR, None, str(reason), LogLevel.ERROR)

    def _search(self, run: _Run, translation: Translation, task: Task) -> PlanGenerationResult:
        if self._certificate is not None and not (task.goals and task.domains):
            run.say("nothing is searched, so there is no certificate", LogLevel.WARNING)
        if not task.goals:
            return run.result(Status.UNSOLVABLE_PROVEN, None, "no goal can be reached")
        if not task.domains:
            return run.solved(self, SequentialPlan([]))
        labels = Names().words(translation.actions)
        game_text, start = text(task, labels, run.problem.name or "problem")
        environment = psvn.Environment(threads=self._threads, progress=False)
        options: dict[str, Any] = {"time": run.time_left(), "memory": self._memory, **self._options}
        with warnings.catch_warnings():
            # Warnings are about texts that people write.
            warnings.simplefilter("ignore", psvn.PsvnWarning)
            game = psvn.Game.parse(game_text, name=run.problem.name or "problem", env=environment)
            found = game.solve(
                start,
                self._algorithm,
                self._heuristic,
                certificate=self._certificate,
                **options,
            )
        run.metrics |= {
            "generated": str(found.generated),
            "expanded": str(found.expanded),
            "search_seconds": f"{found.seconds:.6f}",
        }
        run.say(f"{found.outcome}, {found.generated:,} nodes generated")
        if self._certificate is not None and found.outcome in ("solved", "no-solution"):
            run.say(f"the certificate is {os.fspath(self._certificate)}")
        if found.solved:
            actions = dict(zip(labels, translation.actions))
            plan = SequentialPlan([actions[label] for label in found.moves or []])
            return run.solved(self, plan, found.admissible is not False)
        if found.outcome == "no-solution":
            return run.result(
                Status.UNSOLVABLE_PROVEN, None, found.proof or "all states were searched"
            )
        if found.outcome in ("time", "memory"):
            status = Status.TIMEOUT if found.outcome == "time" else Status.MEMOUT
            return run.result(status, None, f"stopped at the limit: {found.outcome}")
        return run.result(Status.UNSOLVABLE_INCOMPLETELY, None, f"stopped: {found.outcome}")


class PSVNOptPlanner(PSVNPlanner):
    """Finds a plan of least cost: A* with landmark cuts.

    Args:
        certificate: A file for the proof that the plan has the least cost, or that there is none;
            `psvn.certify` checks it. It is about the translated problem, which it contains.
        algorithm: One that finds least costs.
        heuristic, options: As those of `PSVNPlanner`.
    """

    _algorithm, _heuristic = "astar", "lm-cut"

    def __init__(
        self,
        certificate: str | os.PathLike[str] | None = None,
        algorithm: str | None = None,
        heuristic: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__(algorithm, heuristic, **options)
        if self._algorithm not in _OPTIMAL:
            raise UPUsageError(f"{self._algorithm} doesn't find plans of least cost: {_OPTIMAL} do")
        self._certificate = certificate

    @property
    def name(self) -> str:
        return "psvn-opt"

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        return True


class _Run:
    """One call of an engine: its limits, and what it reports."""

    def __init__(
        self, name: str, problem: AbstractProblem, timeout: float | None, output: IO[str] | None
    ) -> None:
        self.name, self.problem, self.output = name, problem, output
        self.deadline = None if timeout is None else time.monotonic() + timeout
        self.metrics: dict[str, str] = {}
        self._messages: list[LogMessage] = []

    def time_left(self) -> float | None:
        if self.deadline is None:
            return None
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise OutOfTime
        return left

    def say(self, message: str, level: LogLevel = LogLevel.INFO) -> None:
        self._messages.append(LogMessage(level, message))
        if self.output is not None:
            self.output.write(f"{self.name}: {message}\n")

    def result(
        self, status: Status, plan: Plan | None, message: str = "", level: LogLevel = LogLevel.INFO
    ) -> PlanGenerationResult:
        if message:
            self.say(message, level)
        return PlanGenerationResult(
            status, plan, self.name, metrics=self.metrics, log_messages=self._messages
        )

    def solved(
        self, engine: PSVNPlanner, plan: SequentialPlan, admissible: bool = True
    ) -> PlanGenerationResult:
        optimal = admissible and engine.satisfies(OptimalityGuarantee.SOLVED_OPTIMALLY)
        optimal = optimal and bool(getattr(self.problem, "quality_metrics", ()))
        return self.result(Status.SOLVED_OPTIMALLY if optimal else Status.SOLVED_SATISFICING, plan)

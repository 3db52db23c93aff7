"""PSVN as an engine of the Unified Planning library.

Make the engines known, and name one::

    import up_psvn
    from unified_planning.shortcuts import OneshotPlanner

    up_psvn.register()
    with OneshotPlanner(name="psvn-opt") as planner:
        result = planner.solve(problem)

``psvn`` finds some plan, and ``psvn-opt`` one of least cost, with a certificate if requested:
``OneshotPlanner(name="psvn-opt", params={"certificate": "cost.cert"})``.
"""

from __future__ import annotations

from unified_planning.environment import Environment, get_environment

from .engine import PSVNOptPlanner, PSVNPlanner
from .translate import Translation, Unsupported

__all__ = ["PSVNOptPlanner", "PSVNPlanner", "Translation", "Unsupported", "register"]


def register(environment: Environment | None = None) -> None:
    """Add the engines ``psvn`` and ``psvn-opt`` to an environment: by default the global one."""
    factory = (environment or get_environment()).factory
    factory.add_engine("psvn", "up_psvn", "PSVNPlanner")
    factory.add_engine("psvn-opt", "up_psvn", "PSVNOptPlanner")

"""Games."""

from __future__ import annotations

from html import escape

from .._core.data import html_table
from .searching import SearchedGame


class Game(SearchedGame):
    """A game: domains, variables, rules, and goals.

    Make one by `Game.open`, `Game.builtin`, `Game.parse`, or a `GameBuilder`.

    Example:
        >>> game = psvn.Game.builtin("sliding-tiles:3:3")
        >>> game.solve("8 7 6 5 4 3 2 1 0", heuristic="manhattan").cost
        28
    """

    def __repr__(self) -> str:
        return f"<Game {self.name}: {self.n_variables} variables, {self.n_rules} rules>"

    def _repr_html_(self) -> str:
        about = self.describe()
        facts = [
            ("variables", self.n_variables),
            ("rules", self.n_rules),
            ("rules that none undoes", about["without_inverse"]),
            ("goals", len(about["goals"])),
            ("goal state", about["goal_state"]),
            ("invariants", len(about["invariants"])),
        ]
        goal = self.goal
        picture = (goal._repr_svg_() if goal is not None else None) or ""
        rules = f"<details><summary>rules</summary>{self.rules._repr_html_()}</details>"
        return f"<p><b>{escape(self.name)}</b></p>{html_table(['', ''], facts)}{picture}{rules}"

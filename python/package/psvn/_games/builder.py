"""Games made by Python loops, and printed as PSVN."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .._core.environment import Environment
from .._core.errors import UsageError
from .game import Game

#: The entry that leaves a variable unchanged.
UNCHANGED = "-"


class Symbol:
    """A variable symbol of a rule: it matches any value, and equal symbols match equal values."""

    def __init__(self, name: str) -> None:
        self.name = _word(name, "a symbol")

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"psvn.symbol({self.name!r})"


def symbol(name: str) -> Symbol:
    """Make a variable symbol for the rules of a `GameBuilder`."""
    return Symbol(name)


def _word(value: Any, what: str) -> str:
    """A value as one word of PSVN."""
    word = str(value)
    wrong = not word or any(it.isspace() for it in word) or word[0] in "#;*{}"
    if wrong or word in ("-", "=>") or any(it in word for it in "{}"):
        raise UsageError(f"{word!r} can't be {what}: it is no word of PSVN")
    return word


class GameBuilder:
    """A builder of games: domains, variables by name, rules, goals.

    Example:
        >>> b = psvn.GameBuilder("lights")
        >>> light = b.domain("light", ["off", "on"])
        >>> for i in range(3):
        ...     _ = b.variable(f"l{i}", light)
        >>> for i in range(3):
        ...     for before, after in [("off", "on"), ("on", "off")]:
        ...         b.rule(f"press{i}", {f"l{i}": (before, after)})
        >>> b.goal({f"l{i}": "on" for i in range(3)})
        >>> game = b.build()
    """

    def __init__(self, name: str = "game") -> None:
        self.name = name
        self._domains: dict[str, list[str]] = {}
        self._variables: dict[str, str] = {}
        self._rules: list[tuple[list[str], list[str], str | None, int]] = []
        self._goals: list[list[str]] = []
        self._layout: str | None = None

    def domain(self, name: str, values: Iterable[Any]) -> str:
        """Add a domain with the names of its values, and return its name."""
        name = _word(name, "the name of a domain")
        words = [_word(value, "the name of a value") for value in values]
        if name.casefold() in (known.casefold() for known in self._domains) or name.isdigit():
            raise UsageError(f"the domain {name!r} is there already")
        if len({word.casefold() for word in words}) < len(words) or not words:
            raise UsageError(f"the values of the domain {name!r} must differ, and there is one")
        self._domains[name] = words
        return name

    def variable(self, name: str, domain: str | int) -> str:
        """Add a variable, and return its name. The domain n has the numbers from 0 to n - 1."""
        if isinstance(domain, int):
            domain = str(domain)
        if domain not in self._domains and not (domain.isdigit() and int(domain) > 0):
            raise UsageError(f"there is no domain {domain!r}{_near(domain, self._domains)}")
        if name in self._variables:
            raise UsageError(f"the variable {name!r} is there already")
        self._variables[name] = domain
        return name

    def variables(self, names: Iterable[str], domain: str | int) -> list[str]:
        """Add variables of one domain, and return their names."""
        return [self.variable(name, domain) for name in names]

    def values(self, variable: str) -> list[str]:
        """Return the values of a variable."""
        domain = self._variables[self._known(variable)]
        return self._domains.get(domain) or [str(number) for number in range(int(domain))]

    def rule(
        self,
        label: str | None,
        before: Mapping[str, Any] | Sequence[Any],
        after: Mapping[str, Any] | Sequence[Any] | None = None,
        *,
        cost: int = 1,
    ) -> None:
        """Add a rule.

        Args:
            label: The name of the rule; several rules may share a label.
            before: The precondition: values by the names of variables, or a row with an entry
                for each variable, in their order. An entry ``"-"`` isn't tested, and `symbol`
                matches any value. Without `after`, the values of a dictionary are pairs:
                precondition and result.
            after: The result, in the same form; variables that aren't named, and ``"-"``,
                keep their values.
            cost: The cost, 0 or more.
        """
        if after is None:
            if not isinstance(before, Mapping):
                raise UsageError("a rule that is a row needs another row: what it leaves")
            changes = {name: _pair(name, pair) for name, pair in before.items()}
            before = {name: pair[0] for name, pair in changes.items()}
            after = {name: pair[1] for name, pair in changes.items()}
        if isinstance(cost, bool) or not isinstance(cost, int) or cost < 0:
            raise UsageError(f"a cost is a whole number from 0 on, and this is {cost!r}")
        left, right = self._row(before), self._row(after)
        word = None if label is None else _word(label, "a label")
        self._rules.append((left, right, word, cost))

    def goal(self, values: Mapping[str, Any] | Sequence[Any]) -> None:
        """Add a goal: values by the names of variables, or a row. Several are alternatives."""
        self._goals.append(self._row(values))

    def board(self, rows: int, columns: int, blank: Any = None) -> None:
        """Declare the first variables as a board, row by row, so that states can be drawn."""
        text = f"# layout: rows {rows} columns {columns}"
        self._layout = text if blank is None else f"{text} blank {_word(blank, 'a value')}"

    def _known(self, name: str) -> str:
        if name not in self._variables:
            raise UsageError(f"there is no variable {name!r}{_near(name, self._variables)}")
        return name

    def _entry(self, variable: str, value: Any) -> str:
        if isinstance(value, Symbol):
            if value.name.casefold() in (it.casefold() for it in self.values(variable)):
                raise UsageError(
                    f"the symbol {value.name!r} is a value of the variable {variable!r} too",
                    hint="call the symbol otherwise",
                )
            return value.name
        word = str(value)
        if word == UNCHANGED:
            return word
        values = self.values(variable)
        if word.casefold() not in (it.casefold() for it in values):
            raise UsageError(
                f"{word!r} isn't a value of the variable {variable!r}{_near(word, values)}",
                hint="psvn.symbol(name) matches any value",
            )
        return word

    def _row(self, values: Mapping[str, Any] | Sequence[Any]) -> list[str]:
        if isinstance(values, Mapping):
            for name in values:
                self._known(name)
            return [
                self._entry(name, values[name]) if name in values else UNCHANGED
                for name in self._variables
            ]
        row = values.split() if isinstance(values, str) else list(values)
        if len(row) != len(self._variables):
            raise UsageError(
                f"a row has an entry for each of the {len(self._variables)} variables, and this "
                f"one has {len(row)}"
            )
        return [self._entry(name, value) for name, value in zip(self._variables, row)]

    def __str__(self) -> str:
        """The game as PSVN."""
        lines = [f"# {self.name}"]
        if self._layout is not None:
            lines.append(self._layout)
        lines.append(f"# variables: {' '.join(self._variables)}")
        for name, values in self._domains.items():
            lines.append(f"DOMAIN {name} {len(values)} {' '.join(values)}")
        lines += ["", str(len(self._variables)), " ".join(self._variables.values()), ""]
        for left, right, label, cost in self._rules:
            line = f"{' '.join(left)} => {' '.join(right)}"
            line += "" if label is None else f" LABEL {label}"
            lines.append(line + ("" if cost == 1 else f" COST {cost}"))
        lines += [f"GOAL {' '.join(goal)}" for goal in self._goals]
        return "\n".join(lines) + "\n"

    def build(self, env: Environment | None = None) -> Game:
        """Build the game.

        Raises:
            TextError: If the text that the builder prints isn't a game, with its line.
        """
        if not self._variables:
            raise UsageError("a game has at least one variable")
        return Game.parse(str(self), name=self.name, env=env)

    def __repr__(self) -> str:
        return (
            f"<GameBuilder {self.name}: {len(self._variables)} variables, {len(self._rules)} "
            f"rules, {len(self._goals)} goals>"
        )


def _pair(name: str, pair: Any) -> tuple[Any, Any]:
    if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
        raise UsageError(
            f"without `after`, the entry of {name!r} is a pair: the precondition and the result"
        )
    return pair[0], pair[1]


def _near(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(str(word), list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""

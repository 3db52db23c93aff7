"""Experiments: methods measured on instances of games, and their reports."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import _psvn
from ._core.environment import Environment, default
from ._core.errors import UsageError
from ._results.counts import ExperimentRun


def experiment(
    spec: str | os.PathLike[str] | Mapping[str, Any],
    results: str | os.PathLike[str] | None = None,
    *,
    jobs: int = 1,
    quick: bool = False,
    env: Environment | None = None,
) -> ExperimentRun:
    """Measure the cells that have no result in the file of results yet, and add their results.

    Args:
        spec: A file of TOML; the text itself, if it has more than one line; a dictionary with the
            same keys and values; or the name of an experiment that comes with the package
            (`presets`).
        results: The file of results; by default it has the name of the experiment, with the ending
            ``.jsonl``.
        jobs: The number of cells that are measured at the same time.
        quick: Whether the quick form of an experiment that comes with the package is measured.
        env: The environment.

    Raises:
        TextError: If the text has errors, with their places.
    """
    given = toml(spec) if isinstance(spec, Mapping) else os.fspath(spec)
    known = [name for name, _ in _psvn.presets()]
    is_preset = given in known and not Path(given).exists()
    if is_preset:
        text, name, base = "", given, Path()
        own = Path(f"{given}-quick.jsonl" if quick else f"{given}.jsonl")
    elif quick:
        raise UsageError("only experiments that come with the package have a quick form")
    elif "\n" in given:
        text, name, base, own = given, "experiment", Path(), Path("experiment.jsonl")
    else:
        path = Path(given)
        text, name, base = path.read_text(encoding="utf-8"), given, path.parent
        own = path.with_suffix(".jsonl")
    file = own if results is None else Path(results)
    total, kept, measured, stopped, failed = _psvn.experiment(
        (env or default())._env,
        text,
        name,
        os.fspath(base),
        os.fspath(file),
        jobs,
        is_preset,
        quick,
    )
    return ExperimentRun(
        results=os.fspath(file),
        cells=total,
        kept=kept,
        measured=measured,
        stopped=stopped,
        failed=failed,
    )


def toml(data: Mapping[str, Any]) -> str:
    """A dictionary as TOML: values on lines of their own, and tables within lists or others on one
    line each."""
    lines = []
    for name, value in data.items():
        is_list = isinstance(value, (list, tuple)) and value
        if is_list and all(isinstance(item, Mapping) for item in value):
            for item in value:
                lines.append(f"\n[[{_toml_key(name)}]]")
                lines += [f"{_toml_key(key)} = {_toml_value(it)}" for key, it in item.items()]
        elif isinstance(value, Mapping):
            lines.append(f"\n[{_toml_key(name)}]")
            lines += [f"{_toml_key(key)} = {_toml_value(it)}" for key, it in value.items()]
        else:
            # Keys after a table would belong to it.
            lines.insert(0, f"{_toml_key(name)} = {_toml_value(value)}")
    return "\n".join(lines) + "\n"


def _toml_key(key: Any) -> str:
    text = str(key)
    is_bare = re.fullmatch(r"[A-Za-z0-9_-]+", text) is not None
    return text if is_bare else json.dumps(text)


def _toml_value(value: Any) -> str:
    if isinstance(value, Mapping):
        inner = (f"{_toml_key(key)} = {_toml_value(it)}" for key, it in value.items())
        return "{ " + ", ".join(inner) + " }"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_toml_value, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        # A string of JSON is one of TOML, but for DEL.
        return json.dumps(os.fspath(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    raise UsageError(f"a specification holds no {type(value).__name__}, and here is {value!r}")


def presets() -> dict[str, str]:
    """Return the experiments that come with the package, with their descriptions."""
    return dict(_psvn.presets())


class Report:
    """The results of experiments as tables and plots. Notebooks show its page."""

    def __init__(self, files: list[str]) -> None:
        self._files = files
        self._psvn = self._written("text")

    def _written(self, form: str, table: str | None = None) -> str:
        return _psvn.report(default()._env, self._files, form, table)

    def __str__(self) -> str:
        """All tables as text."""
        return self._psvn

    def html(self) -> str:
        """Return the page, with its plots."""
        return self._written("html")

    def csv(self, table: str = "cells") -> str:
        """Return a table as comma-separated values; ``"cells"`` has a line for each cell."""
        return self._written("csv", table)

    def to_dict(self) -> dict[str, Any]:
        """Return all tables as data."""
        return json.loads(self._written("json"))

    def to_pandas(self, table: str = "cells") -> Any:
        """Return a table as a `pandas.DataFrame`. pandas must be installed."""
        import io

        import pandas

        return pandas.read_csv(io.StringIO(self.csv(table)))

    def to_polars(self, table: str = "cells") -> Any:
        """Return a table as a `polars.DataFrame`. polars must be installed."""
        import io

        import polars

        return polars.read_csv(io.StringIO(self.csv(table)))

    def __repr__(self) -> str:
        return f"<Report on {', '.join(self._files)}>"

    def _repr_html_(self) -> str:
        from html import escape

        return (
            '<iframe style="width:100%;height:600px;border:0" sandbox="" '
            f'srcdoc="{escape(self.html())}"></iframe>'
        )


def report(*results: str | os.PathLike[str]) -> Report:
    """Make a report on files of results, as `experiment` writes them."""
    if not results:
        raise UsageError("a report is on at least one file of results")
    return Report([os.fspath(path) for path in results])

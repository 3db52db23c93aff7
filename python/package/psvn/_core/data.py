"""Results as typed objects, made from the data that the library writes."""

from __future__ import annotations

import csv
import dataclasses
import functools
import os
import types
import typing
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@functools.lru_cache(maxsize=None)
def _types(cls: type) -> dict[str, Any]:
    return typing.get_type_hints(cls)


def _converted(kind: Any, value: Any) -> Any:
    """A value of JSON, converted to the declared type of a field."""
    if value is None:
        return None
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        inner = [it for it in typing.get_args(kind) if it is not type(None)]
        return _converted(inner[0], value)
    if origin in (list, tuple):
        inner = typing.get_args(kind)[0]
        return [_converted(inner, item) for item in value]
    if isinstance(kind, type) and issubclass(kind, Table):
        return kind._of(value)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return of_data(kind, value)
    # Large numbers are written as text.
    return int(value) if kind is int else value


def of_data(cls: type[T], data: dict[str, Any], **more: Any) -> T:
    """An object of a class from data; fields that the class doesn't have are left out."""
    kinds = _types(cls)  # type: ignore[arg-type]
    known = {}
    for field in dataclasses.fields(cls):  # type: ignore[arg-type]
        if field.name in more:
            known[field.name] = more[field.name]
        elif field.name in data:
            known[field.name] = _converted(kinds[field.name], data[field.name])
    return cls(**known)


def plain(value: Any) -> Any:
    """A value as dictionaries, lists, numbers and text."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        shown = (field for field in dataclasses.fields(value) if not field.name.startswith("_"))
        return {field.name: plain(getattr(value, field.name)) for field in shown}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, (str, int, float, bool, type(None))):
        return value
    return str(value)


class Result:
    """An object with attributes that can be written as a dictionary."""

    def to_dict(self) -> dict[str, Any]:
        """Return the same as dictionaries, lists, numbers and text, for `json.dump`."""
        names = (field.name for field in dataclasses.fields(self))  # type: ignore[arg-type]
        return {name: plain(getattr(self, name)) for name in names if not name.startswith("_")}

    def __repr__(self) -> str:
        """The first fields, on one or two lines of a terminal; `to_dict` has all of them."""
        fields = (field.name for field in dataclasses.fields(self))  # type: ignore[arg-type]
        shown = [
            f"{name}={brief(getattr(self, name))}"
            for name in fields
            if not name.startswith("_") and getattr(self, name) is not None
        ]
        return within_a_line(f"{type(self).__name__}(", shown, ")")


#: The most characters of a `repr`.
_LONGEST = 158


def brief(value: Any) -> str:
    """A value as part of a `repr`: lists and long texts are cut off."""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Table):
        return f"<{len(value)} rows>"
    whole = repr(value)
    if len(whole) <= 40:
        return whole
    if isinstance(value, (list, tuple)):
        return f"[{value[0]!r}, ... {len(value)} in all]" if len(repr(value[0])) < 20 else (
            f"[... {len(value)} in all]"
        )
    if isinstance(value, str):
        return repr(value[:34] + "...")
    return f"<{type(value).__name__}>"


def within_a_line(before: str, parts: list[str], after: str) -> str:
    """Parts with commas between them, as many as fit."""
    most = _LONGEST - len(before) - len(after) - len(", ...")
    kept: list[str] = []
    for part in parts:
        most -= len(part) + 2
        if most < 0:
            kept.append("...")
            break
        kept.append(part)
    return before + ", ".join(kept) + after


def html_table(columns: list[str], rows: Iterable[Iterable[Any]], most: int = 60) -> str:
    """A table of HTML, cut off after some rows."""
    head = "".join(f"<th>{escape(str(name))}</th>" for name in columns)
    body, n_left = [], 0
    for number, row in enumerate(rows):
        if number >= most:
            n_left += 1
            continue
        cells = "".join(f"<td>{escape(shown(cell))}</td>" for cell in row)
        body.append(f"<tr>{cells}</tr>")
    rest = f"<p>and {n_left} more</p>" if n_left else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>{rest}"


def shown(value: Any) -> str:
    """A value as a cell of a table."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, (list, tuple)):
        return " ".join(str(item) for item in value)
    return str(value)


class Table(list[T], Generic[T]):
    """A list of rows, which goes to pandas, polars and CSV."""

    #: The class of rows.
    _row: type[Any]
    #: The names of the columns; all fields of a row unless given.
    _columns: tuple[str, ...] = ()

    @classmethod
    def _of(cls, data: Iterable[Any]) -> Any:
        return cls(of_data(cls._row, item) for item in data)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        if self._columns:
            return list(self._columns)
        names = (field.name for field in dataclasses.fields(self._row))
        return [name for name in names if not name.startswith("_")]

    def _cells(self) -> Iterator[list[Any]]:
        for row in self:
            yield [getattr(row, name) for name in self.columns]

    def to_dict(self) -> list[dict[str, Any]]:  # type: ignore[override]
        """Return a dictionary for each row."""
        return [plain(row) for row in self]

    def _columns_of_cells(self) -> dict[str, list[Any]]:
        rows = [[plain(cell) for cell in row] for row in self._cells()]
        return {name: [row[at] for row in rows] for at, name in enumerate(self.columns)}

    def to_pandas(self) -> Any:
        """Return a `pandas.DataFrame` with the same rows. pandas must be installed."""
        import pandas

        return pandas.DataFrame(self._columns_of_cells())

    def to_polars(self) -> Any:
        """Return a `polars.DataFrame` with the same rows. polars must be installed."""
        import polars

        return polars.DataFrame(self._columns_of_cells(), strict=False)

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write a file of comma-separated values, with names in the first line."""
        write_csv(path, self.columns, self._cells())

    def __repr__(self) -> str:
        rows = "1 row" if len(self) == 1 else f"{len(self):,} rows"
        return within_a_line(f"<{type(self).__name__}: {rows} of ", self.columns, ">")

    def _repr_html_(self) -> str:
        return html_table(self.columns, self._cells())


def write_csv(
    path: str | os.PathLike[str], columns: Iterable[str], rows: Iterable[Iterable[Any]]
) -> None:
    """Write rows as comma-separated values, below the names of the columns."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for row in rows:
            writer.writerow(["" if cell is None else shown_plain(cell) for cell in row])


def shown_plain(value: Any) -> str:
    """A value as a cell of a file, without marks between thousands."""
    if isinstance(value, (list, tuple)):
        return " ".join(str(item) for item in value)
    return str(value)

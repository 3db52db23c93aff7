"""Writes the classes of results from the schemas of the JSON that the library writes:
``psvn schema --format json | python tools/results.py``. With ``--check`` it compares instead.

A field's name, type and meaning are declared once, in Rust.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parent.parent / "package" / "psvn" / "_results" / "records.py"

#: The shapes by their names in Rust, each after those that it holds, with the names of their
#: classes and of the classes of tables that have them as rows.
CLASSES = {
    "DomainDescription": ("Domain", None),
    "RuleDescription": ("Rule", "Rules"),
    "Composition": ("Composition", None),
    "RulesExplained": ("Explanation", None),
    "Level": ("Level", "Levels"),
    "AnalysisReport": ("AnalysisRecord", None),
    "RedundantWord": ("RedundantRecord", None),
    "MachineDescription": ("MachineDescription", None),
    "Verification": ("VerificationRecord", None),
    "TreeColumn": ("TreeColumn", None),
    "TreeReport": ("TreeRecord", None),
    "ExploredLayer": ("Layer", "Layers"),
    "ExplorationReport": ("ExplorationRecord", None),
    "TableFigures": ("TableFigures", None),
    "TablesReport": ("TablesReport", None),
    "Iteration": ("Bound", "Bounds"),
    "DepthRecord": ("Depth", "Depths"),
    "SolveRecord": ("SolveRecord", None),
    "Certified": ("CertifiedRecord", None),
    "PlanRecord": ("PlanRecord", None),
}

#: The columns of tables that don't show all fields.
COLUMNS = {"Rules": ("number", "name", "cost", "rule", "inverse", "duplicate_of")}

#: Classes with the properties and methods that a class has beside its fields.
PROPERTIES = {"Explanation": "Explained", "TreeColumn": "Titled"}

#: Fields that a class has in another form.
LEFT_OUT = {"SolveRecord": {"states"}}

HEAD = '''"""Results as the library writes them. `tools/results.py` makes this file from their schemas."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .._core.data import Result, Table
from .explained import Explained
from .titled import Titled
'''


def shapes(documents: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The shapes of all documents by name."""
    found: dict[str, dict[str, Any]] = {}
    for document in documents:
        schema = document["schema"]
        found.update(schema.get("$defs", {}))
        found[schema["title"]] = schema
    return found


class Kind:
    """The type of a field."""

    def __init__(self, shape: dict[str, Any], known: dict[str, dict[str, Any]]) -> None:
        #: Whether the value may be missing or null.
        self.optional = False
        self.known = known
        self.text = self._text(shape)

    def _text(self, shape: dict[str, Any]) -> str:
        if "$ref" in shape:
            name = shape["$ref"].removeprefix("#/$defs/")
            return CLASSES[name][0] if name in CLASSES else self._text(self.known[name])
        if "anyOf" in shape:
            texts = {self._text(choice) for choice in shape["anyOf"]} - {"None"}
            self.optional |= {"type": "null"} in shape["anyOf"]
            return texts.pop() if len(texts) == 1 else "Any"
        if "oneOf" in shape:
            texts = {self._text(choice) for choice in shape["oneOf"]}
            return texts.pop() if len(texts) == 1 else "Any"
        kinds = shape.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else list(kinds)
        if "null" in kinds:
            self.optional = True
            kinds.remove("null")
        # A whole number that is written as text where it is large is a number in Python.
        for kind, text in (
            ("array", self._list(shape)),
            ("integer", "int"),
            ("number", "float"),
            ("boolean", "bool"),
            ("string", "str"),
            ("object", "dict[str, Any]"),
        ):
            if kind in kinds:
                return text
        return "None" if not kinds else "Any"

    def _list(self, shape: dict[str, Any]) -> str:
        if "items" not in shape:
            return "list[Any]"
        row = shape["items"].get("$ref", "").removeprefix("#/$defs/")
        table = CLASSES.get(row, (None, None))[1]
        return table or f"list[{Kind(shape['items'], self.known).text}]"


def documented(text: str, indent: str) -> str:
    """A docstring; names of values are set as in the rest of the package."""
    text = re.sub(r"`([^`]*)`", r"``\1``", text)
    lines = textwrap.wrap(f'"""{text}"""', 100 - len(indent))
    return "".join(f"{indent}{line}\n" for line in lines)


def declared(name: str, shape: dict[str, Any], known: dict[str, dict[str, Any]]) -> str:
    """A class, and the class of tables of such rows."""
    title, table = CLASSES[name]
    bases = f"{PROPERTIES[title]}, Result" if title in PROPERTIES else "Result"
    text = f"\n\n@dataclass(frozen=True, repr=False, kw_only=True)\nclass {title}({bases}):\n"
    text += documented(shape["description"], "    ") + "\n"
    for field, kind in shape["properties"].items():
        if field in LEFT_OUT.get(title, ()):
            continue
        of = Kind(kind, known)
        declaration = f"{of.text} | None" if of.optional else of.text
        if of.optional:
            declaration += " = None"
        elif field not in shape.get("required", ()):
            declaration += default(of.text)
        text += f"    {field}: {declaration}\n" + documented(kind["description"], "    ")
    if table:
        text += f'\n\nclass {table}(Table[{title}]):\n    """Rows of `{title}`."""\n\n'
        text += f"    _row = {title}\n"
        if table in COLUMNS:
            text += f"    _columns = {COLUMNS[table]}\n".replace("'", '"')
    return text


def default(kind: str) -> str:
    """What a field is that isn't written."""
    if kind == "bool":
        return " = False"
    if kind in ("int", "float", "str", "Any"):
        return " | None = None"
    return f" = field(default_factory={kind.split('[')[0]})"


def written(documents: list[dict[str, Any]]) -> str:
    """The file."""
    known = shapes(documents)
    return HEAD + "".join(declared(name, known[name], known) for name in CLASSES)


if __name__ == "__main__":
    text = written(json.load(sys.stdin))
    if "--check" in sys.argv[1:]:
        if text != PAGE.read_text(encoding="utf-8"):
            sys.exit(f"{PAGE.name} differs from the schemas: write it again by tools/results.py")
    else:
        PAGE.write_text(text, encoding="utf-8")

"""Writes the page of the book that lists the Python package: ``python tools/reference.py``.

It reads sources and stubs and imports nothing, so the package need not be built. The tests compare
the page with the output.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "package" / "psvn"
PAGE = ROOT.parent / "docs" / "book" / "src" / "python-reference.md"

#: The names of the package by topic, in the order of the page.
GROUPS = {
    "Games": ["Game", "State", "GameBuilder", "Symbol", "symbol", "Rule", "Rules", "Domain", "builtin_games"],
    "Sequences and machines": [
        "Analysis",
        "AnalysisOptions",
        "Level",
        "Composition",
        "Explanation",
        "Machine",
        "MachineDescription",
        "RedundantWord",
        "Verification",
    ],
    "Counts": ["TreeCount", "TreeColumn", "Exploration", "Layer"],
    "Searches": ["SearchOptions", "SearchResult", "SearchResults", "PlanCheck", "certify", "Certified"],
    "Heuristics": ["batched", "Heuristic", "PatternDatabase", "HeuristicCheck"],
    "Experiments": ["experiment", "presets", "report", "ExperimentRun", "Report"],
    "Surroundings, pictures and errors": [
        "Environment",
        "Picture",
        "PsvnError",
        "UsageError",
        "InputError",
        "TextError",
        "Flaw",
        "LimitError",
        "CancelledError",
        "WrongResultError",
        "PsvnWarning",
    ],
}

HEAD = """\
# Reference of the Python package

What the package `psvn` offers; [Python](python.md) explains its use. Times are in seconds and
sizes in bytes, unless stated otherwise. The page is generated from the package's docstrings by
`python python/tools/reference.py`.
"""


def public_names() -> list[str]:
    """The names that the package offers."""
    for node in ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return ast.literal_eval(node.value)
    raise AssertionError("the package has no `__all__`")


def definitions() -> dict[str, ast.ClassDef | ast.FunctionDef]:
    """All classes and functions at the top of the modules and of the stub, by name."""
    paths = [*sorted(PACKAGE.rglob("*.py")), PACKAGE / "_psvn.pyi"]
    found: dict[str, ast.ClassDef | ast.FunctionDef] = {}
    for path in paths:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                # The package's classes take precedence over those of the stub with the same name.
                found.setdefault(node.name, node)
    return found


def text_of(docstring: str) -> list[str]:
    """A docstring as lines of Markdown: lists of arguments, and programs in fences."""
    lines, fenced, section = [], False, None
    for line in inspect.cleandoc(docstring).splitlines():
        head = re.fullmatch(r"(Args|Raises|Returns|Attributes|Example):", line)
        if fenced and (not line.strip() or not line.startswith("    ")):
            lines.append("```")
            fenced = False
        if head:
            section = head.group(1)
            lines += [""] if section == "Example" else ["", f"*{section}*", ""]
            continue
        if section == "Example" and line.startswith("    "):
            if not fenced:
                lines.append("```pycon")
                fenced = True
            lines.append(line[4:])
            continue
        if section and line.startswith("    "):
            inner = line[4:]
            named = re.match(r"(\w+): (.*)", inner)
            if inner.startswith(" "):
                lines.append("  " + marked(inner.strip()))
            elif named and section != "Returns":
                lines.append(f"- `{named.group(1)}`: {marked(named.group(2))}")
            else:
                lines.append(marked(inner))
            continue
        lines.append(marked(line))
    if fenced:
        lines.append("```")
    return lines


def marked(line: str) -> str:
    """A line of reStructuredText as one of Markdown; it has nothing but literals."""
    return line.replace("``", "`")


def signature(node: ast.FunctionDef) -> str:
    """A function's name with its arguments, without `self`."""
    args = node.args
    parts = []
    given = [*args.posonlyargs, *args.args]
    first_default = len(given) - len(args.defaults)
    for place, arg in enumerate(given):
        if place == 0 and arg.arg in ("self", "cls"):
            continue
        default = args.defaults[place - first_default] if place >= first_default else None
        parts.append(one(arg, default))
    if args.vararg:
        parts.append("*" + one(args.vararg, None))
    elif args.kwonlyargs:
        parts.append("*")
    parts += [one(arg, default) for arg, default in zip(args.kwonlyargs, args.kw_defaults)]
    if args.kwarg:
        parts.append("**" + one(args.kwarg, None))
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({', '.join(parts)}){returned}"


def one(arg: ast.arg, default: ast.expr | None) -> str:
    kind = f": {ast.unparse(arg.annotation)}" if arg.annotation else ""
    if default is None:
        return arg.arg + kind
    spaced = " = " if kind else "="
    return f"{arg.arg}{kind}{spaced}{ast.unparse(default)}"


def decorators(node: ast.FunctionDef | ast.ClassDef) -> set[str]:
    return {ast.unparse(it).split("(")[0] for it in node.decorator_list}


def fields(node: ast.ClassDef) -> list[tuple[str, str, str | None]]:
    """The fields of a data class: name, type, and the text below it."""
    found = []
    for at, item in enumerate(node.body):
        if isinstance(item, ast.AnnAssign) and not item.target.id.startswith("_"):
            below = node.body[at + 1] if at + 1 < len(node.body) else None
            is_text = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
            text = inspect.cleandoc(below.value.value) if is_text else None
            found.append((item.target.id, ast.unparse(item.annotation), text))
    return found


def lineage(node: ast.ClassDef, known: dict) -> list[ast.ClassDef]:
    """A class after its bases in the package."""
    bases = []
    for base in node.bases:
        name = ast.unparse(base).split("[")[0]
        if isinstance(known.get(name), ast.ClassDef):
            bases += lineage(known[name], known)
    return [*bases, node]


def missing(names: list[str], known: dict) -> list[str]:
    """The names, members and fields without a text."""
    found = []
    for name in names:
        node = known[name]
        if not ast.get_docstring(node):
            found.append(name)
        if isinstance(node, ast.ClassDef):
            for cls in lineage(node, known):
                for item in cls.body:
                    is_member = isinstance(item, ast.FunctionDef) and not item.name.startswith("_")
                    if is_member and not ast.get_docstring(item):
                        found.append(f"{name}.{item.name}")
                if "dataclass" in decorators(cls) and "Attributes:" not in (
                    ast.get_docstring(cls) or ""
                ):
                    found += [f"{name}.{it[0]}" for it in fields(cls) if it[2] is None]
    return found


def section(name: str, known: dict) -> list[str]:
    node = known[name]
    if isinstance(node, ast.FunctionDef):
        return ["", f"### `{signature(node)}`", "", *text_of(ast.get_docstring(node) or "")]
    lines = ["", f"### `{name}`", "", *text_of(ast.get_docstring(node) or "")]
    classes = lineage(node, known)
    listed = [
        f"- `{field}: {kind}`: {marked(' '.join((text or '').split()))}"
        for cls in classes
        if "dataclass" in decorators(cls)
        for field, kind, text in fields(cls)
        if text is not None
    ]
    lines += ["", *listed] if listed else []
    members: dict[str, ast.FunctionDef] = {}
    for cls in classes:
        for item in cls.body:
            if isinstance(item, ast.FunctionDef):
                shown = not item.name.startswith("_") or item.name in ("__call__", "__init__")
                if shown and ast.get_docstring(item):
                    members[item.name] = item
    for member in members.values():
        kinds = decorators(member)
        if "property" in kinds:
            returned = f": {ast.unparse(member.returns)}" if member.returns else ""
            head = f"{name}.{member.name}{returned}"
        elif member.name == "__call__":
            head = signature(member).replace("__call__", name.lower(), 1)
        else:
            head = f"{name}.{signature(member)}"
        lines += ["", f"#### `{head}`", "", *text_of(ast.get_docstring(member) or "")]
    return lines


def page() -> str:
    """The whole page.

    Raises:
        AssertionError: If a public name is in no group, or has no text.
    """
    names, known = public_names(), definitions()
    grouped = [name for group in GROUPS.values() for name in group]
    assert sorted(grouped) == sorted(names), set(grouped) ^ set(names)
    without = missing(names, known)
    assert not without, f"without a docstring: {', '.join(without)}"
    lines = [HEAD.rstrip()]
    for title, group in GROUPS.items():
        lines += ["", f"## {title}"]
        for name in group:
            lines += section(name, known)
    text = "\n".join(lines) + "\n"
    return re.sub(r"\n{3,}", "\n\n", text)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE}\n")

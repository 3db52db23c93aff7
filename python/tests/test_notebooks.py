"""The notebooks are executed, in their quick form."""

import ast
import json
import sys
from pathlib import Path

import pytest

import psvn

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"


def code(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


@pytest.mark.parametrize("name", ["tutorial", "assignment"])
def test_notebooks_run(name, tmp_path, monkeypatch):
    for needed in ("numpy", "pandas", "matplotlib"):
        pytest.importorskip(needed)
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.setenv("PSVN_QUICK", "1")
    monkeypatch.chdir(tmp_path)
    path = NOTEBOOKS / f"{name}.ipynb"
    try:
        import nbclient
        import nbformat
        import ipykernel  # noqa: F401
    except ImportError:
        scope = {"__name__": "__main__"}
        for number, cell in enumerate(code(path)):
            exec(compile(cell, f"{name}[{number}]", "exec"), scope)
    else:
        notebook = nbformat.read(path, as_version=4)
        client = nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3")
        client.execute(cwd=str(tmp_path))
        shown = [it for cell in notebook.cells for it in cell.get("outputs", [])]
        assert any("text/html" in it.get("data", {}) for it in shown)
    if name == "assignment":
        assert (tmp_path / "assignment.csv").stat().st_size > 0
        assert (tmp_path / "assignment.png").stat().st_size > 0


def test_the_assignment_is_short():
    lines = "\n".join(code(NOTEBOOKS / "assignment.ipynb")).splitlines()
    written = [line for line in lines if line.strip() and not line.strip().startswith("#")]
    assert len(written) <= 60, len(written)


def test_the_programs_of_the_book_run(capsys):
    pytest.importorskip("numpy")
    pytest.importorskip("networkx")
    page = NOTEBOOKS.parent.parent / "docs" / "book" / "src" / "python.md"
    programs = page.read_text(encoding="utf-8").split("```python\n")[1:]
    scope = {}
    for program in programs:
        exec(program.split("```")[0], scope)
    shown = capsys.readouterr().out.splitlines()
    assert len(programs) == 4 and shown[1:] == ["28", "28", "True", "120 5"]


def test_everything_public_is_documented_and_stubbed():
    from psvn import _psvn

    for name in psvn.__all__:
        thing = getattr(psvn, name)
        assert thing.__doc__, name
        if isinstance(thing, type):
            own = [cls for cls in thing.__mro__ if cls.__module__.startswith("psvn")]
            members = {key: value for cls in own for key, value in vars(cls).items()}
            for member, value in members.items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert value.__doc__, f"{name}.{member}"
    stub = ast.parse((Path(psvn.__file__).parent / "_psvn.pyi").read_text(encoding="utf-8"))
    stubbed = {it.name: it for it in stub.body if isinstance(it, (ast.ClassDef, ast.FunctionDef))}
    real = {name for name in dir(_psvn) if not name.startswith("_")}
    assert real == set(stubbed), real ^ set(stubbed)
    for name, node in stubbed.items():
        if isinstance(node, ast.ClassDef):
            members = {
                it.name if isinstance(it, ast.FunctionDef) else it.target.id
                for it in node.body
                if isinstance(it, (ast.FunctionDef, ast.AnnAssign))
            }
            own = {it for it in vars(getattr(_psvn, name)) if not it.startswith("_")}
            public = {it for it in members if not it.startswith("_")}
            assert own == public, (name, own ^ public)
    assert (Path(psvn.__file__).parent / "py.typed").exists()


def test_the_reference_is_made_of_the_docstrings():
    """`tools/reference.py` writes the page; it refuses names, members and fields without a text."""
    sys.path.insert(0, str(NOTEBOOKS.parent / "tools"))
    import reference

    page = NOTEBOOKS.parent.parent / "docs" / "book" / "src" / "python-reference.md"
    assert page.read_text(encoding="utf-8") == reference.page()
    names, known = reference.public_names(), reference.definitions()
    assert set(names) == set(psvn.__all__)
    assert reference.missing(names, known) == []
    bare = ast.parse("class Game:\n    \"\"\"A game.\"\"\"\n    def f(self): ...").body[0]
    assert reference.missing(["Game"], {"Game": bare}) == ["Game.f"]

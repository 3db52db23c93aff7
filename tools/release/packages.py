"""The packages of the workspace, and those that a build consists of, as cargo resolves them."""

import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def cargo(*arguments):
    return subprocess.check_output(["cargo", *arguments], cwd=ROOT, text=True)


class Workspace:
    """What cargo says of the workspace, on one target."""

    def __init__(self, target=None):
        self.target = target
        platform = ["--filter-platform", target] if target else []
        metadata = json.loads(cargo("metadata", "--locked", "--format-version", "1", *platform))
        self.packages = {(it["name"], it["version"]): it for it in metadata["packages"]}
        self._by_id = {it["id"]: it for it in metadata["packages"]}
        self._nodes = {it["id"]: it for it in metadata["resolve"]["nodes"]}
        self.members = [self._by_id[it] for it in metadata["workspace_members"]]
        self.version = next(it["version"] for it in self.members if it["name"] == "cli")

    def contained(self, package):
        """The packages whose code is in a build of `package`, itself first. What only runs in the
        compiler, or in tests, isn't."""
        tree = cargo(
            "tree",
            "--locked",
            "--package",
            package,
            "--target",
            self.target,
            "--prefix",
            "none",
            "--edges",
            "normal,no-proc-macro",
            "--format",
            "{p}",
        )
        found = {}
        for line in tree.splitlines():
            name, version = line.split()[:2]
            found[name, version.removeprefix("v")] = None
        first, *others = found
        return [self.packages[it] for it in [first, *sorted(others)]]

    def dependencies(self, package, kinds=(None,)):
        """The packages that one depends on: with `None` normal ones, also `"dev"` and `"build"`."""
        return [
            self._by_id[it["pkg"]]
            for it in self._nodes[package["id"]]["deps"]
            if any(kind["kind"] in kinds for kind in it["dep_kinds"])
        ]

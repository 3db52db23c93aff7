#!/usr/bin/env python3
"""Turns results of `psvn experiment` into the file `properties` that Lab's reports read.

usage: tools/lab/properties.py RESULTS.jsonl.. FOLDER

    psvn experiment spec.toml -o results.jsonl
    tools/lab/properties.py results.jsonl results-eval
    python -c "from downward.reports.absolute import AbsoluteReport
    AbsoluteReport(attributes=['coverage', 'expansions', 'error'])('results-eval', 'report.html')"

A method is an algorithm, and a start a problem. With several files, the names of algorithms have the
number of the file.
"""

import argparse
import json
import sys
from pathlib import Path

# What Downward calls the end of a run. Other limits, such as `nodes`, keep their names.
ERRORS = {
    "solved": "success",
    "complete": "success",
    "no-solution": "search-unsolvable",
    "not-found": "search-unsolved-incomplete",
    "not-within-depth": "search-unsolved-incomplete",
    "not-within-cost": "search-unsolved-incomplete",
    "memory": "search-out-of-memory",
    "time": "search-out-of-time",
    "failed": "search-critical-error",
    "cost-overflow": "search-critical-error",
}
# Attributes of Downward, and the fields that they are.
ATTRIBUTES = {
    "cost": "cost",
    "plan_length": "length",
    "initial_h_value": "h0",
    "generated": "generated",
    "expansions": "expanded",
    "pruned": "pruned",
    "search_time": "seconds",
    "heuristic": "heuristic",
}


def cells(path):
    """The cells of a file of results: the lines behind its header. The last one of a key counts."""
    header, *lines = path.read_text().splitlines()
    if json.loads(header).get("format") != "psvn-results":
        sys.exit(f"{path} has no results of psvn experiment")
    return list({cell["key"]: cell for cell in map(json.loads, lines)}.values())


def run_of(cell, algorithm):
    """A cell as a run of Lab. Times are kept above 0, since means of Downward's reports are
    geometric ones."""
    outcome = cell["outcome"]
    run = {
        "algorithm": algorithm,
        "domain": cell["domain"],
        "problem": cell["instance"],
        "id": [algorithm, cell["domain"], cell["instance"]],
        "error": ERRORS.get(outcome, f"search-out-of-{outcome}"),
        "coverage": int(outcome == "solved"),
        "unsolvable": int(outcome == "no-solution"),
    }
    if run["error"] == "search-critical-error":
        run["unexplained_errors"] = [outcome]
    for attribute, field in ATTRIBUTES.items():
        if cell.get(field) is not None:
            run[attribute] = cell[field]
    if "seconds" in cell:
        run["total_time"] = cell["seconds"] + cell.get("preparation_seconds", 0)
        for attribute in ("search_time", "total_time"):
            # The time of a run that was stopped says nothing about how long it takes.
            if run["error"] in ("success", "search-unsolvable"):
                run[attribute] = max(run[attribute], 1e-6)
            else:
                run.pop(attribute, None)
    return run


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("results", nargs="+", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    properties = {}
    for number, path in enumerate(options.results, 1):
        for cell in cells(path):
            suffix = f" ({number})" if len(options.results) > 1 else ""
            run = run_of(cell, cell["method"] + suffix)
            properties["-".join(run["id"])] = run
    options.folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(properties, indent=2, separators=(",", ": "), sort_keys=True)
    (options.folder / "properties").write_text(text)
    print(f"{len(properties)} runs in {options.folder / 'properties'}")


if __name__ == "__main__":
    main()

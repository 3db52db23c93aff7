#!/usr/bin/env python3
"""Print the size of the page of psvn studio, how soon it is there, and how long answers take.

    tools/studio/times.py target/release/psvn studio --no-open

The words are the command, to which the game is added. Each question is asked about a text that was
handed over just before, as after a change, and once more.
"""

import gzip
import http.client
import json
import pathlib
import sys
import tempfile
import time
from urllib.parse import urlparse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/browser"))

import studio  # noqa: E402

RUNS = 5


def post(address, path, body):
    """The milliseconds of an answer, its bytes, and what it says."""
    at = urlparse(address)
    connection = http.client.HTTPConnection(at.hostname, at.port)
    data = json.dumps(body)
    started = time.perf_counter()
    connection.request("POST", f"{at.path}api/{path}", data, {"Content-Type": "application/json"})
    response = connection.getresponse()
    text = response.read()
    elapsed = (time.perf_counter() - started) * 1e3
    connection.close()
    if response.status != 200:
        raise SystemExit(f"{path}: {response.status} {text[:200]}")
    return elapsed, len(text), json.loads(text)


def questions(state):
    yield "findings", {}
    yield "hover", {"offset": 2000}
    yield "rules", {"limit": 100}
    yield "rules", {"limit": 100, "filter": "x3"}
    yield "compose", {"word": [1, 2, 3]}
    yield "moves", {"state": state}
    yield "heuristics", {"start": state}
    yield "children", {"start": state, "path": [], "heuristic": "zero"}


def measure(command, name, game):
    with studio.served(command, game) as address:
        at = urlparse(address)
        connection = http.client.HTTPConnection(at.hostname, at.port)
        connection.request("GET", f"{at.path}api/file")
        text = json.load(connection.getresponse())["text"]
        print(f"\n{name}, {len(text) / 1024:,.0f} KiB of text; least of {RUNS} runs, milliseconds\n")
        print("| question | first time | again | KiB |\n|---|--:|--:|--:|")
        rows = {}
        for run in range(RUNS):
            # Another text each time, so that nothing is known about it.
            changed = f"# {run}\n{text}"
            ms, size, read = post(address, "text", {"text": changed, "window": "times"})
            again = post(address, "text", {"text": changed, "window": "times"})[0]
            rows.setdefault("the text is handed over", []).append((ms, again, size))
            for path, question in questions(read["starts"][0][1]):
                body = {"game": read["game"], **question}
                ms, size, _ = post(address, path, body)
                again = post(address, path, body)[0]
                rows.setdefault(f"{path} {json.dumps(question) if 'filter' in question else ''}", []).append((ms, again, size))
        for what, times in rows.items():
            first, again, size = (min(column) for column in zip(*times))
            print(f"| {what.strip()} | {first:.1f} | {again:.1f} | {size / 1024:.1f} |")


def main():
    command = [str(pathlib.Path(sys.argv[1]).resolve()), *sys.argv[2:]]
    for path in sorted((ROOT / "extras/studio/assets").iterdir()):
        data = path.read_bytes()
        print(f"{path.name}: {len(data):,} bytes, {len(gzip.compress(data)):,} compressed")
    starts = []
    for _ in range(RUNS):
        started = time.perf_counter()
        with studio.served(command, studio.TILES):
            starts.append((time.perf_counter() - started) * 1e3)
    print(f"from the start of the command to its address: {min(starts):.1f} ms")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "large.psvn"
        path.write_text(studio.large())
        measure(command, "3,000 rules over 12 variables", path)
    measure(command, "`gen:blocks:39`, 3,042 rules over 78 variables", "gen:blocks:39")


main()

#!/usr/bin/env python3
"""certificates.py PSVN VERIFIED [NAME..]: a table of certificates, for docs/results.

Solves problems with the program PSVN, writes a certificate of each, and checks it with `psvn
certify` and with the verified checker. Prints a row for each: seconds of processor time, bytes, and
what the proof consists of. NAMEs select problems; all are taken unless some are named.
"""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile

ADDED = "keep 1-5+keep 6-10+keep 11-15"

# Name, game, options of the search. `KORF N` stands for one of Korf's hundred 15-puzzles.
PROBLEMS = [
    ("8-puzzle", "gen:sliding-tiles:3:3", ["--start", "8 7 6 0 4 1 2 5 3", "--heuristic", "manhattan"]),
    ("pancake 9", "gen:pancake:9", ["--start", "9 1 8 2 7 3 6 4 5", "--heuristic", "keep 1-4"]),
    ("TopSpin 10", "gen:topspin:10:4", ["--start", "8 3 5 1 0 7 2 6 4", "--heuristic", "keep 0-3"]),
    ("Hanoi 3x8", "gen:hanoi:3:8", ["--start", "usual", "--algorithm", "astar"]),
    ("Hanoi 4x7", "gen:hanoi:4:7", ["--start", "usual", "--algorithm", "astar"]),
    ("2x2x2, farthest", "gen:rubik:2:fixed",
     ["--start", "o r y g o b g w r w r r y w b g b g w y o", "--algorithm", "astar"]),
]
PROBLEMS += [(f"15-puzzle {n}", "gen:sliding-tiles:4:4", ["KORF", str(n), "--heuristic", ADDED])
             for n in (12, 42, 55, 79, 94, 1, 5, 38, 45, 97)]


def run(command):
    """The processor seconds and the output of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    if ran.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return seconds, ran.stdout


def korf_starts(psvn):
    """Korf's problems, which the program knows, as texts of states."""
    command = [psvn, "solve", "gen:sliding-tiles:4:4", "--instances", "gen:korf15", "--nodes", "1"]
    ran = subprocess.run([*command, "-q", "--format", "json"], capture_output=True, text=True)
    return [json.loads(line)["start"] for line in ran.stdout.splitlines()]


def proof_of(path):
    """The kind of the lower bound, and the entries of its tables and its list."""
    kind, words, in_table, in_list, closed = "", 0, 0, 0, False
    with open(path) as lines:
        for line in lines:
            first = line.split(" ", 1)[0]
            if first == "claim" and " by " in line:
                kind = line.split(" by ")[1].strip()
            closed = closed or first.strip() == "closed"
            words += first == "word"
            if first.isdigit():
                in_list += closed
                in_table += not closed
    parts = [f"{in_list:,} states" if kind == "list" else f"search, {words:,} words"]
    if in_table:
        parts.append(f"{in_table:,} entries of tables")
    return ", ".join(parts)


def row(psvn, verified, name, game, options, folder):
    path = os.path.join(folder, "cost.cert")
    if options[0] == "KORF":
        options = ["--start", korf_starts(psvn)[int(options[1]) - 1], *options[2:]]
    solve = [psvn, "solve", game, *options, "-q", "--no-cache", "--threads", "1"]
    searching, text = run(solve)
    cost = re.search(r"cost (\d+(?:,\d{3})*)", text).group(1)
    both, _ = run([*solve, "--certificate", path])
    checking, text = run([psvn, "certify", path, "--game", game, "--threads", "1"])
    assert f"the least cost from this start is {cost}" in text, text
    by_verified, text = run([verified, path])
    assert text.startswith("accepted"), text
    size = os.path.getsize(path)
    print(f"| {name} | {cost} | {searching:.2f} | {both - searching:.2f} | {size:,} | {proof_of(path)} "
          f"| {checking:.2f} | {by_verified:.2f} |", flush=True)


def main(psvn, verified, names):
    print("| problem | cost | search, s | certificate, s | bytes | proof | check, s | verified check, s |")
    print("|---|---:|---:|---:|---:|---|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for name, game, options in PROBLEMS:
            if not names or name in names:
                row(psvn, verified, name, game, options, folder)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])

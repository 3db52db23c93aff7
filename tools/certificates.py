#!/usr/bin/env python3
"""certificates.py PSVN VERIFIED [NAME..]: a table of certificates, for docs/results.

Solves problems with the program PSVN, or explores all states of one for the greatest least cost,
writes a certificate of each, and checks it with `psvn certify` and with the verified checker. Prints a row for each: seconds of processor time, bytes, and
what the proof consists of. NAMEs select problems; all are taken unless some are named. A NAME that
ends in `/` is a folder of planning tasks (`cargo run -p psvn-formats --example planning_tasks
FOLDER` writes some); of these, the last row has the sums.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile

THREES = "keep 1-5+keep 6-10+keep 11-15"
TILES = "gen:sliding-tiles:4:4"

# Name, game, options of the search; none where all states are explored. `KORF` stands for a file
# with some of Korf's problems.
PROBLEMS = [
    ("8-puzzle", "gen:sliding-tiles:3:3", ["--start", "8 7 6 0 4 1 2 5 3", "--heuristic", "manhattan"]),
    ("pancake 9", "gen:pancake:9", ["--start", "9 1 8 2 7 3 6 4 5", "--heuristic", "keep 1-4"]),
    ("TopSpin 10", "gen:topspin:10:4", ["--start", "8 3 5 1 0 7 2 6 4", "--heuristic", "keep 0-3"]),
    ("Hanoi 3x8", "gen:hanoi:3:8", ["--start", "usual", "--algorithm", "astar"]),
    ("Hanoi 4x7", "gen:hanoi:4:7", ["--start", "usual", "--algorithm", "astar"]),
    ("gripper 12", "gen:gripper:12", ["--start", "usual", "--algorithm", "astar"]),
    ("blocks 8", "gen:blocks:8", ["--start", "usual", "--algorithm", "astar"]),
    ("8-puzzle, all states", "gen:sliding-tiles:3:3", None),
    ("2x2x2, all states", "gen:rubik:2:fixed", None),
    ("15-puzzle 12", TILES, ["--instances", "KORF 12", "--heuristic", THREES]),
    ("Korf's ten easiest", TILES,
     ["--instances", "KORF 12 42 55 79 94 1 5 38 45 97", "--heuristic", THREES]),
    ("Korf's hundred", TILES, ["--instances", "gen:korf15", "--heuristic", THREES]),
]
# The exit status of a search that a limit ended.
STOPPED = 4


def run(command):
    """The processor seconds and the output of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    if ran.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return seconds, ran.stdout


def korf(psvn, option, folder):
    """The option, or a file with the problems of Korf that it names, which the program knows."""
    if not option.startswith("KORF "):
        return option
    command = [psvn, "solve", TILES, "--instances", "gen:korf15", "--nodes", "1"]
    ran = subprocess.run([*command, "-q", "--format", "json"], capture_output=True, text=True)
    starts = [json.loads(line)["start"] for line in ran.stdout.splitlines()]
    path = os.path.join(folder, "korf.txt")
    with open(path, "w") as file:
        file.writelines(f"{n}: {starts[int(n) - 1]}\n" for n in option.split()[1:])
    return path


def proof_of(path):
    """What the claims are proved by: states of lists, searches, entries of tables."""
    searches, words, in_table, in_list, closed = 0, 0, 0, 0, False
    with open(path) as lines:
        for line in lines:
            first = line.split(" ", 1)[0].strip()
            if first == "claim":
                closed = False
                searches += line.endswith(" by search\n")
            closed = closed or first == "closed"
            words += first == "word"
            if first.isdigit():
                in_list += closed
                in_table += not closed
    parts = [f"{in_list:,} states"] if in_list else []
    if searches:
        parts.append(f"{searches} searches without {words:,} words")
    if in_table:
        parts.append(f"{in_table:,} entries of tables")
    return ", ".join(parts)


def measure(psvn, verified, game, options, folder):
    """The cells of a row but for the name; none if a limit ends the search."""
    path = os.path.join(folder, "cost.cert")
    words = ["explore", game] if options is None else ["solve", game, "--no-cache"]
    options = [korf(psvn, option, folder) for option in options or []]
    solve = [psvn, *words, *options, "-q", "--threads", "1"]
    if "--nodes" in options and subprocess.run(solve, capture_output=True).returncode == STOPPED:
        return None
    searching, _ = run(solve)
    both, _ = run([*solve, "--certificate", path])
    certify = [psvn, "certify", path, "--game", game, "--threads", "1"]
    checking, text = run([*certify, "--format", "json"])
    costs = [start["least_cost"] for start in json.loads(text)["starts"]]
    assert None not in costs, text
    by_verified, text = run([verified, path])
    assert text.startswith("accepted"), text
    cost = costs[0] if len(costs) == 1 else f"{len(costs)} starts"
    return cost, searching, both - searching, os.path.getsize(path), proof_of(path), checking, by_verified


def show(name, cost, searching, writing, size, proof, checking, by_verified):
    print(f"| {name} | {cost} | {searching:.2f} | {writing:.2f} | {size:,} | {proof} "
          f"| {checking:.2f} | {by_verified:.2f} |", flush=True)


def tasks(psvn, verified, tasks, folder):
    """The sums of all tasks that a blind search solves."""
    rows = []
    for name in sorted(os.listdir(tasks)):
        game = os.path.join(tasks, name)
        row = measure(psvn, verified, game, ["--algorithm", "astar", "--nodes", "2000000"], folder)
        rows += [row] if row else []
    sums = [sum(row[at] for row in rows) for at in (1, 2, 3, 5, 6)]
    show(f"{len(rows)} planning tasks", "", *sums[:3], "lists", *sums[3:])


def main(psvn, verified, names):
    print("| problem | cost | search, s | certificate, s | bytes | proof | check, s | verified check, s |")
    print("|---|---:|---:|---:|---:|---|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for name, game, options in PROBLEMS:
            if not names or name in names:
                show(name, *measure(psvn, verified, game, options, folder))
        for name in names:
            if name.endswith("/"):
                tasks(psvn, verified, name, folder)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])

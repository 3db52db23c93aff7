"""Evaluations a second of a batched heuristic, and nodes a second of one with a name.

Run it with the package installed: ``python bench/evaluations.py``. Times are processor
time, so that other work on the machine matters less.
"""

import time

import numpy as np

import psvn

START = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"

places = np.arange(16)
row, column = np.divmod(places, 4)
table = abs(row[:, None] - row) + abs(column[:, None] - column)
table[:, 0] = 0
table = table.astype(np.uint8)
in_heuristic = [0.0, 0]


@psvn.batched
def manhattan(states):
    began = time.thread_time()
    found = table[places, states].sum(axis=1)
    in_heuristic[0] += time.thread_time() - began
    in_heuristic[1] += len(states)
    return found


def measure(algorithm, heuristic, **options):
    in_heuristic[:] = [0.0, 0]
    began = time.process_time()
    found = game.solve(START, algorithm, heuristic, **options)
    seconds = time.process_time() - began
    print(f"{algorithm} {found.heuristic}: {found.generated / seconds:,.0f} nodes a second", end="")
    if in_heuristic[1]:
        evaluations = in_heuristic[1]
        print(
            f"; {evaluations / seconds:,.0f} evaluations a second of the whole search, "
            f"{evaluations / in_heuristic[0]:,.0f} of the function alone",
            end="",
        )
    print()


game = psvn.Game.builtin("sliding-tiles:4:4")
for _ in range(3):
    measure("ida", manhattan, prune=2, nodes=4_000_000)
    measure("astar", manhattan, nodes=3_000_000)
    measure("ida", "manhattan", prune=2, nodes=400_000_000)

"""Ctrl-C, threads, progress."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import psvn

LONG = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"

INTERRUPTED = f"""
import os, signal, threading, time
import psvn
game = psvn.Game.builtin("sliding-tiles:4:4")
def interrupt():
    interrupt.at = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(1.0, interrupt).start()
try:
    WORK
except KeyboardInterrupt:
    print("after", time.monotonic() - interrupt.at)
else:
    print("not interrupted")
"""

WORK = {
    "search": f"game.solve({LONG!r}, 'dfid', prune='none')",
    "best_first": f"game.solve({LONG!r}, 'bfs')",
    "exploration": "game.explore()",
    "tree": "game.count_tree(40)",
    "function": f"game.solve({LONG!r}, 'ida', lambda state: 0)",
}


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX has them")
@pytest.mark.parametrize("work", WORK)
def test_ctrl_c_interrupts(work):
    program = INTERRUPTED.replace("WORK", WORK[work])
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    assert done.stdout.startswith("after"), (done.stdout, done.stderr)
    # "At once", with room for a busy machine.
    assert float(done.stdout.split()[1]) < 5.0


def test_other_threads_go_on():
    game = psvn.Game.builtin("sliding-tiles:4:4")
    counts = [0]
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counts[0] += 1
            time.sleep(0.001)

    other = threading.Thread(target=count)
    other.start()
    game.solve(LONG, "dfid", time=1.0)
    stop.set()
    other.join()
    assert counts[0] > 50


def test_searches_run_in_several_threads():
    game = psvn.Game.builtin("sliding-tiles:3:3")
    costs = {}

    def misplaced(state):
        return sum(tile not in ("0", str(place)) for place, tile in enumerate(state))

    def search(number):
        h = [misplaced, game.heuristic("manhattan").__call__][number]
        costs[number] = game.solve("8 7 6 5 4 3 2 1 0", "astar", lambda state: h(state)).cost

    threads = [threading.Thread(target=search, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert costs == {0: 28, 1: 28}


def test_progress_is_told_and_ends():
    told = []
    env = psvn.Environment(progress=lambda *it: told.append(it))
    game = psvn.Game.builtin("sliding-tiles:4:4", env=env)
    told.clear()
    game.solve(LONG, "dfid", time=1.0)
    assert told[-1] == (None, None, None)
    assert any(message and "nodes" in message for message, _, _ in told)


def test_what_progress_raises_stops_the_work():
    class Enough(Exception):
        pass

    def raises(message, done, total):
        if message is not None:
            raise Enough

    env = psvn.Environment(progress=raises)
    game = psvn.Game.builtin("sliding-tiles:4:4", env=env)
    began = time.monotonic()
    with pytest.raises(Enough):
        game.solve(LONG, "dfid", time=60)
    assert time.monotonic() - began < 30


def test_bars_are_shown_by_tqdm():
    tqdm = pytest.importorskip("tqdm")
    from psvn._core.environment import _Bar

    class Recorded(tqdm.tqdm):
        shown = []

        def set_description_str(self, desc=None, refresh=True):
            Recorded.shown.append(desc)

    bar = _Bar(lambda **options: Recorded(file=open(os.devnull, "w"), **options))
    bar._began = time.monotonic() - 10
    bar("a part", 1, 2)
    bar("the whole", 2, 2)
    bar(None, None, None)
    assert Recorded.shown == ["a part", "the whole"] and bar._bar is None


def test_signals_are_python_s_own():
    """The library replaces no signal handler."""
    psvn.Game.builtin("pancake:4").solve("3 1 4 2")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

"""Analyses, trees, searches, tables, plans, experiments."""

import csv
import math
import sys
from importlib.util import find_spec

import pytest

import psvn

START = "8 7 6 5 4 3 2 1 0"


@pytest.fixture(scope="module")
def eight():
    return psvn.Game.builtin("sliding-tiles:3:3")


def breadth_first(game, start):
    """The states by their distance, one by one: an oracle that shares no search."""
    layers, seen = [[start]], {start}
    while layers[-1]:
        layer = []
        for state in layers[-1]:
            for _, to in game.successors(state):
                if to not in seen:
                    seen.add(to)
                    layer.append(to)
        layers.append(layer)
    return layers[:-1]


def test_trees_are_counted_with_and_without_pruning(eight):
    tree = eight.count_tree(6, lengths=[0, 2], parents=True)
    by_hand = [1]
    states = [eight.goal]
    for _ in range(6):
        states = [to for state in states for _, to in eight.successors(state)]
        by_hand.append(len(states))
    assert tree["none"].nodes == by_hand == tree[0].nodes
    assert tree["parent"].nodes[2] < by_hand[2]
    assert tree[2].nodes == tree["parent"].nodes
    assert tree.complete and tree.columns[0].title == "none"
    with pytest.raises(KeyError):
        tree["L=5"]


def test_limits_on_trees_warn(eight):
    with pytest.warns(psvn.PsvnWarning, match="counted to depth"):
        tree = eight.count_tree(25, nodes=1000)
    assert not tree.complete and tree.columns[0].stopped


def test_states_by_distance_are_those_of_breadth_first_search():
    game = psvn.Game.builtin("sliding-tiles:2:3")
    layers = breadth_first(game, game.goal)
    report = game.explore(farthest=1)
    assert [layer.states for layer in report.layers] == [len(layer) for layer in layers]
    assert (report.complete, report.states) == (True, 360)
    assert game.state(report.farthest[0]) in layers[-1]
    assert game.explore(game.goal, depth=3).layers[-1].total == sum(map(len, layers[:4]))


def test_all_algorithms_agree_with_breadth_first_search():
    game = psvn.Game.builtin("sliding-tiles:2:3")
    layers = breadth_first(game, game.goal)
    of_algorithms = {
        "dfid": {},
        "ida": {"heuristic": "manhattan"},
        "ida-cr": {"heuristic": "manhattan"},
        "bts": {"heuristic": "manhattan"},
        "dfbnb": {"heuristic": "manhattan"},
        "ida-table": {"heuristic": "manhattan"},
        "bfs": {},
        "ucs": {},
        "astar": {"heuristic": "manhattan"},
        "bidirectional": {},
        "bae": {"heuristic": "manhattan"},
        "nbs": {"heuristic": "manhattan"},
        "sma": {"heuristic": "manhattan"},
        "wida": {"heuristic": "manhattan", "weight": 1},
        "wastar": {"heuristic": "manhattan", "weight": 1},
    }
    for distance in (0, 3, 9, len(layers) - 1):
        start = layers[distance][-1]
        for algorithm, options in of_algorithms.items():
            found = game.solve(start, algorithm, **options)
            assert (found.solved, found.cost) == (True, distance), algorithm
            assert game.check_plan(found), algorithm
            assert found.states[0] == start and game.is_goal(found.states[-1])
        assert game.solve(start, "greedy", "manhattan").cost >= distance
        assert game.solve(start, "dfs", depth=distance).cost == distance
        assert game.solve(start, "dfs-closed", depth=400).solved


def test_heuristics_tables_and_machines_serve_searches(eight, tmp_path):
    machine = eight.analyze(4).machine
    path = tmp_path / "eight.fsm"
    machine.save(path)
    loaded = psvn.Machine.load(eight, path)
    table = eight.pattern_database("keep 0-4", path=tmp_path / "five.pdb")
    opened = psvn.PatternDatabase.load(eight, tmp_path / "five.pdb")
    options = [
        {"heuristic": "manhattan", "prune": machine},
        {"heuristic": "manhattan", "prune": loaded},
        {"heuristic": "manhattan", "prune": path},
        {"heuristic": table},
        {"heuristic": opened},
        {"heuristic": eight.heuristic("linear-conflict")},
        {"heuristic": "keep 0-4, manhattan"},
        {"heuristic": "auto"},
        {"algorithm": "astar", "heuristic": table},
    ]
    for option in options:
        found = eight.solve(START, **option)
        assert found.cost == 28, option
    assert table(START) == opened(START) <= 28
    assert table(eight.goal) == 0 and table.is_admissible
    assert sum(table.distribution[0].values()) == table.report.tables[0].reached
    assert eight.check_admissible(table, max_states=200_000).consistent
    with pytest.raises(psvn.UsageError):
        eight.solve(START, "bfs", table)
    with pytest.raises(psvn.UsageError):
        eight.solve(START, "astar", "manhattan", prune=machine)


def test_machines_step_as_they_forbid(eight, tmp_path):
    machine = eight.analyze(3).machine
    names = [rule.name for rule in eight.rules]
    for word in machine.words():
        assert not machine.accepts(word.word) and machine.accepts(word.word[:-1])
        assert word.replacement
    inverse = next(rule for rule in eight.rules if rule.inverse)
    assert machine.step(machine.start, names[0]) is not None
    assert not machine.accepts([inverse.name, inverse.inverse])
    assert machine.verify() and machine.verify().machine_valid
    assert machine.describe().redundant_words == machine.n_words
    for wrong in (0, machine.n_states + 1):
        with pytest.raises(IndexError):
            machine.step(wrong, 0)
    with pytest.raises(IndexError):
        machine.step(machine.start, eight.n_rules)
    path = tmp_path / "damaged.fsm"
    machine.save(path)
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(psvn.InputError):
        psvn.Machine.load(eight, path)
    with pytest.raises(psvn.InputError, match="another game"):
        machine.save(path)
        psvn.Machine.load(psvn.Game.builtin("pancake:4"), path)


def test_what_has_no_solution_is_no_error(eight):
    swapped = "1 0 2 3 4 5 6 8 7"
    found = eight.solve(swapped)
    assert not found and found.outcome == "no-solution" and found.proof
    assert found.states == [] and found.animation() is None
    stopped = eight.solve(START, "bfs", nodes=50)
    assert stopped.outcome == "nodes"
    with pytest.raises(psvn.UsageError):
        eight.check_plan(found)


def test_all_solutions_are_listed_up_to_a_number(eight):
    # One of the two 8-puzzles that are farthest from this goal: they have 40 solutions each.
    game = eight.varied(goals="1 2 3 4 5 6 7 8 0")
    found = game.solve("8 6 7 2 5 4 3 0 1", heuristic="manhattan", all=3)
    assert found.cost == 31
    assert found.all["count"] == 40
    assert len(found.all["listed"]) == 3
    assert found.moves in found.all["listed"]


def test_a_game_may_keep_some_of_its_rules(eight):
    game = eight.varied(goals=["1 2 3 - - - - - -", "- - - - - - 6 7 8"], rules=["U", "D", "L"])
    assert game.n_rules == 18
    with pytest.raises(psvn.PsvnError, match="has no rule called `UU`"):
        eight.varied(rules=["UU"])
    varied = eight.varied(goals="- - - - - - 8 7 0")
    starts = eight.states_matching("0 - - - - - - 7 8")
    way = varied.explore(*starts, seek_goals=True)
    assert (len(starts), way.nearest_goal, way.layers[-1].goals) == (720, 14, 720)
    turned = eight.varied(goal_symmetries="positions")
    assert turned.is_goal("2 1 0 5 4 3 8 7 6") and not eight.is_goal("2 1 0 5 4 3 8 7 6")
    with pytest.raises(psvn.UsageError, match="is none of positions, values, all"):
        eight.varied(goal_symmetries="tiles")


def test_options_that_make_no_sense_are_refused(eight):
    for options in [
        {"algorithm": "a-star"},
        {"heuristic": "manhatan"},
        {"nodes": "many"},
        {"speed": 3},
        {"algorithm": "dfs"},
        {"weight": 2},
        {"batch": 2},
        {"cycles": "all"},
    ]:
        with pytest.raises(psvn.UsageError):
            eight.solve(START, **options)
    with pytest.raises(psvn.UsageError, match="max_length"):
        eight.analyze(length=3)


def test_several_starts_go_to_a_table(eight, tmp_path):
    starts = eight.random_states(5, 12)
    found = eight.solve_all(starts, "astar", "manhattan")
    assert [eight.state(it.start) for it in found] == starts
    path = tmp_path / "found.csv"
    found.to_csv(path)
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["cost"]) for row in rows] == [it.cost for it in found]
    assert "<table>" in found._repr_html_()


def test_tables_go_to_pandas(eight):
    pandas = pytest.importorskip("pandas")
    frame = eight.count_tree(4, lengths=[0, 2]).to_pandas()
    assert list(frame.columns) == ["depth", "none", "L=2"] and len(frame) == 5
    assert isinstance(eight.rules.to_pandas(), pandas.DataFrame)
    assert eight.explore(depth=3).layers.to_pandas()["states"].tolist() == [1, 2, 4, 8]


def test_tables_go_to_polars(eight):
    polars = pytest.importorskip("polars")
    assert isinstance(eight.explore(depth=3).layers.to_polars(), polars.DataFrame)


def test_plans_are_checked(eight, tmp_path):
    found = eight.solve(START, "astar", "manhattan")
    assert eight.check_plan(found.moves, START, cost=28).verdict == "right"
    assert eight.check_plan(found.moves, START, cost=27).problems
    wrong = eight.check_plan(found.moves[:-1], START)
    assert not wrong and wrong.verdict == "wrong" and not wrong.reaches_goal
    path = tmp_path / "plan"
    path.write_text(" ".join(found.moves) + "\n")
    assert eight.check_plan(path, START)


SPEC = """
title = "Small"
[[domain]]
name = "pancake"
game = "gen:pancake:5"
instances = [{ random = 2, steps = 6 }]
[[method]]
name = "ida"
command = "solve"
options = { heuristic = "gap" }
[[method]]
name = "tree"
command = "tree"
options = { depth = 3, prune = "2" }
"""


def test_experiments_take_the_options_of_the_command(tmp_path):
    for preset in ("nutshell-7-1", "table4"):
        done = psvn.experiment(preset, tmp_path / f"{preset}.jsonl", quick=True)
        assert done.complete and done.measured == done.cells > 0
    text = """
title = "Names"
[[domain]]
name = "p"
file = "gen:pancake:4"
instances = [{ goal = true }]
[[method]]
name = "depths"
stats = true
[[method]]
name = "labels"
command = "analyze"
operators = "labels"
"""
    done = psvn.experiment(text, tmp_path / "names.jsonl")
    assert done.complete and (done.measured, done.failed) == (2, 0)
    with pytest.raises(psvn.TextError, match="'prune'") as wrong:
        psvn.experiment(text.replace("stats = true", "pruning = 2"), tmp_path / "no.jsonl")
    assert (wrong.value.line, wrong.value.column) == (9, 11)
    assert not (tmp_path / "no.jsonl").exists()


def test_states_go_to_a_disk_up_to_a_limit(tmp_path):
    game = psvn.Game.builtin("pancake:9")
    start = "9 3 1 5 7 2 8 6 4"
    folder = tmp_path / "states"
    options = {"algorithm": "ucs", "memory": 300_000, "disk": folder}
    stopped = game.solve(start, disk_memory=100_000, **options)
    assert (stopped.outcome, bool(stopped)) == ("disk", False)
    assert 0 < stopped.peak_bytes_on_disk <= 100_000
    assert stopped.bytes_written >= stopped.peak_bytes_on_disk
    assert stopped.bytes_read > 0 and stopped.to_dict()["bytes_read"] == stopped.bytes_read
    assert not folder.exists()
    near = game.solve("2 1 3 4 5 6 7 8 9", **options)
    assert near.solved and near.peak_bytes_on_disk == near.bytes_written == 0
    in_memory = game.solve("2 1 3 4 5 6 7 8 9", algorithm="ucs")
    assert in_memory.solved and in_memory.peak_bytes_on_disk is None
    with pytest.raises(psvn.UsageError, match="disk_memory"):
        game.solve(start, algorithm="ucs", disk_memory=1)


def test_look_ups_are_counted_on_request():
    game = psvn.Game.builtin("sliding-tiles:3:3")
    start = "8 7 6 5 4 3 2 1 0"
    counted = game.solve(start, heuristic="keep 1-4+keep 5-8", count_depths=True)
    assert counted.lookups > counted.generated
    assert counted.lookups_per_node == counted.lookups / counted.generated
    assert counted.bytes_per_node == 64 * counted.lookups_per_node
    # Most virtual machines don't count them.
    assert counted.cache_misses is None or counted.cache_misses_per_node > 0
    plain = game.solve(start, heuristic="keep 1-4+keep 5-8")
    assert plain.lookups is None and plain.cache_misses is None


def test_experiments_are_run_once_and_reported(tmp_path):
    preset = psvn.presets()
    assert "table4" in preset
    file = tmp_path / "quick.jsonl"
    done = psvn.experiment("taylor", file, quick=True)
    assert done.complete and done.measured == done.cells > 0
    again = psvn.experiment("taylor", file, quick=True)
    assert (again.measured, again.kept) == (0, done.cells)
    report = psvn.report(file)
    assert "<svg" in report.html() or "<table" in report.html()
    assert len(report.csv().splitlines()) > done.cells
    assert report.to_dict() and str(report)
    if find_spec("polars"):
        assert len(report.to_polars()) == len(report.csv().splitlines()) - 1
    shown = report._repr_html_()
    assert shown.startswith("<iframe") and "&lt;table" in shown
    with pytest.raises(psvn.UsageError):
        report.csv("no such table")
    with pytest.raises(psvn.InputError):
        psvn.report(tmp_path / "none.jsonl")
    with pytest.raises(psvn.TextError) as caught:
        psvn.experiment("title = 'x'\nmethods = 3\n", tmp_path / "wrong.jsonl")
    assert caught.value.line == 2


def test_exact_numbers_stay_exact():
    """Counts beyond 2^53 come as text and become whole numbers."""
    from psvn._core.data import of_data

    column = of_data(
        psvn.TreeColumn,
        {
            "prune": "none",
            "max_length": None,
            "nodes": [1, str(2**70)],
            "seconds": 0.0,
            "generated_per_second": 0.0,
            "analysis_seconds": 0.0,
            "complete": True,
        },
    )
    assert column.nodes == [1, 2**70]
    assert math.log2(column.nodes[1]) == 70


def test_notebooks_show_everything(eight):
    found = eight.solve("1 2 5 3 4 8 0 6 7", heuristic="manhattan")
    machine = eight.analyze(2).machine
    shown = [
        eight._repr_html_(),
        eight.rules._repr_html_(),
        eight.goal._repr_svg_(),
        found._repr_html_(),
        machine._repr_html_(),
        eight.count_tree(3)._repr_html_(),
        eight.draw_tree(2, length=2)._repr_svg_(),
        eight.draw_search("1 2 5 3 4 8 0 6 7", heuristic="manhattan")._repr_svg_(),
        eight.explore(depth=2)._repr_html_(),
        eight.analyze(2)._repr_html_(),
        eight.pattern_database("keep 0 1 2")._repr_html_(),
        eight.solve_all(["1 0 2 3 4 5 6 7 8", "3 1 2 0 4 5 6 7 8"])._repr_html_(),
        eight.explore(depth=2, symmetries=True).layers._repr_html_(),
    ]
    for text in shown:
        assert text.startswith("<") and "</" in text
    assert "@keyframes" in found.animation() and found.animation() in found._repr_html_()
    assert eight.goal.board() == ". 1 2\n3 4 5\n6 7 8"
    plain = psvn.Game.parse("1 2\n0 => 1\nGOAL 1\n")
    assert plain.goal._repr_svg_() is None and plain.goal.board() is None


def test_python_is_new_enough():
    assert sys.version_info >= (3, 10)


def test_least_costs_have_certificates(eight, tmp_path):
    path = tmp_path / "cost.cert"
    found = eight.solve("1 2 3 4 5 6 7 8 0", "ida", "manhattan", certificate=path)
    checked = psvn.certify(path, eight)
    assert checked
    [start] = checked.starts
    assert start["least_cost"] == found.cost
    assert start["claims"] == [{"plan-costs": found.cost}, {"costs-at-least": found.cost}]
    with pytest.raises(psvn.InputError, match="isn't about this game"):
        psvn.certify(path, psvn.Game.builtin("sliding-tiles:2:3"))
    text = path.read_text()
    path.write_text(text.replace(f"bound {found.cost}", f"bound {found.cost + 2}"))
    assert not psvn.certify(path)
    with pytest.raises(psvn.UsageError, match="no certificate"):
        eight.solve("1 2 3 4 5 6 7 8 0", "astar", lambda state: 0, certificate=path)


def test_machines_have_certificates(tmp_path):
    game = psvn.Game.builtin("slide-jump:2")
    path = tmp_path / "machine.cert"
    path.write_text(game.analyze(3).machine.certificate())
    checked = psvn.certify(path, game)
    assert checked
    assert checked.starts[0]["claims"] == ["machine"]
    of_labels = game.analyze(2, letters="labels").machine
    with pytest.raises(psvn.InputError, match="words of operators"):
        of_labels.certificate()

"""States as sequences, short texts of results, words of errors, options, tables as files."""

import csv
import warnings

import pytest

import psvn
from psvn import _psvn

START = "8 7 6 5 4 3 2 1 0"


@pytest.fixture(scope="module")
def eight():
    return psvn.Game.builtin("sliding-tiles:3:3")


def test_states_have_slices(eight):
    state = eight.state(START)
    assert state[:3] == ("8", "7", "6")
    assert state[::-4] == ("0", "4", "8")
    assert state[9:] == () and state[-1] == "0"
    assert list(state) == START.split()
    with pytest.raises(IndexError):
        state[9]
    with pytest.raises(TypeError):
        state["8"]


def test_a_label_is_enough_where_one_of_its_rules_applies(eight):
    state = eight.goal
    to = dict(eight.successors(state))
    right = next(name for name in to if name.startswith("R"))
    assert eight.apply(state, "R") == to[right] == eight.apply(state, "r")
    # The blank is in the upper left corner.
    assert eight.apply(state, "L") is None
    with pytest.raises(psvn.UsageError, match="no rule called"):
        eight.apply(state, "X")
    both = psvn.Game.parse("2 2 2\n0 - => 1 - LABEL on\n- 0 => - 1 LABEL on\nGOAL 1 1\n")
    with pytest.raises(psvn.UsageError, match="several rules") as error:
        both.apply("0 0", "on")
    assert error.value.hint == "on#1, on#2"
    assert str(both.apply("0 1", "on")) == "1 1"


def test_numbers_below_zero_are_refused_in_words(eight):
    for call in (
        lambda: eight.count_tree(-1),
        lambda: eight.count_tree(2, lengths=[-1]),
        lambda: eight.draw_tree(-1),
        lambda: eight.explore(depth=-1),
        lambda: eight.explore(nodes=-5),
        lambda: eight.random_states(-1, 3),
        lambda: eight.state_of_codes([-1] * 9),
        lambda: eight.apply(eight.goal, -1),
        lambda: psvn.Environment(threads=-1),
        lambda: eight.count_tree(1.5),
    ):
        with pytest.raises(psvn.UsageError, match="whole number from 0 on"):
            call()


def test_hints_have_words_of_python(eight):
    with pytest.raises(psvn.UsageError) as error:
        psvn.Game.builtin("no-such-game")
    assert "`psvn.builtin_games()`" in error.value.hint
    assert "topspin:14:3" in psvn.builtin_games()
    with pytest.raises(psvn.UsageError) as error:
        eight.apply(eight.goal, "no-such-rule")
    assert "`game.rules`" in error.value.hint
    # `dfs` needs a depth, and says what to use otherwise.
    for options in ({"algorithm": "dfs"}, {"algorithm": "bfs", "heuristic": "manhattan"}):
        with pytest.raises(psvn.PsvnError) as error:
            eight.solve(START, **options)
        said = str(error.value)
        assert "::" not in said and "--" not in said and ": ida" not in said, said


def test_texts_of_results_are_short(eight):
    found = eight.solve(START, "ida", "manhattan")
    results = eight.solve_all([START] * 3, "ida", "manhattan")
    tree = eight.count_tree(12, lengths=[0, 2])
    things = [found, results, tree, tree.columns[0], eight.rules, eight.rules[0], found.bounds,
              eight.explore(depth=9), eight.analyze(2), eight.check_plan(found)]
    for thing in things:
        assert len(repr(thing)) <= 160 and "\n" not in repr(thing), repr(thing)
        assert type(thing).__name__ in repr(thing)
    assert "cost=28" in repr(found) and "solved=True" in repr(found)
    assert found.to_dict()["bounds"]


def test_counted_trees_are_written_as_csv(eight, tmp_path):
    path = tmp_path / "tree.csv"
    eight.count_tree(3, lengths=[0, 2]).to_csv(path)
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["depth", "none", "L=2"] and len(rows) == 5
    assert rows[1] == ["0", "1", "1"]


def test_the_types_of_options_are_those_that_the_program_takes():
    searches, analyses = (
        {name.replace("-", "_") for name in names} for names in _psvn.option_names()
    )
    typed = set(psvn.SearchOptions.__annotations__)
    # The first two are arguments of their own; the last two are for Python alone.
    assert typed == searches - {"algorithm", "heuristic"} | {"search_anyway", "batch"}
    assert set(psvn.AnalysisOptions.__annotations__) == analyses - {"max_length"}
    kinds = {name: str(kind) for name, kind in psvn.SearchOptions.__annotations__.items()}
    assert all(kinds.values())
    for method in ("solve", "solve_all", "analyze"):
        assert "Unpack" in str(getattr(psvn.Game, method).__annotations__["options"])


def test_numbers_are_sizes_in_bytes(eight):
    assert eight.solve(START, "astar", "manhattan", memory=10_000).outcome == "memory"
    assert eight.solve(START, "astar", "manhattan", memory=1_000_000).outcome == "solved"
    # Not even the estimate fits.
    with pytest.raises(psvn.LimitError, match="`manhattan` wasn't made, because the memory"):
        eight.solve(START, "astar", "manhattan", memory=100)


def test_a_dictionary_specifies_an_experiment(tmp_path):
    spec = {
        "title": "Two \"methods\"",
        "domain": [
            {"name": "small", "file": "gen:pancake:5", "instances": [{"walks": 2, "steps": 4}]},
        ],
        "method": [
            {"name": "plain", "algorithm": "ida"},
            {"name": "gap", "algorithm": "astar", "heuristic": "gap"},
        ],
        "limits": {"nodes": 100_000},
    }
    run = psvn.experiment(spec, tmp_path / "run.jsonl")
    assert run.complete and run.cells == 4
    cells = psvn.report(tmp_path / "run.jsonl").csv("cells").splitlines()
    assert len(cells) == 5
    with pytest.raises(psvn.TextError):
        psvn.experiment({**spec, "domain": [{"walk": 3}]}, tmp_path / "wrong.jsonl")
    with pytest.raises(psvn.UsageError, match="a specification holds no set"):
        psvn.experiment({"title": {1}}, tmp_path / "wrong.jsonl")


def test_a_suspicious_game_is_mentioned_when_it_is_opened():
    text = (
        "DOMAIN lamp 2 off on\n2\nlamp lamp\noff - => on -\non - => off -\n"
        "- of => - on\n- on => - off\nGOAL on on\n"
    )
    with pytest.warns(psvn.PsvnWarning, match="1 warning; `game.warnings` has it"):
        game = psvn.Game.parse(text, "lamps")
    (warning,) = game.warnings
    assert (warning.code, warning.line) == ("symbol-near-value", 6)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert psvn.Game.parse(text.replace("of =>", "off =>")).warnings == []
        assert psvn.Game.builtin("pancake:5").warnings == []

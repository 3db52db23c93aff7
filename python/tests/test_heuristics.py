"""Heuristics written in Python: of a state, and of an array of states."""

import math

import pytest

import psvn

START = "8 7 6 5 4 3 2 1 0"


@pytest.fixture(scope="module")
def eight():
    return psvn.Game.builtin("sliding-tiles:3:3")


def misplaced(state):
    return sum(value not in ("0", str(place)) for place, value in enumerate(state))


def manhattan(state):
    total = 0
    for place, value in enumerate(state.codes):
        if value:
            total += abs(place // 3 - value // 3) + abs(place % 3 - value % 3)
    return total


def manhattan_of_many():
    numpy = pytest.importorskip("numpy")
    places = numpy.arange(9)
    table = abs(places[:, None] // 3 - places // 3) + abs(places[:, None] % 3 - places % 3)
    table[:, 0] = 0

    @psvn.batched
    def h(states):
        return table[places, states].sum(axis=1)

    return h


def test_a_function_of_a_state_finds_what_the_library_finds(eight):
    built_in = eight.heuristic("manhattan")
    for state in [eight.goal, *eight.random_states(10, 30)]:
        assert manhattan(state) == built_in(state)
        cost = eight.solve(state, "astar", "manhattan").cost
        for algorithm in ("astar", "ida"):
            found = eight.solve(state, algorithm, manhattan)
            assert found.cost == cost and eight.check_plan(found)
    assert eight.solve(START, "astar", misplaced).heuristic == "misplaced"


def test_a_function_of_many_states_finds_the_same(eight):
    h = manhattan_of_many()
    found = eight.solve(START, "astar", h)
    assert (found.cost, found.heuristic_start) == (28, eight.heuristic("manhattan")(START))
    for batch in (1, 10, 100_000):
        assert eight.solve(START, "ida", h, batch=batch).cost == 28
        assert eight.solve(START, "astar", h, batch=batch).cost == 28
    pruned = eight.solve(START, "ida", h, prune=eight.analyze(4).machine)
    assert pruned.cost == 28 and pruned.pruned_by_machine > 0
    one_by_one = eight.solve(START, "astar", manhattan)
    assert one_by_one.expanded <= eight.solve(START, "astar", h).expanded


def test_arrays_are_shared_and_read_only(eight):
    numpy = pytest.importorskip("numpy")
    seen = []

    @psvn.batched
    def h(states):
        assert states.dtype == numpy.uint8 and states.shape[1] == 9
        assert not states.flags.writeable and not states.flags.owndata
        seen.append(states)
        return numpy.zeros(len(states))

    eight.solve("1 2 5 3 4 8 0 6 7", "astar", h)
    # The rows stay unchanged, since an array keeps its block alive.
    assert all((numpy.sort(rows, axis=1) == numpy.arange(9)).all() for rows in seen)
    states = eight.random_states(4, 10)
    array = eight.array(states)
    assert [eight.state_of_codes(row) for row in array] == states
    assert eight.array([]).shape == (0, 9)


def test_wide_values_have_wide_codes():
    numpy = pytest.importorskip("numpy")
    game = psvn.Game.parse("1 300\n298 => 299\nGOAL 299\n")
    array = game.array(["298", "299"])
    assert array.dtype == numpy.uint16 and array.tolist() == [[298], [299]]
    assert game.solve("298", "astar", lambda state: 0).cost == 1


def test_heuristics_are_checked_for_admissibility():
    game = psvn.Game.builtin("sliding-tiles:2:3")
    checked = game.check_admissible("manhattan")
    assert checked and checked.consistent and checked.states == 360
    wrong = game.check_admissible(lambda state: 2 * game.heuristic("manhattan")(state))
    assert not wrong and wrong.worst.estimate > wrong.worst.cost
    assert game.heuristic("manhattan")(wrong.worst.state) * 2 == wrong.worst.estimate
    dead = game.check_admissible(lambda state: None)
    assert dead.worst.estimate is None and not dead
    with pytest.raises(psvn.LimitError, match="more than 100"):
        game.check_admissible("manhattan", max_states=100)


def test_dead_ends_and_fractions():
    numpy = pytest.importorskip("numpy")
    game = psvn.Game.builtin("pancake:5")
    start = "3 1 5 2 4"
    cost = game.solve(start).cost
    assert game.solve(start, "astar", lambda state: 0.5 if state != game.goal else 0).cost == cost
    assert game.solve(start, "astar", lambda state: math.inf).outcome == "no-solution"
    assert game.solve(start, "ida", lambda state: None).outcome == "no-solution"

    @psvn.batched
    def nothing(states):
        return numpy.full(len(states), numpy.inf)

    assert game.solve(start, "ida", nothing).outcome == "no-solution"


@pytest.mark.parametrize("algorithm", ["astar", "ida"])
def test_what_a_function_raises_comes_back(eight, algorithm):
    def h(state):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        eight.solve(START, algorithm, h)
    with pytest.raises(KeyError, match="mine"):
        eight.check_admissible(h)


def test_wrong_estimates_are_refused(eight):
    numpy = pytest.importorskip("numpy")
    for wrong in (-1, math.nan, 1e30):
        with pytest.raises((ValueError, OverflowError)):
            eight.solve(START, "astar", lambda state: wrong)
    for wrong in (
        lambda states: numpy.zeros(3),
        lambda states: numpy.zeros((len(states), 1)),
        lambda states: numpy.full(len(states), -1),
        lambda states: numpy.full(len(states), numpy.nan),
        lambda states: 7,
    ):
        with pytest.raises(ValueError):
            eight.solve(START, "astar", psvn.batched(wrong))
    with pytest.raises(TypeError):
        eight.solve(START, "astar", psvn.batched(lambda states: numpy.full(len(states), "a")))
    with pytest.raises(psvn.UsageError, match="batches"):
        eight.solve(START, "bfs", misplaced)


def test_estimates_are_numbers_of_any_type(eight):
    numpy = pytest.importorskip("numpy")
    costs = set()
    for dtype in ("uint8", "int8", "uint16", "int64", "uint64", "float32", "float64", "bool"):
        h = psvn.batched(lambda states, dtype=dtype: (states[:, 0] != 0).astype(dtype))
        costs.add(eight.solve("1 2 5 3 4 8 0 6 7", "astar", h).cost)
    assert costs == {6}
    for dtype, wrong in [
        ("int8", -1),
        ("int64", -3),
        ("int64", 2**62 + 1),
        ("uint64", 2**63 + 5),
        ("float32", -0.5 - 1),
        ("float32", 1e30),
        ("float64", math.nan),
    ]:
        h = psvn.batched(lambda states, it=(dtype, wrong): numpy.full(len(states), it[1], it[0]))
        with pytest.raises(ValueError, match="an estimate is a number from 0 on"):
            eight.solve(START, "astar", h)

"""Games: opening, building, states, rules, errors."""

import json
import pickle

import pytest

import psvn

LAMPS = "2 2 2\n0 - => 1 - LABEL a\n- 0 => - 1 LABEL b COST 2\nGOAL 1 1\n"


def test_games_are_opened_parsed_and_built_in(tmp_path):
    path = tmp_path / "lamps.psvn"
    path.write_text(LAMPS)
    game = psvn.Game.open(path)
    assert (game.name, game.n_variables, game.n_rules) == (str(path), 2, 2)
    assert game.hash == psvn.Game.parse("# a comment\n" + LAMPS).hash
    assert game.text == LAMPS
    assert [rule.cost for rule in game.rules] == [1, 2]
    assert game.rules[0].name == "a" and game.rules[0].preconditions == ["0", "x2"]
    assert str(game.goal) == "1 1"
    built_in = psvn.Game.builtin("topspin:14:3")
    assert (built_in.name, built_in.n_rules) == ("gen:topspin:14:3", 14)
    assert "topspin:14:3" in repr(built_in)


def test_states_are_sequences_of_names():
    game = psvn.Game.builtin("pancake:4")
    state = game.state("3 1 4 2")
    assert list(state) == ["3", "1", "4", "2"] == list(state.values)
    assert (len(state), state[-1], str(state)) == (4, "2", "3 1 4 2")
    assert state == game.state([3, 1, 4, 2]) and state != game.goal
    assert {state: 1}[game.state_of_codes(state.codes)] == 1
    with pytest.raises(IndexError):
        state[4]
    with pytest.raises(ValueError):
        game.state_of_codes([0, 1, 2, 4])
    with pytest.raises(ValueError):
        game.state_of_codes([0, 1, 2])
    with pytest.raises(psvn.UsageError):
        psvn.Game.parse(LAMPS).state(state)


def test_rules_are_applied_and_composed():
    game = psvn.Game.parse(LAMPS)
    assert game.applicable("0 1") == ["a"]
    assert game.apply("0 1", "a") == game.goal == game.apply("0 1", 0)
    assert game.apply("0 1", "b") is None
    assert [(name, str(to)) for name, to in game.successors("0 0")] == [("a", "1 0"), ("b", "0 1")]
    assert game.is_goal("1 1") and not game.is_goal("1 0")
    both = game.compose("a", "b")
    assert (both.valid, both.cost) == (True, 3)
    assert both.rule == game.compose("b", "a").rule
    assert not game.compose("a", "a").valid
    assert game.explain("b", "a").verdict == "redundant"
    assert game.explain("a", "a").verdict == "impossible"
    with pytest.raises(IndexError):
        game.apply("0 1", 2)


def test_explanations_are_printed_with_their_reasons():
    tiles = psvn.Game.builtin("sliding-tiles:3:3")
    replaced = tiles.explain("R#1", "L#1")
    assert str(replaced).splitlines() == [
        "R#1 L#1: redundant",
        "",
        "  R#1 L#1",
        f"    {replaced.rule}  cost 2",
        "  can always be replaced by doing nothing",
        "    <x1 x2 x3 x4 x5 x6 x7 x8 x9> -> <x1 x2 x3 x4 x5 x6 x7 x8 x9>  cost 0",
        "",
        "  - it can be used wherever the other can, and leads to the same state, with x1 = 0",
        "  - it costs no more: 0 <= 2",
        "  - it comes first: it needs no rule at all",
    ]
    part = str(tiles.explain("U#1", "R#1", "L#1"))
    assert part.startswith("U#1 R#1 L#1: contains a redundant part\n  R#1 L#1 (rules 2 to 3 of")
    kept = str(tiles.explain("R#1", "U#1"))
    assert kept.startswith("R#1 U#1: not redundant") and "\n  nearest sequence: L#1\n" in kept
    assert str(psvn.Game.parse(LAMPS).explain("a", "a")).startswith("a a: impossible\n  ")
    # Values within values stay values.
    assert replaced.to_dict()["certificate"]["replacement"]["word"] == []


def test_every_rule_agrees_with_its_macro_rule():
    game = psvn.Game.builtin("sliding-tiles:2:3")
    for state in game.random_states(20, 9):
        for first, middle in game.successors(state):
            for second, end in game.successors(middle):
                assert game.apply(game.apply(state, first), second) == end
                assert game.compose(first, second).valid


def test_errors_have_a_place_and_a_hint():
    with pytest.raises(psvn.TextError) as caught:
        psvn.Game.parse("3 2 2\n0 => 1\n", name="short.psvn")
    error = caught.value
    assert (error.file, error.line) == ("short.psvn", 1)
    assert error.column is not None and error.flaws[0].line == 1
    assert "^" in str(error) and isinstance(error, psvn.PsvnError)
    with pytest.raises(psvn.UsageError) as caught:
        psvn.Game.builtin("slidin-tiles:3:3")
    assert caught.value.hint
    with pytest.raises(psvn.InputError):
        psvn.Game.open("there is no such file.psvn")
    with pytest.raises(psvn.UsageError) as caught:
        psvn.Game.builtin("pancake:4").compose("flip9")
    assert "rule" in str(caught.value)
    with pytest.raises(psvn.InputError) as caught:
        psvn.Game.builtin("pancake:4").state("1 2 3")
    assert "4 values" in caught.value.message


def test_unpicklable_values_say_so():
    with pytest.raises(TypeError):
        pickle.dumps(psvn.Game.builtin("pancake:4").goal)


def lights(n=3):
    builder = psvn.GameBuilder("lights")
    light = builder.domain("light", ["off", "on"])
    names = builder.variables([f"l{i}" for i in range(n)], light)
    for name in names:
        for before, after in [("off", "on"), ("on", "off")]:
            builder.rule(f"press_{name}", {name: (before, after)})
    builder.goal({name: "on" for name in names})
    return builder


def test_a_game_is_built_by_loops():
    game = lights().build()
    assert (game.n_variables, game.n_rules) == (3, 6)
    assert game.variables == ["l0", "l1", "l2"]
    assert game.solve("off on off").cost == 2
    assert psvn.Game.parse(str(lights())).hash == game.hash


def test_rows_symbols_and_costs_are_built():
    """The puzzle of n numbers in a ring is the same by rows and by dictionaries."""
    n = 4
    x = [psvn.symbol(f"X{i}") for i in range(n)]
    rows, dicts = psvn.GameBuilder("ring"), psvn.GameBuilder("ring")
    for builder in (rows, dicts):
        builder.variables([f"p{i}" for i in range(n)], n)
        builder.goal(range(n))
    for i in range(n):
        j = (i + 1) % n
        after = list(x)
        after[i], after[j] = x[j], x[i]
        rows.rule(f"swap{i}", x, after, cost=i)
        dicts.rule(f"swap{i}", {f"p{i}": (x[i], x[j]), f"p{j}": (x[j], x[i])}, cost=i)
    assert rows.build().hash == dicts.build().hash
    by_hand = "4 4 4 4 4\n" + "".join(
        f"{' '.join(['-'] * n)}".replace("-", "{}").format(*[
            "A" if k == i else "B" if k == (i + 1) % n else "-" for k in range(n)
        ])
        + " => "
        + " ".join("B" if k == i else "A" if k == (i + 1) % n else "-" for k in range(n))
        + f" LABEL swap{i} COST {i}\n"
        for i in range(n)
    )
    assert psvn.Game.parse(by_hand + "GOAL 0 1 2 3\n").hash == rows.build().hash


@pytest.mark.parametrize(
    "wrong",
    [
        lambda b: b.rule("r", {"l0": ("of", "on")}),
        lambda b: b.rule("r", {"l9": ("off", "on")}),
        lambda b: b.rule("r", {"l0": "off"}),
        lambda b: b.rule("r", ["off"], ["on"]),
        lambda b: b.rule("r", ["off", "-", "-"]),
        lambda b: b.rule("r", {"l0": ("off", "on")}, cost=-1),
        lambda b: b.rule("r", {"l0": (psvn.symbol("ON"), "on")}),
        lambda b: b.rule("a label", {"l0": ("off", "on")}),
        lambda b: b.goal({"l0": "maybe"}),
        lambda b: b.domain("light", ["a"]),
        lambda b: b.domain("two", ["a", "A"]),
        lambda b: b.domain("none", []),
        lambda b: b.variable("l0", "light"),
        lambda b: b.variable("new", "ligth"),
    ],
)
def test_mistakes_in_builders_are_refused(wrong):
    with pytest.raises(psvn.UsageError) as caught:
        wrong(lights())
    assert caught.value.message


def test_builders_tell_near_misses():
    with pytest.raises(psvn.UsageError, match="did you mean 'light'"):
        lights().variable("new", "ligth")


def test_results_are_data():
    game = psvn.Game.builtin("pancake:4")
    for result in [
        game.rules,
        game.count_tree(2),
        game.explore(),
        game.analyze(2),
        game.solve("3 1 4 2"),
        game.compose("rule_1", "rule_2"),
    ]:
        assert json.loads(json.dumps(result.to_dict()))


def test_scrambles_and_instances_are_states(tmp_path):
    game = psvn.Game.builtin("rubik:2:fixed")
    label = game.rules[0].label
    state = game.scramble(label)
    assert state == game.apply(game.goal, 0)
    assert game.scramble("") == game.goal
    with pytest.raises(psvn.InputError):
        game.scramble("no-such-move")
    path = tmp_path / "scrambles.txt"
    path.write_text(f"# one\n{label}\nfar: {label} {label} = 1\n", encoding="utf-8")
    first, second = game.instances(path, "scrambles")
    assert first == ("1", state, None)
    assert second == ("far", game.scramble(f"{label} {label}"), 1)
    path.write_text(f"{label} nothing\n", encoding="utf-8")
    with pytest.raises(psvn.TextError) as caught:
        game.instances(path, "scrambles")
    assert (caught.value.line, caught.value.column) == (1, len(label) + 2)
    with pytest.raises(psvn.UsageError):
        game.instances(path, "other")
    korf = psvn.Game.builtin("sliding-tiles:4:4").instances("gen:korf15")
    assert len(korf) == 100 and korf[0][2] == 57

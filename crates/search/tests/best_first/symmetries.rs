//! One state for all its images under symmetries.

use psvn_ir::testing::{SplitMix64, cases};
use psvn_ir::{Game, State, Value, VarId};
use search::{
    CompiledGame, Outcome, Run, Searcher, SolveReport, StateMap, Ties, Weight, ZeroHeuristic,
};

use crate::oracle::{Erratic, answer, counts, from_start, generated, load, run, state, to_goal};

/// Return the map that puts part `parts[i]` of the variables, `size` each, where part i is.
fn exchange(game: &Game, parts: &[usize], size: usize) -> StateMap {
    let n = game.n_variables();
    let variables = (0..n).map(|i| VarId::from_index(parts[i / size] * size + i % size));
    let values = (0..n).map(|i| {
        let n_values = game.domain_of(VarId::from_index(i)).size();
        (0..n_values).map(Value::from_index).collect()
    });
    StateMap {
        variables: variables.collect(),
        values: values.collect(),
    }
}

/// Return the map of towers that exchanges pegs.
fn pegs(game: &Game, pegs: [usize; 4]) -> StateMap {
    let identity = exchange(game, &[0], game.n_variables());
    let variables = (0..game.n_variables()).map(|i| VarId::from_index(i / 4 * 4 + pegs[i % 4]));
    StateMap {
        variables: variables.collect(),
        ..identity
    }
}

fn orbits(game: &Game, start: &State, maps: &[StateMap]) -> usize {
    let maps: Vec<_> = maps
        .iter()
        .filter(|map| map.image(start) == *start)
        .collect();
    let all = from_start(game, start, true);
    let least = |state: &State| {
        let images = maps.iter().map(|map| map.image(state));
        let values = |state: State| state.values().iter().map(|it| it.0).collect::<Vec<_>>();
        images.map(values).min()
    };
    let mut orbits: Vec<_> = all.keys().map(least).collect();
    orbits.sort_unstable();
    orbits.dedup();
    orbits.len()
}

/// Compare searches with and without symmetries. Return the reports without a heuristic.
fn compare<'p>(
    game: &Game,
    maps: &[StateMap],
    start: &State,
    searcher: impl Fn() -> Run<'p>,
) -> [SolveReport; 2] {
    let with = || searcher().symmetries(maps.to_vec());
    let plain = searcher().uniform_cost(start).unwrap();
    let reduced = with().uniform_cost(start).unwrap();
    let expected = answer(game, start, &plain).map(|it| it.0);
    assert_eq!(answer(game, start, &reduced).map(|it| it.0), expected);
    let reachable: Vec<State> = from_start(game, start, false).into_keys().collect();
    let costs = to_goal(game, &reachable, false);
    for (seed, percent) in [(1, [100, 100]), (2, [20, 100]), (3, [0, 60])] {
        let erratic = Erratic {
            table: costs.clone(),
            seed,
            percent,
        };
        for ties in [Ties::GreaterG, Ties::Lifo, Ties::Fifo] {
            let report = with().ties(ties).a_star(start, &erratic).unwrap();
            assert_eq!(answer(game, start, &report).map(|it| it.0), expected);
        }
        let folder = crate::folder();
        let report = with().a_star_on_disk(start, &erratic, folder.path());
        let report = report.unwrap();
        assert_eq!(answer(game, start, &report).map(|it| it.0), expected);
        let weight = Weight::new(3, 2).unwrap();
        let report = with().weighted_a_star(start, &erratic, weight).unwrap();
        let cost = answer(game, start, &report).map(|it| it.0);
        assert!(
            cost.zip(expected)
                .is_none_or(|(cost, least)| cost * 2 <= least * 3)
        );
        let report = with().greedy(start, &erratic).unwrap();
        assert_eq!(answer(game, start, &report).is_some(), expected.is_some());
    }
    [plain, reduced]
}

#[test]
fn towers_are_kept_up_to_pegs() {
    let game = generated("hanoi:4:4");
    let maps: Vec<StateMap> = [
        [0, 1, 2, 3],
        [0, 2, 1, 3],
        [1, 0, 2, 3],
        [1, 2, 0, 3],
        [2, 0, 1, 3],
        [2, 1, 0, 3],
    ]
    .map(|it| pegs(&game, it))
    .to_vec();
    let goal = game.goal_state().unwrap();
    let end = (0..4).find(|peg| goal.values()[*peg] == Value(1)).unwrap();
    assert_eq!(end, 3);
    let packed = || {
        let ones = |disk: usize| (4 * disk..4 * disk + 4).map(|i| (VarId::from_index(i), Value(1)));
        let groups = (0..4).map(|disk| ones(disk).collect());
        let builder = Searcher::builder(&CompiledGame::new(&game));
        builder.one_of(groups).build().run()
    };
    // All disks on a peg: two pegs can be exchanged. On two pegs: none, or two.
    for places in [[0, 0, 0, 0], [0, 0, 0, 1], [2, 2, 1, 1], [0, 1, 2, 3]] {
        let start = state((0..16).map(|i| u32::from(places[i / 4] == i % 4)));
        let [_, reduced] = compare(&game, &maps, &start, || run(&game));
        let [_, other] = compare(&game, &maps, &start, packed);
        assert_eq!(reduced.totals.expanded, other.totals.expanded);
        // Without a goal, all states are stored.
        let endless = game.with_goal_states([]);
        let mut all = run(&endless).symmetries(maps.clone());
        let report = all.a_star(&start, &ZeroHeuristic).unwrap();
        assert_eq!(report.outcome, Outcome::NoSolution);
        assert_eq!(
            counts(&report).states() as usize,
            orbits(&endless, &start, &maps)
        );
    }
}

/// Three tokens with the same rules, which can be exchanged; rules of different costs, some free.
#[test]
fn random_games_of_equal_tokens() {
    const ORDERS: [[usize; 3]; 6] = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let mut fewer = 0;
    for seed in 0..cases(60) {
        let mut random = SplitMix64::new(seed);
        let n_places = 3 + random.below(3);
        let mut text = format!("3  {n_places} {n_places} {n_places}\n");
        for _ in 0..3 * n_places {
            let mut from = [(); 3].map(|()| random.below(n_places + 2));
            from[0] %= n_places;
            let mut to = from;
            to[0] = random.below(n_places);
            if random.chance(20) {
                // A rule that loses a value.
                from[2] = n_places;
                to[2] = random.below(n_places);
            }
            let cost = match seed % 3 {
                0 => 1,
                1 => 1 + random.below(3),
                _ => random.below(3),
            };
            let word = |value: usize| match value {
                value if value < n_places => value.to_string(),
                _ => "-".to_owned(),
            };
            let mut rules: Vec<String> = ORDERS
                .iter()
                .map(|order| {
                    let side = |values: [usize; 3]| order.map(|i| word(values[i])).join(" ");
                    format!("{} => {} COST {cost}\n", side(from), side(to))
                })
                .collect();
            rules.sort();
            rules.dedup();
            text += &rules.concat();
        }
        let last = n_places - 1;
        text += &format!("GOAL {last} {last} {last}\n");
        let game = load(&text);
        let maps: Vec<StateMap> = ORDERS
            .iter()
            .map(|order| exchange(&game, order, 1))
            .collect();
        for start in [[0, 0, 0], [0, 1, 1], [0, 1, 2]] {
            let start = state(start);
            let [plain, reduced] = compare(&game, &maps, &start, || run(&game));
            let (plain, reduced) = (counts(&plain).states(), counts(&reduced).states());
            assert!(reduced <= plain || start == state([0, 1, 2]));
            fewer += usize::from(reduced < plain);
            let endless = game.with_goal_states([]);
            let mut all = run(&endless).symmetries(maps.clone());
            let report = all.a_star(&start, &ZeroHeuristic).unwrap();
            assert_eq!(
                counts(&report).states() as usize,
                orbits(&endless, &start, &maps)
            );
        }
    }
    assert!(fewer > 40, "{fewer}");
}

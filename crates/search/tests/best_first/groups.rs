//! Variables of which exactly one holds a value, packed together.

use psvn_ir::testing::{SplitMix64, cases};
use psvn_ir::{Game, State, Value, VarId};
use search::{
    Cell, CompiledGame, Heuristic, Properties, RankedTable, Run, Searcher, SolveReport,
    ZeroHeuristic,
};

use crate::oracle::{Erratic, answer, counts, from_start, generated, run, state, to_goal};

type Fact = (VarId, Value);

/// Return a run that packs these groups.
fn grouped<'p>(game: &Game, groups: &[Vec<Fact>]) -> Run<'p> {
    let builder = Searcher::builder(&CompiledGame::new(game));
    builder.one_of(groups.to_vec()).build().run()
}

/// Return the variables `first`, `first + 1`, ... of which one is 1.
fn ones(first: usize, n: usize) -> Vec<Fact> {
    let vars = (first..first + n).map(VarId::from_index);
    vars.map(|var| (var, Value(1))).collect()
}

/// The counts that don't depend on how states are packed.
fn same(one: &SolveReport, other: &SolveReport) {
    assert_eq!(one.outcome, other.outcome);
    assert_eq!(one.totals, other.totals);
    let (one, other) = (counts(one), counts(other));
    assert_eq!(one.layers, other.layers);
    assert_eq!(one.states(), other.states());
    assert_eq!(
        (one.duplicates, one.reopened, one.dead_ends),
        (other.duplicates, other.reopened, other.dead_ends)
    );
}

fn compare(game: &Game, groups: &[Vec<Fact>], start: &State, words: (usize, usize)) {
    let (mut plain, mut packed) = (run(game), grouped(game, groups));
    let reachable: Vec<State> = from_start(game, start, false).into_keys().collect();
    let erratic = Erratic {
        table: to_goal(game, &reachable, false),
        seed: 3,
        percent: [30, 100],
    };
    let folder = crate::folder();
    let on_disk = |run: &mut Run<'_>| run.a_star_on_disk(start, &erratic, folder.path());
    let [one, other] = [&mut plain, &mut packed].map(|run| on_disk(run).unwrap());
    let [cost, packed_cost] = [&one, &other].map(|it| answer(game, start, it).map(|it| it.0));
    assert_eq!(cost, packed_cost);
    assert_eq!(one.totals, other.totals);
    assert_eq!(counts(&other).packed_bytes, 8 * words.1);
    for (one, other) in [
        (plain.explore(start), packed.explore(start)),
        (plain.bfs(start), packed.bfs(start)),
        (plain.uniform_cost(start), packed.uniform_cost(start)),
        (
            plain.a_star(start, &erratic),
            packed.a_star(start, &erratic),
        ),
        (
            plain.greedy(start, &erratic),
            packed.greedy(start, &erratic),
        ),
        (plain.dfs_closed(start, 30), packed.dfs_closed(start, 30)),
        (plain.bidirectional(start), packed.bidirectional(start)),
    ] {
        let (one, other) = (one.unwrap(), other.unwrap());
        same(&one, &other);
        assert_eq!(answer(game, start, &one), answer(game, start, &other));
        let is_one_way = counts(&one).stored_backward.is_none();
        let expected = if is_one_way { words.1 } else { words.0 };
        assert_eq!(counts(&one).packed_bytes, 8 * words.0);
        assert_eq!(counts(&other).packed_bytes, 8 * expected);
    }
}

#[test]
fn towers_take_two_bits_for_a_disk() {
    for disks in [3, 5] {
        let game = generated(&format!("hanoi:4:{disks}"));
        let groups: Vec<_> = (0..disks).map(|disk| ones(4 * disk, 4)).collect();
        let start = state((0..4 * disks).map(|i| u32::from(i % 4 == 0)));
        assert_eq!(
            from_start(&game, &start, true).len(),
            4_usize.pow(disks as u32)
        );
        compare(&game, &groups, &start, (1, 1));
    }
    // 68 bits, or 34.
    let game = generated("hanoi:4:17");
    let groups: Vec<_> = (0..17).map(|disk| ones(4 * disk, 4)).collect();
    let goal = game.goal_state().unwrap();
    let mut random = SplitMix64::new(1);
    let rules: Vec<_> = game.rules().iter().map(|rule| &rule.canonical).collect();
    let mut values = goal.values().to_vec();
    for _ in 0..400 {
        let rule = rules[random.below(rules.len())];
        if rule.applies_to(&values) {
            values = rule.apply(&values).to_vec();
        }
    }
    let start = State::new(values);
    let limits = search::Limits {
        nodes: Some(50_000),
        ..search::Limits::default()
    };
    let mut plain = run(&game).limits(limits.clone());
    let mut packed = grouped(&game, &groups).limits(limits);
    let one = plain.a_star(&start, &ZeroHeuristic).unwrap();
    let other = packed.a_star(&start, &ZeroHeuristic).unwrap();
    same(&one, &other);
    assert_eq!(
        (counts(&one).packed_bytes, counts(&other).packed_bytes),
        (16, 8)
    );
}

/// Tokens that move among places: the fact that holds may be 0, the groups are listed in any order,
/// and rules test that facts don't hold.
#[test]
fn random_games_of_tokens() {
    for seed in 0..cases(30) {
        let mut random = SplitMix64::new(seed);
        let (n_tokens, n_places) = (2 + random.below(2), 3 + random.below(3));
        let n = n_tokens * n_places;
        let mut order: Vec<usize> = (0..n).collect();
        (0..n).for_each(|i| order.swap(i, random.below(n)));
        let holds: Vec<usize> = (0..n).map(|_| random.below(2)).collect();
        let var = |token: usize, place: usize| order[token * n_places + place];
        let mut text = format!("{n} {}\n", " 2".repeat(n));
        for _ in 0..4 * n {
            let mut row = [vec!["-".to_owned(); n], vec!["-".to_owned(); n]];
            for token in 0..n_tokens {
                let (from, to) = (random.below(n_places), random.below(n_places));
                if from == to || token > 0 && random.chance(60) {
                    // A place where it isn't.
                    let var = var(token, to);
                    row[0][var] = (1 - holds[var]).to_string();
                    row[1][var] = row[0][var].clone();
                    continue;
                }
                for (place, before) in [(from, true), (to, false)] {
                    let var = var(token, place);
                    let value = |is: bool| if is { holds[var] } else { 1 - holds[var] };
                    row[0][var] = value(before).to_string();
                    row[1][var] = value(!before).to_string();
                }
            }
            let cost = 1 + random.below(3);
            text += &format!("{} => {} COST {cost}\n", row[0].join(" "), row[1].join(" "));
        }
        let values = |place: usize| {
            let mut values = vec![0; n];
            for token in 0..n_tokens {
                for other in 0..n_places {
                    let var = var(token, other);
                    values[var] = if other == place {
                        holds[var]
                    } else {
                        1 - holds[var]
                    };
                }
            }
            values
        };
        let goal = values(n_places - 1)
            .iter()
            .map(|it| format!(" {it}"))
            .collect::<String>();
        text += &format!("GOAL{goal}\n");
        let game = psvn_ir::load(&text).game.expect("a game without errors");
        let group = |token| {
            let vars = (0..n_places).map(|place| var(token, place));
            vars.map(|var| (VarId::from_index(var), Value(holds[var] as u32)))
                .collect()
        };
        let groups: Vec<Vec<Fact>> = (0..n_tokens).map(group).collect();
        let start = state(values(0).into_iter().map(|it| it as u32));
        compare(&game, &groups, &start, (1, 1));
        // From elsewhere nothing is packed together, and nothing goes wrong.
        let mut broken = values(0);
        broken[var(0, 0)] = 1 - broken[var(0, 0)];
        let broken = state(broken.into_iter().map(|it| it as u32));
        let (one, other) = (
            run(&game).explore(&broken),
            grouped(&game, &groups).explore(&broken),
        );
        same(&one.unwrap(), &other.unwrap());
    }
}

#[test]
fn variables_that_are_copied_are_not_packed_together() {
    let game = psvn_ir::load(
        "3  2 2 2
         A B C => B C A
         GOAL 1 0 0",
    );
    let game = game.game.expect("a game without errors");
    compare(&game, &[ones(0, 3)], &state([0, 0, 1]), (1, 1));
}

/// The number of tokens at each place, times a weight, as entries of two tables.
struct ByRanks {
    tables: [Table; 2],
    by_ranks: bool,
}

struct Table {
    first: usize,
    entries: Vec<u64>,
}

impl RankedTable for Table {
    fn numbers(&self) -> Option<Vec<(VarId, Vec<u64>)>> {
        let of = |disk: usize| {
            (0..4).map(move |peg: usize| {
                let var = VarId::from_index(4 * (self.first + disk) + peg);
                (var, vec![0, (peg as u64) << (2 * disk)])
            })
        };
        Some((0..2).flat_map(of).collect())
    }

    fn at(&self, rank: u64) -> u64 {
        self.entries[rank as usize]
    }

    fn fetch(&self, rank: u64) {
        assert!(rank < 16);
    }
}

impl Heuristic for ByRanks {
    fn estimate(&self, state: &[u32]) -> u64 {
        let of_table = |table: &Table| {
            let peg = |disk: usize| {
                (0..4)
                    .find(|peg| state[4 * disk + peg].index() == 1)
                    .unwrap()
            };
            table.at((peg(table.first) + 4 * peg(table.first + 1)) as u64)
        };
        self.tables
            .iter()
            .map(of_table)
            .fold(0, u64::saturating_add)
    }

    fn properties(&self) -> Properties<'_> {
        let tables = self.tables.iter().map(|table| table as &dyn RankedTable);
        Properties {
            ranked_tables: self.by_ranks.then(|| vec![tables.collect()]),
            ..Properties::default()
        }
    }
}

#[test]
fn tables_by_ranks_tell_the_same() {
    let game = generated("hanoi:4:4");
    let groups: Vec<_> = (0..4).map(|disk| ones(4 * disk, 4)).collect();
    for seed in 0..cases(20) {
        let mut random = SplitMix64::new(seed);
        let entry = |random: &mut SplitMix64| match random.below(12) {
            0 => search::DEAD_END,
            _ => random.below(3) as u64,
        };
        let tables = || {
            let mut random = SplitMix64::new(seed + 100);
            [0, 2].map(|first| Table {
                first,
                entries: (0..16).map(|_| entry(&mut random)).collect(),
            })
        };
        let places = [(); 4].map(|()| random.below(4));
        let start = state((0..16).map(|i| u32::from(places[i / 4] == i % 4)));
        let reports = [(false, false), (false, true), (true, false), (true, true)].map(
            |(by_ranks, is_packed)| {
                let heuristic = ByRanks {
                    tables: tables(),
                    by_ranks,
                };
                let mut run = if is_packed {
                    grouped(&game, &groups)
                } else {
                    run(&game)
                };
                run.a_star(&start, &heuristic).unwrap()
            },
        );
        reports[1..]
            .iter()
            .for_each(|report| same(&reports[0], report));
    }
}

//! Searches by a plan and with any instructions, compared with the interpreter: same nodes, same
//! order, same counts.

use std::time::Duration;

use fsm::{Dense, WordAutomaton};
use psvn_ir::testing::{GameShape, SplitMix64, cases, random_game};
use psvn_ir::{Cell, Game, State, Term, Value, VarId};
use search::{
    Bound, CompiledGame, CycleDetection, Estimated, FirstBound, Heuristic, Instructions,
    LevelCount, Limits, Memo, Outcome, PathNode, Searcher, SearcherBuilder, Sibling, SolveReport,
    Totals, TreeCount, ValueSums, Weight, ZeroHeuristic,
};

use crate::games::{arrow, constant, game, pancake, sliding_tiles, top_spin};
use crate::interleaved::{grid, slides};

/// The families of instructions that the processor has.
pub(crate) fn all_instructions() -> impl Iterator<Item = Instructions> {
    [
        Instructions::Portable,
        Instructions::Avx2,
        Instructions::Avx512,
    ]
    .into_iter()
    .filter(|instructions| instructions.available() == *instructions)
}

/// Return a machine that forbids some random words; any machine will do to compare searches.
fn random_machine(n_rules: usize, random: &mut SplitMix64) -> Dense {
    let mut automaton = WordAutomaton::new(n_rules as u32);
    for _ in 0..random.below(2 * n_rules + 1) {
        let word: Vec<u32> = (0..2 + random.below(2))
            .map(|_| random.below(n_rules) as u32)
            .collect();
        automaton.forbid(&word).unwrap();
    }
    automaton.build().unwrap()
}

fn random_state(game: &Game, random: &mut SplitMix64) -> State {
    let size = |i| game.domain_of(VarId::from_index(i)).size();
    let values: Box<[Value]> = (0..game.n_variables())
        .map(|i| Value(random.below(size(i)) as u32))
        .collect();
    State::new(values)
}

/// Return everything that must be the same, which excludes the time. A search that ends early may
/// have tried more rules of the last nodes than another one; and one that reaches its limit with
/// the very last node may report this or not.
fn comparable(mut tree: TreeCount, limited: bool) -> TreeCount {
    tree.preparation = Duration::ZERO;
    tree.elapsed = Duration::ZERO;
    tree.goals_in_last_ply = None;
    if limited || tree.stopped.is_some() {
        tree.stopped = None;
        for level in &mut tree.levels {
            *level = LevelCount {
                generated: level.generated,
                ..LevelCount::default()
            };
        }
        while tree.levels.last() == Some(&LevelCount::default()) {
            tree.levels.pop();
        }
    }
    tree
}

fn comparable_report(mut report: SolveReport, limited: bool) -> SolveReport {
    report.preparation = Duration::ZERO;
    report.elapsed = Duration::ZERO;
    let ended_early = matches!(report.outcome, Outcome::Solved(_) | Outcome::Stopped(_));
    // A solution not yet known to be the best.
    report.best_so_far = None;
    if limited || ended_early {
        for level in &mut report.levels {
            *level = LevelCount {
                generated: level.generated,
                beyond_bound: level.beyond_bound,
                ..LevelCount::default()
            };
        }
        // So may its root.
        if let Some(root) = report.levels.first_mut() {
            root.generated = 0;
        }
        while report.levels.last() == Some(&LevelCount::default()) {
            report.levels.pop();
        }
        report.totals = Totals {
            generated: report.totals.generated,
            ..Totals::default()
        };
        if !report.solved() {
            report.outcome = Outcome::NoSolution;
        }
        // An iteration that is stopped before it begins may be listed or not.
        if report
            .iterations
            .last()
            .is_some_and(|last| last.generated == 0)
        {
            report.iterations.pop();
        }
        if let Some(last) = report.iterations.last_mut() {
            (last.expanded, last.pruned_by_machine, last.pruned_by_cycle) = (0, 0, 0);
        }
    }
    report
}

/// A heuristic that doesn't report that it is a sum, and keeps the state itself: searches must pass
/// the parent's data.
struct Opaque<'g> {
    sums: ValueSums,
    game: &'g Game,
}

/// The first values of a state.
type Kept = [u32; 8];

impl Opaque<'_> {
    fn kept(state: &[u8]) -> Kept {
        let mut kept = Kept::default();
        for (place, cell) in kept.iter_mut().zip(state) {
            *place = u32::from(*cell);
        }
        kept
    }
}

impl Heuristic for Opaque<'_> {
    fn estimate(&self, state: &[u32]) -> u64 {
        self.sums.estimate(state)
    }

    fn start(&self, state: &[u8], memo: &mut Memo) -> u64 {
        memo.write(Self::kept(state));
        self.sums.of(state)
    }

    fn children(
        &self,
        node: PathNode<'_>,
        siblings: &[Sibling],
        states: &[u8],
        estimated: &mut [Estimated],
    ) {
        assert_eq!(*node.memo.read::<Kept>(), Self::kept(node.state));
        let parent: Vec<Value> = node.state.iter().map(|it| Value(u32::from(*it))).collect();
        let children = states.chunks_exact(node.state.len()).zip(estimated);
        for (sibling, (child, estimated)) in siblings.iter().zip(children) {
            let rule = &self.game.rule(sibling.rule).canonical;
            assert!(rule.applies_to(&parent));
            let expected = rule.apply(&parent);
            let mut values = expected.iter().zip(child);
            assert!(values.all(|(value, cell)| value.0 == u32::from(*cell)));
            estimated.estimate = self.start(child, &mut estimated.memo);
        }
    }
}

/// What is searched in all ways.
struct Task<'a> {
    start: &'a State,
    depth: u64,
    sums: &'a ValueSums,
    opaque: &'a Opaque<'a>,
    growth: Weight,
}

/// What all searches of a task report: trees to a depth and to a cost, searches without a bound by
/// cost, IDA* without counts by depth, and with them.
type Reports = (
    [TreeCount; 2],
    [SolveReport; 6],
    [SolveReport; 3],
    [SolveReport; 3],
);

impl Task<'_> {
    /// Run all searches up to a limit on nodes, or to one that few of them reach.
    fn run(&self, searcher: &Searcher, limit: Option<u64>) -> Reports {
        let (start, depth, growth) = (self.start, self.depth, self.growth);
        let (sums, opaque) = (self.sums, self.opaque);
        let limits = Limits {
            nodes: Some(limit.unwrap_or(20_000)),
            ..Limits::default()
        };
        let comparable_report = |report| comparable_report(report, limit.is_some());
        let mut search = searcher.run().limits(limits);
        let trees = [Bound::Depth(depth), Bound::Cost(depth / 2)]
            .map(|bound| comparable(search.count_tree(start, bound).unwrap(), limit.is_some()));
        let first_bound = FirstBound::Cost(depth);
        let solved = [
            search.dfs(start, depth),
            search.dfid(start),
            search.ida_star_cr(start, sums, growth),
            search.ida_star_cr(start, opaque, growth),
            search.branch_and_bound(start, sums, first_bound),
            search.branch_and_bound(start, opaque, first_bound),
        ];
        // The fastest walk by cost doesn't count by depth.
        let without_levels = [
            search.ida_star(start, &ZeroHeuristic),
            search.ida_star(start, sums),
            search.ida_star(start, opaque),
        ]
        .map(|report| SolveReport {
            levels: Vec::new(),
            ..report.unwrap()
        });
        let mut search = search.count_depths(true);
        let with_levels = [
            search.ida_star(start, &ZeroHeuristic),
            search.ida_star(start, sums),
            search.ida_star(start, opaque),
        ];
        (
            trees,
            solved.map(|report| comparable_report(report.unwrap())),
            without_levels.map(comparable_report),
            with_levels.map(|report| comparable_report(report.unwrap())),
        )
    }
}

/// Run all searches in all ways, and compare. Return how many nodes were counted.
fn compare(game: &Game, start: &State, machine: &Dense, depth: u64, nodes: u64) -> u128 {
    compare_knowing(game, start, machine, depth, nodes, |_| true)
}

/// The same with knowledge about all states.
fn compare_knowing(
    game: &Game,
    start: &State,
    machine: &Dense,
    depth: u64,
    nodes: u64,
    known: impl Fn(&[Term]) -> bool + Send + Sync + Copy + 'static,
) -> u128 {
    let compiled = CompiledGame::new(game);
    assert!(compiled.rows().is_some());
    let mut random = SplitMix64::new(nodes);
    let sums = ValueSums::new(game, |_, _| random.below(4) as u32);
    let opaque = Opaque {
        sums: sums.clone(),
        game,
    };
    let task = Task {
        start,
        depth,
        sums: &sums,
        opaque: &opaque,
        growth: ["0", "1.5", "3", "1000"][nodes as usize % 4]
            .parse()
            .unwrap(),
    };
    let mut n_nodes = 0;
    for cycles in [
        CycleDetection::None,
        CycleDetection::Parent,
        CycleDetection::Path,
    ] {
        let search = || {
            Searcher::builder(&compiled)
                .invariants(known)
                .machine(machine.clone())
                .cycle_detection(cycles)
        };
        let limits = [None, Some(nodes)];
        let interpreted = search().interpreted().build();
        let expected = limits.map(|limit| task.run(&interpreted, limit));
        for expected in &expected {
            n_nodes += expected.0[0].totals().generated;
        }
        // No plan knows the path, so its plies make no difference.
        let macro_plies: &[usize] = match cycles {
            CycleDetection::Path => &[1],
            _ => &[1, 3, usize::MAX],
        };
        for instructions in all_instructions() {
            for most in macro_plies.iter().copied() {
                let searcher = search()
                    .instructions(instructions)
                    .max_macro_plies(most)
                    .build();
                for (limit, expected) in limits.iter().zip(&expected) {
                    assert_eq!(
                        task.run(&searcher, *limit),
                        *expected,
                        "{:?}, {instructions:?}, {most} plies, {cycles:?}, {limit:?}",
                        compiled.rows()
                    );
                }
            }
        }
    }
    n_nodes
}

/// Compare games of one shape, with random machines and starts.
fn compare_random(shape: &GameShape, seeds: std::ops::Range<u64>, depth: u64) {
    let mut n_nodes = 0;
    for seed in seeds {
        let game = random_game(seed, shape);
        if game.rules().is_empty() {
            continue;
        }
        let mut random = SplitMix64::new(seed);
        let machine = random_machine(game.rules().len(), &mut random);
        let start = random_state(&game, &mut random);
        n_nodes += compare(&game, &start, &machine, depth, 1 + random.below(300) as u64);
    }
    assert!(n_nodes > 5_000, "only {n_nodes} nodes were compared");
}

#[test]
fn plans_of_small_games() {
    compare_random(&GameShape::default(), 0..cases(150), 5);
}

/// Build a game whose rules test and write a few constants each.
fn game_of_constants(n: usize, size: usize, n_rules: usize, random: &mut SplitMix64) -> Game {
    let rules: Vec<_> = (0..n_rules)
        .map(|_| {
            let (mut lhs, mut rhs) = (vec![Cell::DASH; n], vec![Cell::DASH; n]);
            for _ in 0..1 + random.below(2) {
                lhs[random.below(n)] = constant(random.below(size) as u32);
            }
            for _ in 0..1 + random.below(3) {
                rhs[random.below(n)] = constant(random.below(size) as u32);
            }
            (lhs, rhs, 1 + random.below(3) as u64)
        })
        .collect();
    let mut goal = vec![Cell::DASH; n];
    for _ in 0..4 {
        goal[random.below(n)] = constant(random.below(size) as u32);
    }
    game(n, size, &rules, &[goal])
}

#[test]
fn plans_of_games_in_bits() {
    let mut rows = std::collections::BTreeSet::new();
    let mut n_nodes = 0;
    for (n, size, n_rules) in [(9, 3, 12), (30, 4, 20), (50, 4, 150), (60, 9, 70)] {
        for seed in 0..cases(6) {
            let mut random = SplitMix64::new(seed);
            let game = game_of_constants(n, size, n_rules, &mut random);
            rows.extend(CompiledGame::new(&game).rows());
            let machine = random_machine(game.rules().len(), &mut random);
            let start = random_state(&game, &mut random);
            n_nodes += compare(&game, &start, &machine, 3, 1 + random.below(300) as u64);
        }
    }
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert!(n_nodes > 100_000, "only {n_nodes} nodes were compared");
}

/// Games whose rules are looked up in sets, with enough plies above and below: trees, whole and up
/// to a limit.
#[test]
fn plans_of_games_with_many_tests() {
    let mut n_nodes = 0;
    for (n, n_rules, depth) in [(8, 30, 5), (20, 60, 4), (33, 120, 3), (50, 250, 3)] {
        for seed in 0..cases(6) {
            let mut random = SplitMix64::new(seed);
            let game = game_of_constants(n, 4, n_rules, &mut random);
            let compiled = CompiledGame::new(&game);
            let machine = random_machine(game.rules().len(), &mut random);
            let start = random_state(&game, &mut random);
            let search = || Searcher::builder(&compiled).machine(machine.clone());
            let by_book = search().interpreted().build();
            let by_plan: Vec<_> = all_instructions()
                .map(|instructions| (instructions, search().instructions(instructions).build()))
                .collect();
            for nodes in [40_000, 1 + random.below(20_000) as u64] {
                let count = |searcher: &Searcher| {
                    let limits = Limits {
                        nodes: Some(nodes),
                        ..Limits::default()
                    };
                    let mut run = searcher.run().limits(limits);
                    let tree = run.count_tree(&start, Bound::Depth(depth));
                    comparable(tree.unwrap(), false)
                };
                let expected = count(&by_book);
                n_nodes += expected.totals().generated;
                for (instructions, searcher) in &by_plan {
                    let found = count(searcher);
                    assert_eq!(found, expected, "{n_rules} rules, {instructions:?}");
                }
            }
        }
    }
    assert!(n_nodes > 500_000, "only {n_nodes} nodes were compared");
}

#[test]
fn plans_of_games_in_bytes() {
    for (n, constants) in [(4..=14, 8), (17..=28, 2), (33..=60, 1)] {
        let shape = GameShape {
            n_variables: n,
            n_values: 3..=9,
            n_rules: 3..=12,
            constants,
            repeated_symbols: false,
            ..GameShape::default()
        };
        compare_random(&shape, 0..cases(30), 5);
    }
}

#[test]
fn plans_of_puzzles() {
    let mut random = SplitMix64::new(5);
    for game in [
        arrow(6),
        arrow(70),
        pancake(5),
        top_spin(7, 3),
        top_spin(20, 4),
        sliding_tiles(3, 3),
    ] {
        let machine = random_machine(game.rules().len(), &mut random);
        let start = game.goal_state().unwrap();
        // A few moves away from the goal.
        let compiled = CompiledGame::new(&game);
        let mut state = start;
        for _ in 0..3 {
            let rules = compiled.applicable_rules(&state).unwrap();
            let rule = rules[random.below(rules.len())];
            state = compiled.apply(&state, rule).unwrap().unwrap();
        }
        compare(&game, &state, &machine, 4, 100);
    }
}

/// Sliding tiles have one blank.
pub(crate) fn one_blank(terms: &[Term]) -> bool {
    let is_blank = |term: &&Term| term.as_constant() == Some(Value(0));
    terms.iter().filter(is_blank).count() <= 1
}

#[test]
fn plans_of_sliding_tiles_with_one_blank() {
    let mut random = SplitMix64::new(6);
    for (rows, columns) in [(3, 3), (4, 4), (3, 6)] {
        let game = sliding_tiles(rows, columns);
        let compiled = CompiledGame::new(&game);
        for n_moves in [3, 12, 40] {
            let machine = random_machine(game.rules().len(), &mut random);
            let mut start = game.goal_state().unwrap();
            for _ in 0..n_moves {
                let rules = compiled.applicable_rules(&start).unwrap();
                let rule = rules[random.below(rules.len())];
                start = compiled.apply(&start, rule).unwrap().unwrap();
            }
            let nodes = 1 + random.below(20_000) as u64;
            compare_knowing(&game, &start, &machine, 9, nodes, one_blank);
        }
    }
}

/// Compare the goals in the last ply with brute force.
fn compare_goals(game: &Game, start: &State, depths: u64, known: fn(&[Term]) -> bool) {
    let compiled = CompiledGame::new(game);
    let searchers: Vec<(usize, Searcher)> = all_instructions()
        .flat_map(|instructions| [1, 3, usize::MAX].map(|it| (instructions, it)))
        .map(|(instructions, macro_list)| {
            let search = Searcher::builder(&compiled).invariants(known);
            let search = search.instructions(instructions);
            (macro_list, search.max_macro_plies(macro_list).build())
        })
        .collect();
    let mut ply = vec![start.clone()];
    let mut n_goals = 0;
    for depth in 0..depths {
        let expected = ply
            .iter()
            .filter(|state| game.is_goal(state.values()))
            .count() as u64;
        n_goals += expected;
        for (macro_list, searcher) in &searchers {
            let tree = searcher.run().count_tree(start, Bound::Depth(depth));
            let tree = tree.unwrap();
            assert_eq!(
                tree.goals_in_last_ply,
                Some(expected),
                "depth {depth}, macro_list {macro_list}"
            );
            assert_eq!(
                tree.levels.last().map(|it| it.generated),
                Some(ply.len() as u64)
            );
        }
        ply = ply
            .iter()
            .flat_map(|state| {
                let rules = compiled.applicable_rules(state).unwrap();
                let apply = |rule| compiled.apply(state, rule).unwrap().unwrap();
                rules.into_iter().map(apply).collect::<Vec<_>>()
            })
            .collect();
    }
    assert!(n_goals > 1, "only {n_goals} goals");
}

#[test]
fn goals_in_the_last_ply_are_counted() {
    let everything: fn(&[Term]) -> bool = |_| true;
    for (game, depths, known) in [
        (arrow(4), 6, everything),
        (arrow(10), 5, everything),
        (pancake(5), 6, everything),
        (top_spin(6, 3), 5, everything),
        (sliding_tiles(3, 3), 11, everything),
        (sliding_tiles(3, 3), 11, one_blank),
        (sliding_tiles(4, 5), 9, one_blank),
    ] {
        compare_goals(&game, &game.goal_state().unwrap(), depths, known);
    }
    // Goals that share states, and one with few conditions.
    let home: Vec<Cell> = (0..6).map(constant).collect();
    let mut part = home.clone();
    part[3..].fill(Cell::DASH);
    let several = slides(6, &grid(2, 3), 1, &[home, part]);
    let start = State::new((0..6).map(Value).collect::<Box<[Value]>>());
    compare_goals(&several, &start, 9, one_blank);
}

#[test]
fn what_is_known_changes_nothing_but_speed() {
    // Sliding tiles with and without the knowledge that there is one blank.
    let game = sliding_tiles(3, 3);
    let compiled = CompiledGame::new(&game);
    let start = game.goal_state().unwrap();
    let count = |search: SearcherBuilder| {
        let mut run = search.build().run();
        comparable(run.count_tree(&start, Bound::Depth(9)).unwrap(), false)
    };
    assert_eq!(
        count(Searcher::builder(&compiled).invariants(one_blank)),
        count(Searcher::builder(&compiled).interpreted())
    );
}

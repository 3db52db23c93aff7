//! Counts are exact.

use fsm::{Machine, Unrestricted};
use proptest::prelude::*;
use psvn_ir::testing::cases;
use psvn_ir::{Game, MAX_COST, State, VarId};
use search::{Bound, CompiledGame, CycleDetection, LevelCount, Searcher};

use crate::games::{
    arrow, constant, game, pancake, permutations, random_game, sliding_tiles, state, successors,
    top_spin,
};

fn generated(game: &Game, start: &State, cycles: CycleDetection, depth: u64) -> Vec<u64> {
    let compiled = CompiledGame::new(game);
    let mut search = Searcher::builder(&compiled)
        .cycle_detection(cycles)
        .build()
        .run();
    let count = search.count_tree(start, Bound::Depth(depth)).unwrap();
    assert_eq!(count.stopped, None);
    // Levels at the end whose nodes were all pruned are left out.
    count
        .levels
        .iter()
        .map(|level| level.generated)
        .take_while(|generated| *generated > 0)
        .collect()
}

/// Allows words of ascending letters.
#[derive(Clone, Copy)]
struct Ascending;

impl Machine for Ascending {
    type State = u32;

    fn start(&self) -> u32 {
        0
    }

    fn next(&self, state: u32, letter: u32) -> Option<u32> {
        (letter >= state).then_some(letter + 1)
    }
}

/// Counts by the meaning of the rules, recursively.
struct BruteForce<'a, M> {
    game: &'a Game,
    machine: M,
    cycles: CycleDetection,
    bound: Bound,
    path: Vec<State>,
    levels: Vec<LevelCount>,
}

impl<M: Machine> BruteForce<'_, M> {
    fn count(&mut self, machine_state: M::State, cost: u64) {
        let depth = self.path.len() - 1;
        if self.levels.len() < depth + 2 {
            self.levels.resize(depth + 2, LevelCount::default());
        }
        self.levels[depth].generated += 1;
        if self.bound == Bound::Depth(depth as u64) {
            return;
        }
        self.levels[depth].expanded += 1;
        for (rule, child) in successors(self.game, &self.path[depth]) {
            let cost = cost + self.game.rule(rule).canonical.cost();
            let closes = match self.cycles {
                CycleDetection::None => false,
                CycleDetection::Parent => depth > 0 && self.path[depth - 1] == child,
                CycleDetection::Path => self.path.contains(&child),
            };
            let Some(machine_state) = self.machine.next(machine_state, rule.0) else {
                self.levels[depth + 1].pruned_by_machine += 1;
                continue;
            };
            if closes {
                self.levels[depth + 1].pruned_by_cycle += 1;
            } else if matches!(self.bound, Bound::Cost(most) if cost > most) {
                self.levels[depth + 1].beyond_bound += 1;
            } else {
                self.path.push(child);
                self.count(machine_state, cost);
                self.path.pop();
            }
        }
    }
}

fn check(
    game: &Game,
    start: &State,
    machine: impl Machine + Copy + Send + 'static,
    cycles: CycleDetection,
    bound: Bound,
) {
    let compiled = CompiledGame::new(game);
    let mut search = Searcher::builder(&compiled)
        .machine(machine)
        .cycle_detection(cycles)
        .build()
        .run();
    let count = search.count_tree(start, bound).unwrap();
    let mut brute = BruteForce {
        game,
        machine,
        cycles,
        bound,
        path: vec![start.clone()],
        levels: Vec::new(),
    };
    brute.count(machine.start(), 0);
    while brute.levels.last() == Some(&LevelCount::default()) {
        brute.levels.pop();
    }
    assert_eq!(count.levels, brute.levels);
    assert_eq!((count.stopped, count.cycle_detection), (None, cycles));
}

proptest! {
    #[test]
    fn random_trees_are_counted_as_by_brute_force(
        game in random_game([2, 3], 1..5, 0..6),
        seed in any::<u32>(),
        machine in any::<bool>(),
        mode in 0..3_usize,
        depth in 0..5_u64,
    ) {
        let start = start_state(&game, seed);
        let cycles = [CycleDetection::None, CycleDetection::Parent, CycleDetection::Path][mode];
        if machine {
            check(&game, &start, Ascending, cycles, Bound::Depth(depth));
        } else {
            check(&game, &start, Unrestricted, cycles, Bound::Depth(depth));
        }
        if cycles == CycleDetection::Path || !CompiledGame::new(&game).has_free_rules() {
            check(&game, &start, Ascending, cycles, Bound::Cost(depth));
            if game.rules().len() < 5 {
                check(&game, &start, Unrestricted, cycles, Bound::Cost(depth));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(256)))]

    // More candidates than a word holds, and packed states of several blocks.
    #[test]
    fn large_random_trees_are_counted_as_by_brute_force(
        game in random_game([2, 300], 14..40, 60..140),
        seed in any::<u32>(),
        mode in 0..3_usize,
    ) {
        let cycles = [CycleDetection::None, CycleDetection::Parent, CycleDetection::Path][mode];
        check(&game, &start_state(&game, seed % 4), Ascending, cycles, Bound::Depth(3));
        check(&game, &start_state(&game, seed), Unrestricted, cycles, Bound::Depth(2));
    }
}

fn start_state(game: &Game, seed: u32) -> State {
    let size = |i| game.domain_of(VarId::from_index(i)).size() as u32;
    state((0..game.n_variables()).map(|i| seed.rotate_left(i as u32 * 5) % 4 % size(i)))
}

#[test]
fn pancakes_with_parent_pruning_branch_by_one_less() {
    let game = pancake(9);
    let start = state([3, 1, 4, 0, 5, 8, 2, 6, 7]);
    let expected: Vec<u64> = (0..=7)
        .map(|d| if d == 0 { 1 } else { 8 * 7_u64.pow(d - 1) })
        .collect();
    assert_eq!(
        generated(&game, &start, CycleDetection::Parent, 7),
        expected
    );
    let unpruned: Vec<u64> = (0..=6).map(|d| 8_u64.pow(d)).collect();
    assert_eq!(generated(&game, &start, CycleDetection::None, 6), unpruned);
}

#[test]
fn fifteen_puzzle_tree_has_the_known_sizes() {
    let game = sliding_tiles(4, 4);
    let start = state(0..16);
    let unpruned = [1, 2, 6, 18, 58, 186, 602, 1946, 6298, 20378, 65946];
    assert_eq!(generated(&game, &start, CycleDetection::None, 10), unpruned);
    let no_return = [1, 2, 4, 10, 24, 54, 108, 218, 472, 1030, 2204, 4666, 9880];
    assert_eq!(
        generated(&game, &start, CycleDetection::Parent, 12),
        no_return
    );
}

#[test]
fn rules_that_all_apply_make_full_trees() {
    assert_eq!(
        generated(&arrow(16), &state([0; 16]), CycleDetection::None, 4),
        [1, 15, 225, 3375, 50625]
    );
    assert_eq!(
        generated(&top_spin(14, 3), &state(0..14), CycleDetection::Parent, 3),
        [1, 14, 182, 2366]
    );
}

#[test]
fn cycles_along_the_path_are_left_out() {
    // A ring of five states, walked in both directions.
    let shift = |by: usize| (0..5).map(|i| (i + by) % 5).collect();
    let ring = permutations(5, &[shift(1), shift(4)]);
    let start = state(0..5);
    assert_eq!(
        generated(&ring, &start, CycleDetection::Path, 100),
        [1, 2, 2, 2, 2]
    );
    assert_eq!(
        generated(&ring, &start, CycleDetection::Parent, 7),
        [1, 2, 2, 2, 2, 2, 2, 2]
    );
}

#[test]
fn long_paths_are_remembered_and_forgotten() {
    // A dial of 1000 values: the path grows through several sizes of the table, once in each
    // direction.
    let n = 1000;
    let step = |by: u32| (0..n).map(move |i| (vec![constant(i)], vec![constant((i + by) % n)], 1));
    let rules: Vec<_> = step(1).chain(step(n - 1)).collect();
    let dial = game(1, n as usize, &rules, &[]);
    let counts = generated(&dial, &state([7]), CycleDetection::Path, 5000);
    assert_eq!(counts, [vec![1], vec![2; 999]].concat());
}

#[test]
fn a_rule_without_effect_is_a_cycle_of_the_path_but_not_of_the_parent() {
    let game = permutations(2, &[vec![1, 0]]);
    let twins = state([1, 1]);
    assert_eq!(
        generated(&game, &twins, CycleDetection::None, 3),
        [1, 1, 1, 1]
    );
    // The second time it leads to the grandparent, which is the same state.
    assert_eq!(generated(&game, &twins, CycleDetection::Parent, 3), [1, 1]);
    assert_eq!(generated(&game, &twins, CycleDetection::Path, 3), [1]);
}

#[test]
fn totals_add_the_levels_up() {
    let game = pancake(4);
    let compiled = CompiledGame::new(&game);
    let mut search = Searcher::builder(&compiled)
        .cycle_detection(CycleDetection::Parent)
        .build()
        .run();
    let count = search.count_tree(&state(0..4), Bound::Depth(3)).unwrap();
    let totals = count.totals();
    assert_eq!(
        (totals.generated, totals.expanded),
        (1 + 3 + 6 + 12, 1 + 3 + 6)
    );
    assert_eq!(
        (
            totals.pruned_by_cycle,
            totals.pruned_by_machine,
            totals.pruned()
        ),
        (3 + 6, 0, 9)
    );
    assert_eq!((count.generated(3), count.generated(4)), (12, 0));
}

#[test]
fn free_rules_are_counted_within_a_cost_without_cycles() {
    let rules: Vec<_> = (0..4)
        .map(|i| (vec![constant(i)], vec![constant((i + 1) % 4)], 0))
        .collect();
    let game = game(1, 4, &rules, &[]);
    let compiled = CompiledGame::new(&game);
    let count = Searcher::builder(&compiled)
        .build()
        .run()
        .count_tree(&state([0]), Bound::Cost(0))
        .unwrap();
    assert_eq!(count.cycle_detection, CycleDetection::Path);
    assert_eq!(count.totals().generated, 4);
}

#[test]
fn huge_costs_are_beyond_every_bound() {
    let rules = [
        (vec![constant(0)], vec![constant(1)], MAX_COST),
        (vec![constant(1)], vec![constant(0)], 1),
    ];
    let game = game(1, 2, &rules, &[]);
    let compiled = CompiledGame::new(&game);
    let count = Searcher::builder(&compiled)
        .build()
        .run()
        .count_tree(&state([0]), Bound::Cost(MAX_COST))
        .unwrap();
    assert_eq!(count.totals().generated, 2);
    assert_eq!(count.levels[2].beyond_bound, 1);
}

//! Custom searches on packed states, compared with the counts of the crate's own searches.

use std::collections::HashSet;

use fsm::WordAutomaton;
use psvn_ir::{Game, State, VarId};
use search::{
    Bound, CompiledGame, PackedError, PackedSearch, PackedTree, Searcher, SearcherBuilder,
};

use crate::games::{game, pancake, state, top_spin};
use crate::interleaved::{grid, slides};
use crate::plans::all_instructions;

/// The counts of the tree down to a depth.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    /// By depth.
    nodes: Vec<u64>,
    goals: u64,
    states: HashSet<State>,
}

/// Visits all nodes, and checks that all ways to read them agree.
struct Visit<'g> {
    compiled: &'g CompiledGame,
    depth: usize,
}

impl PackedSearch for Visit<'_> {
    type Output = Found;

    fn run<T: PackedTree>(self, tree: &T) -> Found {
        let mut found = Found {
            nodes: vec![0; self.depth + 1],
            ..Found::default()
        };
        self.below(tree, &tree.root(), 0, &mut found);
        found
    }
}

impl Visit<'_> {
    fn below<T: PackedTree>(&self, tree: &T, node: &T::Node, depth: usize, found: &mut Found) {
        found.nodes[depth] += 1;
        let game = self.compiled.game();
        let state = tree.state(node);
        for (i, value) in state.values().iter().enumerate() {
            assert_eq!(tree.value(node, VarId::from_index(i)), *value);
        }
        let is_goal = game.is_goal(state.values());
        assert_eq!(tree.is_goal(node), is_goal);
        found.goals += u64::from(is_goal && depth == self.depth);
        if depth == self.depth {
            return;
        }
        let children: Vec<_> = tree.children(node).collect();
        let mut others = Vec::new();
        tree.for_each_child(node, |rule, child| others.push((rule, child)));
        assert_eq!(children, others);
        assert_eq!(tree.n_children(node), children.len() as u64);
        assert!(children.is_sorted_by_key(|(rule, _)| rule.0));
        for (rule, child) in children {
            let cost = game.rule(rule).canonical.cost();
            assert_eq!(tree.cost(rule), cost);
            let expected = self.compiled.apply(&state, rule);
            let child_state = tree.state(&child);
            assert_eq!(expected.unwrap(), Some(child_state.clone()));
            assert_eq!(
                child_state == state,
                tree.packed(&child) == tree.packed(node)
            );
            self.below(tree, &child, depth + 1, found);
        }
        found.states.insert(state);
    }
}

fn compare(
    name: &str,
    compiled: &CompiledGame,
    start: &State,
    depth: usize,
    build: &dyn Fn() -> SearcherBuilder,
) {
    for instructions in all_instructions() {
        let searcher = build().instructions(instructions).build();
        let found = searcher.run().on_packed(start, Visit { compiled, depth });
        let found = found.unwrap();
        let counted = searcher.run().count_tree(start, Bound::Depth(depth as u64));
        let counted = counted.unwrap();
        let nodes: Vec<u64> = counted.levels.iter().map(|it| it.generated).collect();
        assert_eq!(found.nodes, nodes, "{name}");
        assert_eq!(Some(found.goals), counted.goals_in_last_ply, "{name}");
        assert!(found.states.contains(start));
    }
}

#[test]
fn the_tree_is_that_of_the_crate_s_own_searches() {
    let cases = [
        ("pancakes", pancake(5), state([3, 1, 4, 0, 2]), 5),
        ("TopSpin", top_spin(7, 3), state([1, 0, 2, 3, 4, 5, 6]), 4),
        (
            "15-puzzle",
            slides(16, &grid(4, 4), 3, &[]),
            state((0..16).rev()),
            7,
        ),
    ];
    for (name, game, start, depth) in &cases {
        let compiled = CompiledGame::new(game);
        let plain = || Searcher::builder(&compiled);
        compare(name, &compiled, start, *depth, &plain);
        // No rule twice in a row.
        let n_rules = game.rules().len() as u32;
        let words: Vec<Vec<u32>> = (0..n_rules).map(|rule| vec![rule, rule]).collect();
        let automaton = WordAutomaton::forbidding(n_rules, &words).unwrap();
        let machine = automaton.build().unwrap();
        let pruned = || Searcher::builder(&compiled).machine(machine.clone());
        compare(name, &compiled, start, *depth, &pruned);
    }
}

/// More rules than there are bits in a word, so that lists have several blocks.
#[test]
fn many_rules() {
    let game = top_spin(100 - 36, 2);
    let start = state((0..64).rev());
    let compiled = CompiledGame::new(&game);
    compare("64 rules", &compiled, &start, 2, &|| {
        Searcher::builder(&compiled)
    });
    let symbols = psvn_ir::Cell::symbol(psvn_ir::SymbolId(0));
    let rules: Vec<_> = (0..70)
        .map(|value| (vec![symbols], vec![crate::games::constant(value)], 1))
        .collect();
    let game = game_of_values(&rules);
    let compiled = CompiledGame::new(&game);
    compare("70 rules", &compiled, &state([3]), 2, &|| {
        Searcher::builder(&compiled)
    });
}

fn game_of_values(rules: &[(Vec<psvn_ir::Cell>, Vec<psvn_ir::Cell>, u64)]) -> Game {
    game(1, 70, rules, &[vec![crate::games::constant(5)]])
}

#[test]
fn what_has_no_packed_states_is_refused() {
    let wide = CompiledGame::new(&pancake(70));
    let searcher = Searcher::builder(&wide).build();
    let visit = |compiled| Visit { compiled, depth: 1 };
    let refused = searcher.run().on_packed(&state(0..70), visit(&wide));
    assert_eq!(refused, Err(PackedError::NoPlan));
    let refused = searcher.run().on_packed(&state(0..3), visit(&wide));
    assert!(matches!(refused, Err(PackedError::Start(_))));
}

//! Orders of rules are judged by what their machines leave, and found by counted work.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use budget::Limits;
use fsm::{Dense, DenseState, Machine, MachineState, WordAutomaton};
use invariants::Invariants;
use move_prune::{Admits, Options, Order, analyze_game};
use psvn_ir::{Game, State};
use rule_splits::{OrderLimits, OrderSetting, Score, SplitRules, analyze, optimize_rule_order};

use crate::known::Known;

const MOST_EVALUATIONS: usize = 4000;

fn built_in(name: &str) -> Game {
    let text = domains::generate_reference(name).unwrap();
    psvn_ir::load(&text).game.unwrap()
}

fn setting(game: &Game, max_length: usize) -> OrderSetting<'_> {
    OrderSetting {
        game,
        max_length,
        order: Order::default(),
        known: None,
        ignored: &[],
        start: None,
        splits: SplitRules::None,
        limits: Limits::default(),
        most_bytes: 2 << 30,
    }
}

#[test]
fn the_budget_is_one_of_steps() {
    let game = built_in("topspin:9:3");
    let goal = game.goal_state().unwrap();
    let score = Score::new(OrderSetting {
        start: Some(&goal),
        ..setting(&game, 2)
    });
    assert_eq!(score.depth(), None, "too many states");
    let interrupt = AtomicBool::new(false);
    let within = |steps, seed| {
        let limits = OrderLimits {
            evaluations: MOST_EVALUATIONS,
            steps,
            deadline: None,
            interrupt: &interrupt,
        };
        optimize_rule_order(&score, limits, seed)
    };
    let (first, is_settled) = within(20_000, 1);
    assert!(is_settled && first.value < first.initial);
    assert!((10..MOST_EVALUATIONS).contains(&first.evaluated));
    let threads = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build();
    for n in [1, 2] {
        let again = threads(n).unwrap().install(|| within(20_000, 1));
        assert_eq!(again, (first.clone(), true), "{n} threads");
    }
    let (longer, _) = within(40_000, 1);
    assert!(longer.evaluated > first.evaluated && longer.value <= first.value);
    // The first order is always evaluated.
    assert_eq!(within(1, 1).0.evaluated, 1);
    interrupt.store(true, Ordering::Relaxed);
    assert!(!within(20_000, 1).1);
}

/// The value of an order is the number of nodes that its machine leaves, rules being split, and a
/// better order is found.
#[test]
fn orders_are_judged_by_the_game_and_its_splits() {
    let mut n_better = 0;
    for (name, max_length) in [
        ("slide-jump:2", 3),
        ("gripper:2", 3),
        ("topspin:6:3", 2),
        ("pancake:5", 3),
    ] {
        let game = built_in(name);
        let known = Invariants::from_goals(&game);
        let known = Known(&known);
        let start = game.goal_state().unwrap();
        let score = Score::new(OrderSetting {
            known: Some(&known),
            start: Some(&start),
            splits: SplitRules::Paying { most_steps: None },
            ..setting(&game, max_length)
        });
        let depth = score.depth().expect("a small game");
        let limits = OrderLimits {
            evaluations: MOST_EVALUATIONS,
            steps: 100_000,
            deadline: None,
            interrupt: &AtomicBool::new(false),
        };
        let (found, _) = optimize_rule_order(&score, limits, 1);
        assert!(found.value <= found.initial, "{name}");
        n_better += usize::from(found.value < found.initial);
        // The nodes left by an analysis in this order that splits the same rules, counted again.
        let options = Options {
            admits: Some(&known as &dyn Admits),
            rule_order: Some(&found.order),
            ..Options::up_to(max_length)
        };
        let analysis = analyze_game(&game, &[], &options, |_| ());
        let split = score.split();
        assert!(split.is_some() || name != "slide-jump:2");
        let words: Vec<Vec<u32>> = match split {
            None => analysis.redundant_letters().collect(),
            Some(split) => {
                let order = Some(&*found.order);
                let found = analyze(&game, split, &analysis, order, &known, &Limits::default());
                let found = found.unwrap().redundant;
                found.into_iter().map(|it| it.word.to_vec()).collect()
            }
        };
        let searched = split.map_or(&game, |split| split.game());
        let n_letters = u32::try_from(searched.rules().len()).unwrap();
        let automaton = WordAutomaton::forbidding(n_letters, words).unwrap();
        let machine = automaton.build().unwrap();
        let nodes = nodes(searched, &machine, &start, depth);
        assert_eq!(found.value, nodes as f64, "{name}");
    }
    assert!(n_better > 0);
}

/// All nodes of a machine's tree down to a depth, counted rule by rule.
fn nodes(game: &Game, machine: &Dense, start: &State, depth: usize) -> u64 {
    let mut total = 1;
    let mut level = BTreeMap::from([((start.clone(), machine.start().number()), 1_u64)]);
    for _ in 0..depth {
        let mut next: BTreeMap<_, u64> = BTreeMap::new();
        for ((state, memory), number) in &level {
            for (id, rule) in game.rules_with_ids() {
                if let Some(memory) = machine.next(DenseState::of_number(*memory), id.0)
                    && rule.canonical.applies_to(state.values())
                {
                    let reached = State::new(rule.canonical.apply(state.values()));
                    *next.entry((reached, memory.number())).or_default() += number;
                }
            }
        }
        total += next.values().sum::<u64>();
        level = next;
    }
    total
}

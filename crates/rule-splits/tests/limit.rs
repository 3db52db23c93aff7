//! How near machines over parts of rules come to the ideal tree.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use invariants::{Invariants, Scratch};
use move_prune::{Admits, Options};
use psvn_ir::{Game, Term, Value, VarId};
use rule_splits::{Choice, ChoiceLimits, Setting, choose};

fn game(reference: &str) -> Game {
    let text = domains::generate_reference(reference).unwrap();
    psvn_ir::load(&text).game.unwrap()
}

/// What an analysis knows of states with invariants.
struct Known<'a>(&'a Invariants);

impl Admits for Known<'_> {
    fn admits(&self, preconditions: &[Term]) -> bool {
        self.0.admits(preconditions)
    }

    fn implied(&self, preconditions: &[Term], implied: &mut Vec<(VarId, Value)>) -> bool {
        let mut facts = Vec::new();
        let is_possible = self
            .0
            .implied(&mut Scratch::new(), preconditions, &mut facts);
        implied.clear();
        implied.extend(facts.iter().map(|fact| (fact.var, fact.value)));
        is_possible
    }
}

fn choice(game: &Game, max_length: usize) -> Choice {
    let start = game.goal_state().unwrap();
    let known = Invariants::from_goals(game);
    let admits = Known(&known);
    let options = Options {
        admits: Some(&admits),
        ..Options::up_to(max_length)
    };
    let rules: Vec<_> = game.rules().iter().map(|it| it.canonical.clone()).collect();
    let started = std::time::Instant::now();
    let of_rules = move_prune::analyze(game.n_variables(), &rules, &options, |_| {});
    let took = started.elapsed();
    let composed: u64 = of_rules.levels.iter().map(|it| it.composed).sum();
    let setting = Setting {
        game,
        of_rules: &of_rules,
        rule_order: None,
        known: &admits,
        start: &start,
    };
    let started = std::time::Instant::now();
    let choice = choose(setting, &ChoiceLimits::for_rules(rules.len()));
    let c = choice.unwrap().unwrap();
    eprintln!(
        "   rules {} composed {composed} {took:?}; choice {:?} steps {}",
        rules.len(),
        started.elapsed(),
        c.steps
    );
    c
}

#[test]
fn table() {
    for row in std::env::var("ROWS").unwrap().split(',') {
        let (name, l) = row.split_once('@').unwrap();
        let g = game(name);
        let c = choice(&g, l.parse().unwrap());
        eprintln!(
            "{name} L={l} depth {}: before {} after {} ideal {}  ratio {:.3} -> {:.3}; {} splits",
            c.depth,
            c.nodes_before,
            c.nodes_after,
            c.nodes_ideal,
            c.nodes_before as f64 / c.nodes_ideal as f64,
            c.nodes_after as f64 / c.nodes_ideal as f64,
            c.splits.len()
        );
    }
}

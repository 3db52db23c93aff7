//! Operators by label: the learner of 1992, the exact analysis, and that neither loses anything.

mod exact;
mod figures;
mod safety;

use fsm::{Dense, WordAutomaton};
use invariants::{Invariants, Scratch};
use move_prune::{
    Admits, LearnError, Learned, OperatorAnalysis, OperatorOptions, Operators, analyze_operators,
    learn,
};
use psvn_ir::{CanonicalRule, Game, Term, Value, VarId};

/// An analysis's knowledge of states with invariants.
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

fn load(text: &str) -> Game {
    let loaded = psvn_ir::load(text);
    let diagnostics = loaded.diagnostics;
    loaded.game.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

fn built_in(reference: &str) -> Game {
    load(&domains::generate_reference(reference).unwrap())
}

fn canonical_rules(game: &Game) -> Vec<CanonicalRule> {
    game.rules().iter().map(|r| r.canonical.clone()).collect()
}

/// Return a label word as text.
fn format_word(operators: &Operators, word: &[u32]) -> String {
    let names: Vec<&str> = operators.names().collect();
    let labels: Vec<&str> = word.iter().map(|letter| names[*letter as usize]).collect();
    labels.join(" ")
}

/// Return the knowledge about states that can be reached from the goal.
fn learn_reachable(
    game: &Game,
    operators: &Operators,
    start: &[Term],
    max_length: usize,
) -> Result<Learned, LearnError> {
    let known = Invariants::from_goals(game);
    let admits = Known(&known);
    let options = OperatorOptions {
        admits: Some(&admits),
        ..OperatorOptions::up_to(max_length)
    };
    learn(
        game.n_variables(),
        &canonical_rules(game),
        operators,
        start,
        &options,
    )
}

/// Return the duplicate words as letters of a machine.
fn duplicate_letters(learned: &Learned) -> impl Iterator<Item = &[u32]> {
    learned.duplicates.iter().map(|duplicate| &*duplicate.word)
}

fn analyze_reachable(game: &Game, operators: &Operators, max_length: usize) -> OperatorAnalysis {
    let known = Invariants::from_goals(game);
    let admits = Known(&known);
    let options = OperatorOptions {
        admits: Some(&admits),
        ..OperatorOptions::up_to(max_length)
    };
    analyze_operators(
        game.n_variables(),
        &canonical_rules(game),
        operators,
        &options,
    )
}

/// Return the board with the blank in the center and any tiles around it.
fn blank_in_the_center(size: usize) -> Vec<Term> {
    let mut start: Vec<Term> = (0..size * size)
        .map(|i| Term::variable(VarId::from_index(i)))
        .collect();
    start[size * size / 2] = Term::constant(Value(0));
    start
}

fn goal(game: &Game) -> Vec<Term> {
    let goal = game.goal_state().unwrap();
    goal.values().iter().map(|v| Term::constant(*v)).collect()
}

fn words<'a>(n_letters: usize, words: impl Iterator<Item = &'a [u32]>) -> WordAutomaton {
    WordAutomaton::forbidding(n_letters as u32, words).unwrap()
}

fn machine(automaton: &WordAutomaton) -> Dense {
    automaton.build().unwrap()
}

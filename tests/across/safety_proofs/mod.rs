//! The independent checker proves the results of analyses, and refuses altered claims.
//!
//! An altered claim may be true by chance. So where a random claim is accepted, brute force must
//! agree; and where a claim is altered in all ways of a kind, most must be refused.

mod dont_cares;
mod invariants;
mod labels;
mod sleep_sets;

use ::invariants::Invariants;
use checker::{Fact, Invariant, Limits, ProvedInvariants};
use fsm::{Dense, Machine, WordAutomaton};
use psvn_ir::testing::{GameShape, SplitMix64, random_game};
use psvn_ir::{Game, RuleId};
use psvn_toolkit::Known;

/// Random games with costs from 0 to 3.
fn game_with_costs(seed: u64) -> Game {
    let shape = GameShape {
        several_domains: seed % 4 == 1,
        lost_values: seed % 4 != 2,
        constants: [35, 20, 50][seed as usize % 3],
        max_cost: 3,
        ..GameShape::default()
    };
    random_game(seed, &shape)
}

/// A random order on the rules of a game.
fn random_rule_order(game: &Game, random: &mut SplitMix64) -> Vec<RuleId> {
    let mut order: Vec<RuleId> = game.rules_with_ids().map(|(id, _)| id).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, random.below(i + 1));
    }
    order
}

/// Invariants as claims.
fn claims(known: &Invariants) -> Vec<Invariant> {
    let fact = |fact: ::invariants::Fact| Fact {
        var: fact.var,
        value: fact.value,
    };
    let counts = known.counts().map(|count| Invariant::Count {
        facts: count.facts.into_iter().map(fact).collect(),
        number: count.number,
    });
    let never = known.unreachable_facts().map(|f| Invariant::Never(fact(f)));
    let pairs = known
        .exclusive_pairs()
        .map(|(one, other)| Invariant::Exclusive(fact(one), fact(other)));
    counts.chain(never).chain(pairs).collect()
}

fn proved(game: &Game, known: &Invariants) -> ProvedInvariants {
    ProvedInvariants::prove(game, &claims(known), &Limits::default())
        .unwrap_or_else(|failure| panic!("{failure}"))
}

/// The invariants as an analysis queries them.
fn admitting(known: &Invariants) -> Known<'_> {
    Known(known)
}

fn forbidding<W: AsRef<[u32]>>(n_letters: usize, words: &[W]) -> Dense {
    let automaton = WordAutomaton::forbidding(n_letters as u32, words);
    let automaton = automaton.expect("words of these letters");
    automaton.build().expect("a small machine")
}

/// A machine with one transition that leads elsewhere: its state, its letter, the number of the
/// next state or 0 for none. States are numbered as `Dense` numbers them.
#[derive(Clone, Copy, Debug)]
struct Altered<'a> {
    machine: &'a Dense,
    at: (usize, u32),
    to: usize,
}

impl Altered<'_> {
    fn next(self, state: usize, letter: u32) -> Option<usize> {
        let next = if (state, letter) == self.at {
            self.to
        } else {
            let mut successors = self.machine.successors(state);
            successors.nth(letter as usize).expect("a letter")
        };
        (next != 0).then_some(next)
    }
}

/// A machine with each of its transitions changed in one or two ways: forbidden or allowed, and to
/// another state.
fn alterations<'a>(
    machine: &'a Dense,
    random: &mut SplitMix64,
) -> impl Iterator<Item = Altered<'a>> {
    let n_states = machine.n_states();
    let start = machine.number(machine.start());
    let seeds: Vec<usize> = (0..n_states * machine.n_letters() as usize)
        .map(|_| 1 + random.below(n_states))
        .collect();
    let transitions = (1..=n_states).flat_map(move |state| {
        let next = machine.successors(state).enumerate();
        next.map(move |(letter, next)| (state, letter as u32, next))
    });
    transitions
        .zip(seeds)
        .flat_map(move |((state, letter, next), other)| {
            let flipped = if next == 0 { start } else { 0 };
            let altered = [flipped, other].into_iter();
            altered
                .filter(move |to| *to != next)
                .map(move |to| Altered {
                    machine,
                    at: (state, letter),
                    to,
                })
        })
}

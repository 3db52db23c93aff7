//! Invariants, proved again from the rules.

use checker::{Fact, Invariant, InvariantFailure, InvariantFlaw, Limits, ProvedInvariants};
use invariants::Invariants;
use psvn_ir::testing::{SplitMix64, all_states, cases};
use psvn_ir::{Game, State, Value};
use psvn_toolkit::built_in;

use crate::safety_proofs::{claims, game_with_costs};

fn holds(claim: &Invariant, state: &[Value]) -> bool {
    let is_true = |fact: &Fact| state[fact.var.index()] == fact.value;
    match claim {
        Invariant::Count { facts, number } => {
            let mut facts: Vec<&Fact> = facts.iter().filter(|fact| is_true(fact)).collect();
            facts.sort();
            facts.dedup();
            facts.len() == *number as usize
        }
        Invariant::Never(fact) => !is_true(fact),
        Invariant::Exclusive(one, other) => !(is_true(one) && is_true(other)),
    }
}

/// Whether rules lead from states in which all claims hold to such states only.
fn is_inductive(game: &Game, claims: &[Invariant]) -> bool {
    let holds = |state: &[Value]| claims.iter().all(|claim| holds(claim, state));
    let mut states = all_states(game).filter(|state| holds(state));
    states.all(|state| {
        let mut rules = game.rules().iter().map(|rule| &rule.canonical);
        rules.all(|rule| !rule.applies_to(&state) || holds(&rule.apply(&state)))
    })
}

fn prove(game: &Game, claims: &[Invariant]) -> Result<ProvedInvariants, InvariantFailure> {
    ProvedInvariants::prove(game, claims, &Limits::default())
}

/// The claims with one of them altered.
fn altered(game: &Game, claims: &[Invariant], random: &mut SplitMix64) -> Vec<Invariant> {
    let mut fact = || {
        let states: Vec<_> = all_states(game).collect();
        let state = &states[random.below(states.len())];
        let var = random.below(state.len());
        Fact {
            var: psvn_ir::VarId::from_index(var),
            value: state[var],
        }
    };
    let other = fact();
    let mut claims = claims.to_vec();
    let place = random.below(claims.len());
    match &mut claims[place] {
        Invariant::Never(fact) => *fact = other,
        Invariant::Exclusive(_, fact) => *fact = other,
        Invariant::Count { facts, number } => match random.below(3) {
            0 => *number += 1,
            1 => facts.push(other),
            _ => drop(facts.pop()),
        },
    }
    if random.chance(30) {
        let dropped = random.below(claims.len());
        claims.remove(dropped);
    }
    claims
}

#[test]
fn what_is_found_is_proved_and_what_is_proved_is_inductive() {
    let (mut n_proved, mut n_altered, mut n_wrong) = (0, 0, 0);
    for seed in 0..cases(2_000) {
        let game = game_with_costs(seed);
        let mut random = SplitMix64::new(seed);
        let states: Vec<_> = all_states(&game).collect();
        let start = State::new(states[random.below(states.len())].clone());
        for known in [
            Invariants::from_goals(&game),
            Invariants::from_states(&game, &[start]),
        ] {
            let found = claims(&known);
            let failure = prove(&game, &found).err();
            assert_eq!(failure, None, "seed {seed}: {:?}", known.to_lines(&game));
            assert!(is_inductive(&game, &found), "seed {seed}");
            n_proved += found.len();
            for _ in 0..if found.is_empty() { 0 } else { 10 } {
                let altered = altered(&game, &found, &mut random);
                let is_inductive = is_inductive(&game, &altered);
                n_altered += 1;
                n_wrong += usize::from(!is_inductive);
                match prove(&game, &altered) {
                    Ok(_) => assert!(is_inductive, "seed {seed}: {altered:?}"),
                    Err(InvariantFailure::Flaw { index, flaw }) => {
                        assert!(index < altered.len());
                        assert!(matches!(flaw, InvariantFlaw::MayBreak { .. }));
                    }
                    Err(other) => panic!("{other}"),
                }
            }
        }
    }
    assert!(n_proved > 10_000, "{n_proved}");
    assert!(n_wrong > 5_000, "{n_wrong} of {n_altered}");
}

#[test]
fn invariants_of_generated_games_are_proved() {
    let mut n_proved = 0;
    for reference in [
        "arrow:5",
        "blocks:4",
        "gripper:3",
        "hanoi:3:4",
        "hanoi:4:8",
        "pancake:5",
        "rubik:2",
        "slide-jump:3",
        "sliding-tiles:4:4",
        "topspin:9:4",
        "work-or-golf",
    ] {
        let game = built_in(reference);
        let found = claims(&Invariants::from_goals(&game));
        assert!(prove(&game, &found).is_ok(), "{reference}");
        n_proved += found.len();
    }
    assert!(n_proved > 200, "{n_proved}");
}

//! Invariants: proofs, and claims that must not be proved.

use std::time::Instant;

use checker::{
    Fact, Invariant, InvariantFailure, InvariantFlaw, Limits, ProvedInvariants, StopReason,
};
use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{Game, RuleId, Value, VarId};

use crate::load;

fn fact(var: u32, value: u32) -> Fact {
    Fact {
        var: VarId(var),
        value: Value(value),
    }
}

fn count(number: u32, facts: impl IntoIterator<Item = (u32, u32)>) -> Invariant {
    Invariant::Count {
        facts: facts
            .into_iter()
            .map(|(var, value)| fact(var, value))
            .collect(),
        number,
    }
}

fn prove(game: &Game, claims: &[Invariant]) -> Result<ProvedInvariants, InvariantFailure> {
    ProvedInvariants::prove(game, claims, &Limits::default())
}

fn broken(game: &Game, claims: &[Invariant]) -> Option<(usize, u32)> {
    match prove(game, claims) {
        Ok(_) => None,
        Err(InvariantFailure::Flaw {
            index,
            flaw: InvariantFlaw::MayBreak { rule },
        }) => Some((index, rule.0)),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn as_many_values_as_before() {
    // A blank on a line; then a rule that takes the blank away.
    let line = "
        3  3 3 3
        0 A - => A 0 -   A 0 - => 0 A -
        - 0 A => - A 0   - A 0 => - 0 A";
    let game = load(&format!("{line}  GOAL 0 1 2"));
    let blanks = |number| count(number, [(0, 0), (1, 0), (2, 0)]);
    for number in 0..=3 {
        assert_eq!(broken(&game, &[blanks(number)]), None);
    }
    // One place is left out; another value is counted somewhere.
    assert_eq!(broken(&game, &[count(1, [(0, 0), (1, 0)])]), Some((0, 2)));
    let mixed = count(1, [(0, 0), (1, 0), (2, 1)]);
    assert_eq!(broken(&game, &[blanks(1), mixed]), Some((1, 2)));
    // Facts may be listed twice, and values of one variable counted together.
    assert_eq!(
        broken(&game, &[count(1, [(0, 0), (1, 0), (2, 0), (1, 0)])]),
        None
    );
    assert_eq!(broken(&game, &[count(1, [(2, 0), (2, 1), (2, 2)])]), None);
    assert_eq!(broken(&game, &[count(1, [(2, 0), (2, 1)])]), Some((0, 3)));

    let game = load(&format!("{line}  0 - - => 1 - -  GOAL 0 1 2"));
    assert_eq!(broken(&game, &[blanks(1)]), Some((0, 4)));
    // Without a blank, that rule breaks nothing.
    assert_eq!(broken(&game, &[blanks(0)]), None);
}

/// A disk is on one of three pegs, and rules don't test that it isn't already on its target peg.
#[test]
fn one_stays_one_although_two_may_become_one() {
    let game = load(
        "3  2 2 2
         1 - - => 0 1 -   1 - - => 0 - 1   - 1 - => 1 0 -
         - 1 - => - 0 1   - - 1 => 1 - 0   - - 1 => - 1 0
         GOAL 1 0 0",
    );
    let disks = |number| count(number, [(0, 1), (1, 1), (2, 1)]);
    assert_eq!(broken(&game, &[disks(1)]), None);
    assert_eq!(broken(&game, &[disks(2)]), Some((0, 0)));
    // The same claims about where it isn't.
    let places = |number| count(number, [(0, 0), (1, 0), (2, 0)]);
    assert_eq!(broken(&game, &[places(2)]), None);
    assert_eq!(broken(&game, &[places(1)]), Some((0, 0)));
    // Each two pegs exclude each other, and the proof needs all pairs.
    let pairs = [(0, 1), (0, 2), (1, 2)]
        .map(|(one, other)| Invariant::Exclusive(fact(one, 1), fact(other, 1)));
    assert_eq!(broken(&game, &pairs), None);
    assert!(broken(&game, &pairs[..2]).is_some());
}

#[test]
fn invariants_build_on_each_other() {
    // The second variable follows the first one; the third is set if it has overtaken it.
    let game = load(
        "3  3 3 2
         0 - - => 1 - -   1 - - => 2 - -
         1 0 - => 1 1 -   2 1 - => 2 2 -
         0 1 - => 0 1 1
         GOAL 0 0 0",
    );
    let overtaken = |first, second| Invariant::Exclusive(fact(0, first), fact(1, second));
    let all = [
        Invariant::Never(fact(2, 1)),
        overtaken(0, 1),
        overtaken(0, 2),
        overtaken(1, 2),
    ];
    assert_eq!(broken(&game, &all), None);
    assert_eq!(broken(&game, &all[..1]), Some((0, 4)));
    // Without (0, 1) the third may be set; without (0, 2) the first rule leads to (1, 2). The
    // others don't help.
    for (dropped, expected) in [(1, Some((0, 4))), (2, Some((2, 0))), (3, None)] {
        let mut fewer = all.to_vec();
        fewer.remove(dropped);
        assert_eq!(broken(&game, &fewer), expected, "{dropped}");
    }
    // A fact that excludes itself never holds.
    let itself = Invariant::Exclusive(fact(2, 1), fact(2, 1));
    let same = [&[itself], &all[1..]].concat();
    assert_eq!(broken(&game, &same), None);
    // Different values of one variable exclude each other anyway.
    assert_eq!(
        broken(&game, &[Invariant::Exclusive(fact(0, 0), fact(0, 1))]),
        None
    );
}

#[test]
fn unknowns_are_followed() {
    // The second variable gets the first one's value, which must be that of the third.
    let game = load("3  3 3 3  A - A => A A A  GOAL 0 0 0");
    let (first, third) = (Invariant::Never(fact(0, 1)), Invariant::Never(fact(2, 1)));
    let second = Invariant::Never(fact(1, 1));
    assert_eq!(broken(&game, std::slice::from_ref(&second)), Some((0, 0)));
    assert_eq!(broken(&game, &[second.clone(), first]), None);
    assert_eq!(broken(&game, &[second, third]), None);
    let pair = Invariant::Exclusive(fact(0, 2), fact(1, 2));
    assert_eq!(broken(&game, std::slice::from_ref(&pair)), Some((0, 0)));
    let apart = Invariant::Exclusive(fact(0, 2), fact(2, 2));
    assert_eq!(broken(&game, &[pair, apart]), None);
}

#[test]
fn missing_variables_and_values_are_named() {
    let game = load("2  2 3  0 - => 1 -  GOAL 1 0");
    for (wrong, claim) in [
        (fact(2, 0), Invariant::Never(fact(2, 0))),
        (fact(0, 2), Invariant::Exclusive(fact(1, 2), fact(0, 2))),
        (fact(1, 3), count(1, [(1, 2), (1, 3)])),
    ] {
        let flaw = InvariantFlaw::UnknownFact { fact: wrong };
        let expected = InvariantFailure::Flaw { index: 0, flaw };
        assert_eq!(prove(&game, &[claim]).err(), Some(expected));
    }
    let over = Limits {
        deadline: Some(Instant::now()),
        ..Limits::default()
    };
    let claims = [Invariant::Never(fact(0, 1))];
    let stopped = ProvedInvariants::prove(&game, &claims, &over).err();
    assert_eq!(stopped, Some(InvariantFailure::Stopped(StopReason::Time)));
    let failure = prove(&game, &claims)
        .err()
        .map(|failure| failure.to_string());
    assert_eq!(failure.as_deref(), Some("invariant 1: rule 1 may break it"));
}

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

/// Random claims about random games: every rule keeps the proved invariants in every state, and a
/// rule before the named one breaks nothing.
#[test]
fn what_is_proved_is_inductive() {
    let (mut n_proved, mut n_inductive, mut n_refuted) = (0, 0, 0);
    for seed in 0..cases(3_000) {
        let shape = GameShape {
            several_domains: seed % 2 == 0,
            n_rules: 1..=3,
            ..GameShape::default()
        };
        let game = random_game(seed, &shape);
        let mut random = SplitMix64::new(seed);
        let sizes: Vec<usize> = (0..game.n_variables())
            .map(|var| game.domain_of(VarId::from_index(var)).size())
            .collect();
        for _ in 0..10 {
            let mut draw = || {
                let var = random.below(sizes.len());
                fact(var as u32, random.below(sizes[var]) as u32)
            };
            let facts: Vec<Fact> = (0..4).map(|_| draw()).collect();
            let claims: Vec<Invariant> = (0..1 + random.below(3))
                .map(|i| match random.below(3) {
                    0 => Invariant::Never(facts[i]),
                    1 => Invariant::Exclusive(facts[i], facts[i + 1]),
                    _ => Invariant::Count {
                        facts: facts[i..].to_vec(),
                        number: random.below(3) as u32,
                    },
                })
                .collect();
            let allowed = |state: &[Value]| claims.iter().all(|claim| holds(claim, state));
            let breaks = |rule: RuleId| {
                let rule = &game.rule(rule).canonical;
                let mut states = all_states(&game).filter(|state| allowed(state));
                states.any(|state| rule.applies_to(&state) && !allowed(&rule.apply(&state)))
            };
            let mut rules = game.rules_with_ids().map(|(id, _)| id);
            let first_broken = rules.find(|rule| breaks(*rule));
            n_inductive += usize::from(first_broken.is_none());
            match broken(&game, &claims) {
                None => {
                    assert_eq!(first_broken, None, "seed {seed}: {claims:?}");
                    n_proved += 1;
                }
                Some((_, rule)) => {
                    n_refuted += usize::from(first_broken == Some(RuleId(rule)));
                    assert!(first_broken.is_none_or(|first| rule <= first.0));
                }
            }
        }
    }
    // Nearly everything that is true is proved.
    assert!(n_refuted > 5_000, "{n_refuted}");
    assert!(
        n_proved > 2_000 && n_proved * 10 > n_inductive * 9,
        "{n_proved} of {n_inductive}"
    );
}

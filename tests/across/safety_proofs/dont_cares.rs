//! Machines with impossible words as don't-cares.

use std::collections::HashSet;

use checker::{AutomatonFlaw, Limits, MachineClaim, ProvedInvariants, Successions};
use fsm::{Dense, Machine, minimize, minimize_with_dont_cares};
use invariants::Invariants;
use move_prune::{Analysis, Options, analyze};
use psvn_ir::Game;
use psvn_ir::testing::{SplitMix64, all_states, cases};
use psvn_toolkit::{built_in, canonical_rules};

use crate::safety_proofs::{admitting, alterations, forbidding, game_with_costs, proved};

fn analyze_with(game: &Game, known: &Invariants, max_length: usize) -> Analysis {
    let admits = admitting(known);
    let options = Options {
        admits: Some(&admits),
        ..Options::up_to(max_length)
    };
    let rules = canonical_rules(game);
    analyze(game.n_variables(), &rules, &options, |_| ())
}

fn impossible_pairs(analysis: &Analysis) -> HashSet<(u32, u32)> {
    let pairs = analysis.impossible_pairs();
    pairs.map(|[first, second]| (first.0, second.0)).collect()
}

fn successions(game: &Game, known: &ProvedInvariants) -> Successions {
    Successions::of_rules(game, known, &Limits::default()).expect("no limit")
}

fn check(
    machine: &Dense,
    words: &[Vec<u32>],
    successions: &Successions,
) -> Result<usize, AutomatonFlaw> {
    MachineClaim::forbids(machine.n_letters(), words)
        .with_dont_cares(successions)
        .check(
            machine.start(),
            |state, letter| machine.next(state, letter),
            &Limits::default(),
        )
}

#[test]
fn successions_agree_with_the_states() {
    let mut n_impossible = 0;
    for seed in 0..cases(1_000) {
        let game = game_with_costs(seed);
        let successions = successions(&game, &ProvedInvariants::none(&game));
        let states: Vec<_> = all_states(&game).collect();
        for (first, rule) in game.rules_with_ids() {
            let ends: Vec<_> = states
                .iter()
                .filter(|state| rule.canonical.applies_to(state))
                .map(|state| rule.canonical.apply(state))
                .collect();
            assert_eq!(successions.is_possible(None, first.0), !ends.is_empty());
            for (second, rule) in game.rules_with_ids() {
                let is_possible = ends.iter().any(|end| rule.canonical.applies_to(end));
                assert_eq!(
                    successions.is_possible(Some(first.0), second.0),
                    is_possible
                );
                n_impossible += usize::from(!is_possible);
            }
        }
    }
    assert!(n_impossible > 2_000, "{n_impossible}");
}

#[test]
fn machines_with_dont_cares_are_proved_and_altered_ones_refused() {
    let mut counts = [0; 5];
    for seed in 0..cases(600) {
        let game = game_with_costs(seed);
        let n_rules = game.rules().len();
        let mut random = SplitMix64::new(seed);
        let known = Invariants::from_goals(&game);
        let analysis = analyze_with(&game, &known, 2 + seed as usize % 2);
        let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
        let impossible = impossible_pairs(&analysis);
        let with_known = successions(&game, &proved(&game, &known));
        let is_proved = |&(a, b): &(u32, u32)| !with_known.is_possible(Some(a), b);
        assert!(impossible.iter().all(is_proved), "seed {seed}");

        let exact = minimize(&forbidding(n_rules, &words)).expect("no larger");
        let lenient = |a: u32, b: u32| impossible.contains(&(a, b));
        let machine = minimize_with_dont_cares(&exact, lenient).expect("no larger");
        let checked = check(&machine, &words, &with_known);
        assert!(checked.is_ok(), "seed {seed}: {checked:?}");
        assert!(check(&exact, &words, &with_known).is_ok());
        counts[0] += usize::from(machine.n_states() < exact.n_states());

        // Without the invariants, or as an exact machine, it is mostly wrong.
        let without = successions(&game, &ProvedInvariants::none(&game));
        counts[1] += usize::from(check(&machine, &words, &without).is_err());
        // The machine must not rely on possible successions being impossible.
        for first in 0..n_rules as u32 {
            for second in 0..n_rules as u32 {
                if !with_known.is_possible(Some(first), second) {
                    continue;
                }
                let lenient = |a: u32, b: u32| lenient(a, b) || (a, b) == (first, second);
                let machine = minimize_with_dont_cares(&exact, lenient).expect("no larger");
                counts[2] += usize::from(check(&machine, &words, &with_known).is_err());
            }
        }
        // One word more, one word less.
        for dropped in 0..words.len() {
            let mut fewer = words.clone();
            let word = fewer.remove(dropped);
            let checked = check(&machine, &fewer, &with_known);
            // The word is possible, and contains no other one.
            assert_eq!(checked, Err(AutomatonFlaw::ForbidsTooMuch { word }));
            counts[3] += 1;
        }
        // A machine with one transition altered may still be right, if the transition is a
        // don't-care: brute force decides, for words of some length.
        if seed < 100 && machine.n_states() <= 12 {
            let claim = MachineClaim::forbids(n_rules as u32, &words).with_dont_cares(&with_known);
            for altered in alterations(&machine, &mut random) {
                let start = machine.number(machine.start());
                let next = |state, letter| altered.next(state, letter);
                match claim.check(start, next, &Limits::default()) {
                    Ok(_) => {
                        let same = agrees(&words, &with_known, &mut Vec::new(), start, &next, 5);
                        assert!(same, "seed {seed}: {altered:?}");
                    }
                    Err(
                        AutomatonFlaw::ForbidsTooMuch { word }
                        | AutomatonFlaw::ForbidsTooLittle { word },
                    ) => {
                        counts[4] += 1;
                        let by_machine = word.iter().try_fold(start, |s, letter| next(s, *letter));
                        assert_eq!(by_machine.is_some(), contains_one(&words, &word));
                        assert!(is_possible(&with_known, &word));
                    }
                    Err(other) => panic!("{other}"),
                }
            }
        }
    }
    let least = [50, 20, 200, 1_000, 1_000];
    let enough = counts
        .iter()
        .zip(least)
        .all(|(found, least)| *found > least);
    assert!(enough, "{counts:?}");
}

fn contains_one(words: &[Vec<u32>], word: &[u32]) -> bool {
    let mut parts = words.iter();
    parts.any(|part| word.windows(part.len()).any(|window| window == part))
}

fn is_possible(successions: &Successions, word: &[u32]) -> bool {
    let first = word
        .first()
        .is_none_or(|first| successions.is_possible(None, *first));
    let mut pairs = word.windows(2);
    first && pairs.all(|pair| successions.is_possible(Some(pair[0]), pair[1]))
}

/// Whether a machine forbids the right ones among the possible words of some length.
fn agrees(
    words: &[Vec<u32>],
    successions: &Successions,
    word: &mut Vec<u32>,
    state: usize,
    next: &impl Fn(usize, u32) -> Option<usize>,
    length: usize,
) -> bool {
    length == 0
        || (0..successions.n_letters() as u32).all(|letter| {
            word.push(letter);
            let same = !is_possible(successions, word)
                || match (next(state, letter), contains_one(words, word)) {
                    (Some(state), false) => {
                        agrees(words, successions, word, state, next, length - 1)
                    }
                    (allowed, forbidden) => allowed.is_none() == forbidden,
                };
            word.pop();
            same
        })
}

/// In a sliding-tile puzzle, a machine needs hardly any states when impossible words are
/// don't-cares.
#[test]
fn sliding_tiles() {
    let game = built_in("sliding-tiles:3:3");
    let known = Invariants::from_goals(&game);
    let analysis = analyze_with(&game, &known, 8);
    let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
    let impossible = impossible_pairs(&analysis);
    let exact = minimize(&forbidding(game.rules().len(), &words)).expect("no larger");
    let lenient = |a, b| impossible.contains(&(a, b));
    let machine = minimize_with_dont_cares(&exact, lenient).expect("no larger");
    assert!(machine.n_states() * 2 < exact.n_states());
    let with_known = successions(&game, &proved(&game, &known));
    assert!(check(&machine, &words, &with_known).is_ok());
    // With two blanks all successions are possible.
    let without = successions(&game, &ProvedInvariants::none(&game));
    assert!(check(&machine, &words, &without).is_err());
    let mut claimed = impossible.into_iter();
    assert!(claimed.any(|(a, b)| without.is_possible(Some(a), b)));
}

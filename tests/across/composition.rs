//! Composition against brute force: on random small games, a macro-rule is its sequence.

use std::collections::HashMap;

use macro_compose::{compose, compose_all};
use proptest::prelude::*;
use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{CanonicalRule, Game, Term, TermKind, Value, VarId};

/// Random games of all shapes: the bits of the seed choose what may occur.
fn game_of(seed: u64) -> Game {
    let shape = GameShape {
        n_variables: 1..=4,
        several_domains: seed & 1 == 1,
        repeated_symbols: seed & 6 != 0,
        lost_values: seed & 8 == 0,
        constants: if seed & 16 == 0 { 35 } else { 15 },
        ..GameShape::default()
    };
    random_game(seed >> 5, &shape)
}

/// The rules that numbers name, whatever the number of rules.
fn pick<'a>(game: &'a Game, numbers: &[usize]) -> Vec<&'a CanonicalRule> {
    let rules = game.rules();
    let rule = |number: &usize| &rules[number % rules.len()].canonical;
    if rules.is_empty() {
        Vec::new()
    } else {
        numbers.iter().map(rule).collect()
    }
}

/// Carry out rules one by one; `None` when one of them doesn't apply.
fn carry_out(rules: &[&CanonicalRule], state: &[Value]) -> Option<Box<[Value]>> {
    let start: Box<[Value]> = state.into();
    rules.iter().try_fold(start, |state, rule| {
        rule.applies_to(&state).then(|| rule.apply(&state))
    })
}

/// One step of a rule, written against the notation itself rather than with the rule's own methods.
fn step_by_definition(rule: &CanonicalRule, state: &[Value]) -> Option<Box<[Value]>> {
    let value = |term: Term| match term.kind() {
        TermKind::Constant(value) => value,
        TermKind::Variable(j) => state[j.index()],
    };
    let applies = rule
        .preconditions()
        .iter()
        .zip(state)
        .all(|(term, found)| value(*term) == *found);
    applies.then(|| rule.actions().iter().map(|term| value(*term)).collect())
}

fn describe(game: &Game, rules: &[&CanonicalRule]) -> String {
    let rules: Vec<String> = rules.iter().map(|rule| game.format_rule(rule)).collect();
    rules.join("; ")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(4000)))]

    /// The macro-rule applies exactly to the states where the sequence applies, leads to the same
    /// states, and costs the sum. There is none exactly when no state allows the sequence: the
    /// language can't require values to *differ*, so conditions without a contradiction can be met,
    /// however small the domains.
    #[test]
    fn a_macro_rule_is_its_sequence(seed: u64, numbers in prop::collection::vec(0_usize..60, 0..=5)) {
        let game = game_of(seed);
        let rules = pick(&game, &numbers);
        let mut n_allowing = 0;
        let composed = compose_all(game.n_variables(), rules.iter().copied());
        for state in all_states(&game) {
            let expected = carry_out(&rules, &state);
            n_allowing += usize::from(expected.is_some());
            let found = composed.as_ref().ok().and_then(|rule| {
                rule.applies_to(&state).then(|| rule.apply(&state))
            });
            prop_assert_eq!(found, expected, "{} in {}", describe(&game, &rules), game.format_state(&state));
        }
        prop_assert_eq!(composed.is_ok(), n_allowing > 0, "{}", describe(&game, &rules));
        match composed {
            Ok(composed) => {
                let cost: u64 = rules.iter().map(|rule| rule.cost()).sum();
                prop_assert_eq!(composed.cost(), cost);
            }
            // The error names the first rule that can't follow: the rules before it are possible.
            Err(invalid) => {
                prop_assert!(all_states(&game).any(|state| carry_out(&rules[..invalid.index], &state).is_some()));
                prop_assert!(all_states(&game).all(|state| carry_out(&rules[..=invalid.index], &state).is_none()));
            }
        }
    }

    /// Rules mean what the notation says; the other properties build on it.
    #[test]
    fn rules_mean_what_the_notation_says(seed: u64) {
        let game = game_of(seed);
        for rule in game.rules() {
            for state in all_states(&game) {
                prop_assert_eq!(
                    carry_out(&[&rule.canonical], &state),
                    step_by_definition(&rule.canonical, &state)
                );
            }
        }
    }

    /// Composed rules are canonical, so canonicalizing changes nothing.
    #[test]
    fn macro_rules_are_canonical(seed: u64, numbers in prop::collection::vec(0_usize..60, 0..=5)) {
        let game = game_of(seed);
        let rules = pick(&game, &numbers);
        if let Ok(rule) = compose_all(game.n_variables(), rules) {
            let again = CanonicalRule::canonicalize(rule.preconditions(), rule.actions(), rule.cost());
            prop_assert_eq!(&again, &rule);
        }
    }

    /// All ways to write a macro-rule have one canonical form.
    #[test]
    fn canonical_form_does_not_depend_on_how_a_rule_is_written(
        seed: u64,
        numbers in prop::collection::vec(0_usize..60, 0..=3),
    ) {
        let game = game_of(seed);
        let rules = pick(&game, &numbers);
        if let Ok(rule) = compose_all(game.n_variables(), rules) {
            let mut random = SplitMix64::new(seed);
            for _ in 0..8 {
                let (preconditions, actions) = rewrite(&rule, &game, &mut random);
                prop_assert_eq!(
                    CanonicalRule::canonicalize(&preconditions, &actions, rule.cost()),
                    rule.clone(),
                    "{:?} {:?}", preconditions, actions
                );
            }
        }
    }

    /// And two canonical forms are two meanings: with at least two values in each domain, no two
    /// different macro-rules apply to the same states with the same results.
    #[test]
    fn canonical_form_is_unique(seed: u64) {
        let game = game_of(seed);
        let mut by_meaning: HashMap<Vec<Option<Box<[Value]>>>, CanonicalRule> = HashMap::new();
        let one = game.rules().iter().map(|rule| vec![&rule.canonical]);
        let two = game.rules().iter().flat_map(|first| {
            game.rules().iter().map(|second| vec![&first.canonical, &second.canonical])
        });
        for rules in one.chain(two) {
            let Ok(rule) = compose_all(game.n_variables(), rules) else {
                continue;
            };
            let meaning = all_states(&game).map(|state| carry_out(&[&rule], &state)).collect();
            let other = by_meaning.entry(meaning).or_insert_with(|| rule.clone());
            prop_assert_eq!(other.preconditions(), rule.preconditions());
            prop_assert_eq!(other.actions(), rule.actions());
        }
    }

    /// Composition is associative, impossible sequences included, and the empty sequence is
    /// neutral.
    #[test]
    fn composition_is_associative(
        seed: u64,
        numbers in prop::collection::vec(0_usize..60, 0..=6),
        cuts in (0_usize..=6, 0_usize..=6),
    ) {
        let game = game_of(seed);
        let rules = pick(&game, &numbers);
        let n = game.n_variables();
        let (i, j) = (cuts.0.min(cuts.1).min(rules.len()), cuts.0.max(cuts.1).min(rules.len()));
        let whole = compose_all(n, rules.iter().copied()).ok();
        let part = |part: &[&CanonicalRule]| compose_all(n, part.iter().copied()).ok();
        let (a, b, c) = (part(&rules[..i]), part(&rules[i..j]), part(&rules[j..]));
        let then = |first: Option<CanonicalRule>, second: Option<CanonicalRule>| {
            compose(&first?, &second?).ok()
        };
        prop_assert_eq!(then(then(a.clone(), b.clone()), c.clone()), whole.clone());
        prop_assert_eq!(then(a, then(b, c)), whole.clone());
        let identity = Some(CanonicalRule::identity(n));
        prop_assert_eq!(then(identity.clone(), whole.clone()), whole.clone());
        prop_assert_eq!(then(whole.clone(), identity), whole);
    }
}

/// Write a rule in a random way that means the same: equal positions refer to each other by any
/// indices, in chains, and constants are replaced by references to positions that hold them.
fn rewrite(rule: &CanonicalRule, game: &Game, random: &mut SplitMix64) -> (Vec<Term>, Vec<Term>) {
    let p = rule.preconditions();
    let n = p.len();
    // Positions in a random order: each may refer to those before it, so chains end.
    let mut order: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        order.swap(i, random.below(i + 1));
    }
    let domain = |i: usize| game.variables()[i];
    let equal_to = |i: usize, among: &[usize]| -> Vec<usize> {
        let equal = among.iter().copied();
        equal
            .filter(|j| p[*j] == p[i] && domain(*j) == domain(i))
            .collect()
    };
    let mut preconditions = p.to_vec();
    for (place, &i) in order.iter().enumerate() {
        let earlier = equal_to(i, &order[..place]);
        let keeps_constant = p[i].is_constant() && random.chance(40);
        preconditions[i] = match earlier.len() {
            _ if keeps_constant => p[i],
            0 if p[i].is_constant() => p[i],
            0 => Term::variable(VarId::from_index(i)),
            some => Term::variable(VarId::from_index(earlier[random.below(some)])),
        };
    }
    let actions = rule
        .actions()
        .iter()
        .enumerate()
        .map(|(i, action)| {
            let holders: Vec<usize> = (0..n)
                .filter(|j| p[*j] == *action && domain(*j) == domain(i))
                .collect();
            match holders.len() {
                0 => *action,
                _ if action.is_constant() && random.chance(40) => *action,
                some => Term::variable(VarId::from_index(holders[random.below(some)])),
            }
        })
        .collect();
    (preconditions, actions)
}

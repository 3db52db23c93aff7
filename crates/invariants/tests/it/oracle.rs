use invariants::{Invariants, Scratch};
use psvn_ir::testing::{SplitMix64, all_states};
use psvn_ir::{Game, State, Term, Value, VarId};

use crate::{
    GENERATED, generated, goal_states, load, matches, random_games, random_pattern, reachable,
};

thread_local! {
    /// Scratch space for all games.
    static KEPT: std::cell::RefCell<Scratch> = std::cell::RefCell::default();
}

/// All properties of the invariants of a game with these starts. Returns the number of rejected
/// patterns.
fn check(game: &Game, starts: &[State], invariants: &Invariants, seed: u64) -> usize {
    let states = reachable(game, starts, 20_000);
    for state in &states {
        if let Err(violation) = invariants.check_state(game, state) {
            panic!("{violation}: {}", game.format_state(state.values()));
        }
    }
    let mut random = SplitMix64::new(seed);
    let mut scratch = Scratch::new();
    let mut n_rejected = 0;
    for number in 0..300 {
        let pattern = random_pattern(game, &mut random);
        if number % 4 == 0 {
            check_implied(game, &states, invariants, &pattern, &mut random);
        }
        let admitted = invariants.admits_with(&mut scratch, &pattern);
        assert_eq!(admitted, invariants.admits(&pattern));
        n_rejected += usize::from(!admitted);
        if !admitted {
            let example = states.iter().find(|state| matches(&pattern, state));
            if let Some(state) = example {
                panic!(
                    "{} matches {}\n{}",
                    game.format_state(state.values()),
                    game.format_terms(&pattern),
                    invariants.to_lines(game).join("\n")
                );
            }
        }
    }
    n_rejected
}

/// The pattern with the implied values; `None` if no state may match it.
fn closed(invariants: &Invariants, scratch: &mut Scratch, pattern: &[Term]) -> Option<Vec<Term>> {
    let mut implied = Vec::new();
    let is_possible = invariants.implied(scratch, pattern, &mut implied);
    let mut closed = pattern.to_vec();
    for fact in &implied {
        assert!(!closed[fact.var.index()].is_constant(), "a fact is new");
        closed[fact.var.index()] = Term::constant(fact.value);
    }
    let unknowns = pattern.iter().zip(&closed);
    for (i, (term, closed_term)) in unknowns.enumerate() {
        if let Some(var) = term.as_variable() {
            let first = closed[var.index()];
            assert_eq!(
                *closed_term, first,
                "position {i}: all positions of an unknown or none"
            );
        }
    }
    is_possible.then_some(closed)
}

/// All properties of the values that are implied beside a pattern.
fn check_implied(
    game: &Game,
    states: &[State],
    invariants: &Invariants,
    pattern: &[Term],
    random: &mut SplitMix64,
) {
    let describe = |pattern: &[Term]| {
        let lines = invariants.to_lines(game).join("\n");
        format!("{}\n{lines}", game.format_terms(pattern))
    };
    let mut scratch = Scratch::new();
    let once = closed(invariants, &mut scratch, pattern);
    // Vectors closed before, of this game or others, change nothing.
    for _ in 0..2 {
        let again = KEPT.with_borrow_mut(|kept| closed(invariants, kept, pattern));
        assert_eq!(again, once, "{}", describe(pattern));
    }
    // They hold in all states.
    let mut examples = states.iter().filter(|state| matches(pattern, state));
    match &once {
        None => assert!(examples.next().is_none(), "{}", describe(pattern)),
        Some(once) => assert!(
            examples.all(|state| matches(once, state)),
            "{}",
            describe(pattern)
        ),
    }
    // A pattern that is not admitted isn't possible.
    assert!(
        once.is_none() || invariants.admits(pattern),
        "{}",
        describe(pattern)
    );
    // Closing twice is closing once.
    if let Some(once) = &once {
        let twice = closed(invariants, &mut scratch, once);
        assert_eq!(twice.as_ref(), Some(once), "{}", describe(pattern));
    }
    // More knowledge implies no less: with another constant, and with two equal unknowns.
    let mut more = pattern.to_vec();
    let place = random.below(more.len());
    let size = game.domain_of(VarId::from_index(place)).size();
    let value = Term::constant(Value::from_index(random.below(size)));
    let earlier = (0..place).find(|k| {
        let same_domain = game.variables()[*k] == game.variables()[place];
        more[*k].is_own_variable(*k) && same_domain
    });
    let by = match earlier {
        Some(k) if random.chance(50) => more[k],
        _ => value,
    };
    let old = more[place];
    if old.is_constant() {
        return;
    }
    for term in &mut more {
        if *term == old {
            *term = by;
        }
    }
    let more_closed = closed(invariants, &mut scratch, &more);
    match (once, more_closed) {
        (None, closed) => assert_eq!(closed, None, "{}", describe(&more)),
        (Some(_), None) => {}
        (Some(less), Some(more_closed)) => {
            for (i, (less, more_term)) in less.iter().zip(&more_closed).enumerate() {
                assert!(
                    !less.is_constant() || less == more_term,
                    "position {i}: {}, then {}",
                    describe(pattern),
                    describe(&more)
                );
            }
        }
    }
}

#[test]
fn generated_games_keep_their_invariants() {
    for reference in GENERATED {
        let game = generated(reference);
        let starts = goal_states(&game);
        check(&game, &starts, &Invariants::from_goals(&game), 1);
        check(&game, &starts, &Invariants::from_states(&game, &starts), 2);
    }
}

#[test]
fn random_games_keep_their_invariants() {
    let (mut n_counts, mut n_facts, mut n_pairs, mut n_rejected) = (0, 0, 0, 0);
    for (seed, game) in random_games().enumerate() {
        let goals = goal_states(&game);
        let one = vec![goals[seed % goals.len()].clone()];
        for (starts, invariants) in [
            (&goals, Invariants::from_goals(&game)),
            (&one, Invariants::from_states(&game, &one)),
        ] {
            n_rejected += check(&game, starts, &invariants, seed as u64);
            n_counts += invariants.counts().len();
            n_facts += invariants.unreachable_facts().len();
            n_pairs += invariants.exclusive_pairs().len();
        }
    }
    // The games have invariants to break, and patterns are rejected.
    assert!(n_counts > 100, "{n_counts}");
    assert!(n_facts > 500, "{n_facts}");
    assert!(n_pairs > 500, "{n_pairs}");
    assert!(n_rejected > 10_000, "{n_rejected}");
}

#[test]
fn invariants_are_inductive() {
    let small = GENERATED.iter().map(|reference| generated(reference));
    let small = small.filter(|game| {
        let sizes = game
            .variables()
            .iter()
            .map(|id| game.domain(*id).size() as f64);
        sizes.product::<f64>() <= 20_000.0
    });
    for game in small.chain(random_games()) {
        let starts = goal_states(&game);
        let invariants = Invariants::from_states(&game, &starts[..1]);
        for state in all_states(&game).map(State::new) {
            if invariants.check_state(&game, &state).is_err() {
                continue;
            }
            for rule in game.rules() {
                if rule.canonical.applies_to(state.values()) {
                    let next = State::new(rule.canonical.apply(state.values()));
                    let checked = invariants.check_state(&game, &next);
                    assert_eq!(checked, Ok(()), "{}", game.format_state(state.values()));
                }
            }
        }
    }
}

/// A game with two variables of `n_values` values, of which the first is never behind the second
/// except when both are at the end. Only pairs show that the last rule never applies, and there may
/// be too many of them to keep.
fn pursuit(n_values: usize) -> Game {
    let mut text = format!("3\n{n_values} {n_values} 2\n");
    for i in 1..n_values {
        text += &format!("{} - - => {i} - -\n{i} {} - => {i} {i} -\n", i - 1, i - 1);
    }
    load(&(text + "0 1 - => 0 1 1\nGOAL 0 0 0\n"))
}

#[test]
fn nothing_is_kept_that_depends_on_dropped_pairs() {
    // With 20 values the pairs are kept; with 400 there are too many to write down.
    for (n_values, has_pairs) in [(20, true), (400, false)] {
        let game = pursuit(n_values);
        let invariants = Invariants::from_goals(&game);
        assert_eq!(invariants.exclusive_pairs().len() > 0, has_pairs);
        assert_eq!(invariants.omissions().is_empty(), has_pairs);
        let mut rules_at = vec![Vec::new(); n_values];
        for rule in game.rules() {
            let first = rule.canonical.preconditions()[0].as_constant();
            rules_at[first.expect("all rules test it").index()].push(&rule.canonical);
        }
        for values in all_states(&game) {
            let state = State::new(values.clone());
            if invariants.check_state(&game, &state).is_err() {
                continue;
            }
            for rule in &rules_at[values[0].index()] {
                if rule.applies_to(&values) {
                    let next = State::new(rule.apply(&values));
                    let checked = invariants.check_state(&game, &next);
                    assert_eq!(checked, Ok(()), "{}", game.format_state(&values));
                }
            }
        }
    }
}

/// More pairs than are listed at all.
#[test]
fn nothing_is_kept_that_depends_on_unlisted_pairs() {
    let game = pursuit(2900);
    let invariants = Invariants::from_goals(&game);
    assert_eq!(invariants.omissions(), [invariants::Omission::Pairs]);
    let before = game.parse_state("0 1 0").expect("a state");
    let after = game.parse_state("0 1 1").expect("a state");
    let admits = |state| invariants.check_state(&game, state).is_ok();
    assert!(!admits(&before) || admits(&after));
}

/// A pattern that is a state is admitted exactly if the state passes.
#[test]
fn states_are_admitted_exactly_if_they_pass() {
    for game in random_games() {
        let invariants = Invariants::from_goals(&game);
        for values in all_states(&game) {
            let pattern: Vec<_> = values
                .iter()
                .copied()
                .map(psvn_ir::Term::constant)
                .collect();
            let passes = invariants.check_state(&game, &State::new(values)).is_ok();
            assert_eq!(
                invariants.admits(&pattern),
                passes,
                "{}",
                game.format_terms(&pattern)
            );
        }
    }
}

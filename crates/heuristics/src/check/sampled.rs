//! Samples of a large game: walks backward from the goals, and forward again.

use invariants::Invariants;
use psvn_ir::random::SplitMix64;
use psvn_ir::{DEFAULT_RULE_LIMIT, Game, Rule, RuleId, State, Value};
use search::{GoalStates, Heuristic};

use super::{CheckError, Findings};
use crate::name::cells;

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The seed of the random choices.
    pub seed: u64,
    /// The number of walks.
    pub n_walks: usize,
    /// The number of steps of each walk, backward and then forward.
    pub length: usize,
}

/// Of many goal states, only the first ones are walked from.
const MAX_GOALS: usize = 1_000;

/// Try a heuristic on random walks. Each one goes backward from a goal state, so that the cost of
/// the walk bounds what a goal costs; all steps that are possible at its states are checked. From
/// its end a walk goes forward, and the estimate that rests on the parent's is carried along.
///
/// Goal states without the invariants `known` are left out.
///
/// # Errors
/// When there are no such goal states, or a rule that loses values stands for too many backward.
pub fn sampled<H: Heuristic>(
    game: &Game,
    heuristic: &H,
    known: &Invariants,
    sample: &Sample,
) -> Result<Findings, CheckError> {
    let goals: Vec<State> = GoalStates::of(game)
        .take(MAX_GOALS)
        .filter(|state| known.check_state(game, state).is_ok())
        .collect();
    if goals.is_empty() {
        return Err(CheckError::NoGoal);
    }
    let limit = DEFAULT_RULE_LIMIT;
    let backward = game
        .backward_rules(limit)
        .map_err(|_| CheckError::TooManyRules { limit })?;
    let mut random = SplitMix64::new(sample.seed);
    let mut findings = Findings::default();
    for _ in 0..sample.n_walks {
        let mut state: Box<[Value]> = goals[random.below(goals.len())].values().into();
        let mut cost: u64 = 0;
        for _ in 0..sample.length {
            if game.is_goal(&state) {
                cost = 0;
            }
            check_state_and_steps(game, heuristic, &mut findings, &state, cost);
            let Some((_, rule)) = choose(&mut random, backward.iter().enumerate(), &state) else {
                break;
            };
            state = rule.canonical.apply(&state);
            cost = cost.saturating_add(rule.canonical.cost());
        }
        if game.is_goal(&state) {
            cost = 0;
        }
        check_state_and_steps(game, heuristic, &mut findings, &state, cost);
        let (mut estimate, mut memo) = heuristic.start(&cells(&state));
        for _ in 0..sample.length {
            let rules = game.rules().iter().enumerate();
            let Some((id, rule)) = choose(&mut random, rules, &state) else {
                break;
            };
            let id = RuleId::from_index(id);
            let child = rule.canonical.apply(&state);
            memo = findings.step(game, heuristic, (&state, &memo, estimate), id, &child);
            estimate = heuristic.estimate(&cells(&child));
            state = child;
        }
    }
    Ok(findings)
}

/// Check a state from which a goal costs `cost` at most, and all steps from it.
fn check_state_and_steps<H: Heuristic>(
    game: &Game,
    heuristic: &H,
    findings: &mut Findings,
    state: &[Value],
    cost: u64,
) {
    let (estimate, memo) = heuristic.start(&cells(state));
    findings.count(game, state, estimate);
    findings.state(game, state, estimate, cost);
    for (id, rule) in game.rules_with_ids() {
        if rule.canonical.applies_to(state) {
            let child = rule.canonical.apply(state);
            findings.step(game, heuristic, (state, &memo, estimate), id, &child);
        }
    }
}

/// A random one of the rules that apply.
fn choose<'r, N>(
    random: &mut SplitMix64,
    rules: impl Iterator<Item = (N, &'r Rule)> + Clone,
    state: &[Value],
) -> Option<(N, &'r Rule)> {
    let mut apply = rules.filter(|(_, rule)| rule.canonical.applies_to(state));
    let n = apply.clone().count();
    (n > 0).then(|| apply.nth(random.below(n))).flatten()
}

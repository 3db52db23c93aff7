//! A check on samples of a large game: walks backward from the goals, and forward again.

use psvn_ir::random::SplitMix64;
use psvn_ir::{DEFAULT_RULE_LIMIT, Game, Rule, RuleId, State, Value};

use super::{CheckError, Findings, cells};
use crate::GoalStates;
use crate::heuristic::Heuristic;
use crate::heuristic::path::FollowedPath;

/// The extent of the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The seed of the random choices.
    pub seed: u64,
    /// The number of walks.
    pub n_walks: usize,
    /// The number of steps of each walk, backward and then forward.
    pub length: usize,
}

/// The maximum number of goal states with which walks begin: the first ones.
const MAX_GOALS: usize = 1_000;

/// Try a heuristic on random walks. Each one goes backward from a goal state, so that the cost of
/// the walk bounds the distance to a goal; all possible steps from its states are checked. From its
/// end a walk goes forward, and the incremental estimate is carried along.
///
/// Walks keep to states that satisfy `is_known`, such as those with the invariants that a heuristic
/// assumes.
///
/// # Errors
/// If no goal state satisfies `is_known`, or a rule that loses values becomes too many backward
/// rules.
pub fn sampled(
    game: &Game,
    heuristic: &dyn Heuristic,
    is_known: impl Fn(&State) -> bool,
    sample: &Sample,
) -> Result<Findings, CheckError> {
    let goals: Vec<State> = GoalStates::of(game)
        .take(MAX_GOALS)
        .filter(&is_known)
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
            let apply = backward.iter().map(|rule| &rule.canonical);
            let apply = apply.filter(|rule| rule.applies_to(&state));
            let before = apply.map(|rule| (State::new(rule.apply(&state)), rule.cost()));
            let before: Vec<(State, u64)> = before.filter(|(it, _)| is_known(it)).collect();
            if before.is_empty() {
                break;
            }
            let (next, step) = &before[random.below(before.len())];
            state = next.values().into();
            cost = cost.saturating_add(*step);
        }
        if game.is_goal(&state) {
            cost = 0;
        }
        check_state_and_steps(game, heuristic, &mut findings, &state, cost);
        let mut path = FollowedPath::start(heuristic, &state);
        let mut estimate = heuristic.estimate(&cells(&state));
        for _ in 0..sample.length {
            let rules = game.rules_with_ids();
            let apply = rules.filter(|(_, rule)| rule.canonical.applies_to(&state));
            let apply: Vec<(RuleId, &Rule)> = apply.collect();
            if apply.is_empty() {
                break;
            }
            findings.children(game, heuristic, (&state, path.as_ref(), estimate));
            let (id, rule) = apply[random.below(apply.len())];
            let child = rule.canonical.apply(&state);
            path = findings.step(
                game,
                heuristic,
                (&state, path.as_ref(), estimate),
                id,
                &child,
            );
            estimate = heuristic.estimate(&cells(&child));
            state = child;
        }
    }
    Ok(findings)
}

/// Check a state whose distance to a goal is at most `cost`, and all steps from it.
fn check_state_and_steps(
    game: &Game,
    heuristic: &dyn Heuristic,
    findings: &mut Findings,
    state: &[Value],
    cost: u64,
) {
    let path = FollowedPath::start(heuristic, state);
    let estimate = path
        .as_ref()
        .map_or_else(|| heuristic.estimate(&cells(state)), FollowedPath::estimate);
    findings.count(game, state, estimate);
    findings.state(game, state, estimate, cost);
    findings.children(game, heuristic, (state, path.as_ref(), estimate));
    for (id, rule) in game.rules_with_ids() {
        if rule.canonical.applies_to(state) {
            let child = rule.canonical.apply(state);
            findings.step(
                game,
                heuristic,
                (state, path.as_ref(), estimate),
                id,
                &child,
            );
        }
    }
}

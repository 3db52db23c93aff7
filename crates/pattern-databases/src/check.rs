//! Checking a heuristic by samples: against walks from goals, and from each state to the next.

use psvn_ir::random::SplitMix64;
use psvn_ir::{Game, State, TooManyRules, Value};
use search::{Cell, DEAD_END, GoalStates, Heuristic};

/// The states that are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Samples {
    /// The number of random walks from goal states, backward.
    pub walks: u64,
    /// The steps of each.
    pub steps: u64,
    /// The seed of what is random.
    pub seed: u64,
    /// Whether the heuristic is said to be consistent, so that an inconsistent step is a mistake.
    pub consistent: bool,
}

/// What was checked, and found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// States on the walks, whose estimates were compared with the cost of the way back to the
    /// goal.
    pub states: u64,
    /// Steps from them, whose estimates at both ends were compared.
    pub steps: u64,
    /// Steps that cost less than the estimate falls.
    pub inconsistent: u64,
    /// The sum of all estimates.
    pub estimates: u128,
    /// The first mistake, in words.
    pub mistake: Option<String>,
}

/// The most backward rules.
const MOST_RULES: usize = 1 << 20;
/// The number of goal states at which walks may begin.
const MOST_GOALS: usize = 1000;

/// Look for estimates that exceed what a walk from a goal shows to be enough (*inadmissible*), or
/// the cost of a step and the estimate behind it (*inconsistent*), at states for which `is_known`
/// holds; and for states that are estimated differently by themselves and as children.
///
/// # Errors
/// When the rules can't be run backwards, since they are too many then.
pub fn check_samples<H: Heuristic>(
    game: &Game,
    heuristic: &H,
    samples: Samples,
    is_known: impl Fn(&State) -> bool,
) -> Result<CheckReport, TooManyRules> {
    let backward = game.backward_rules(MOST_RULES)?;
    let goals: Vec<State> = GoalStates::of(game)
        .take(MOST_GOALS)
        .filter(&is_known)
        .collect();
    let mut random = SplitMix64::new(samples.seed);
    let mut report = CheckReport::default();
    if goals.is_empty() {
        return Ok(report);
    }
    for _ in 0..samples.walks {
        let mut state = goals[random.below(goals.len())].values().to_vec();
        let mut cost = 0_u64;
        for _ in 0..=samples.steps {
            look(
                game,
                heuristic,
                &state,
                cost,
                samples.consistent,
                &mut report,
            );
            if report.mistake.is_some() {
                return Ok(report);
            }
            let before: Vec<(Box<[Value]>, u64)> = backward
                .iter()
                .map(|rule| &rule.canonical)
                .filter(|rule| rule.applies_to(&state))
                .map(|rule| (rule.apply(&state), rule.cost()))
                .filter(|(state, _)| is_known(&State::new(state.clone())))
                .collect();
            if before.is_empty() {
                break;
            }
            let (next, step) = &before[random.below(before.len())];
            state = next.to_vec();
            cost = cost.saturating_add(*step);
        }
    }
    Ok(report)
}

fn look<H: Heuristic>(
    game: &Game,
    heuristic: &H,
    state: &[Value],
    cost: u64,
    consistent: bool,
    report: &mut CheckReport,
) {
    let cells =
        |state: &[Value]| -> Vec<u32> { state.iter().map(|value| u32::pack(*value)).collect() };
    let here = cells(state);
    let (estimate, memo) = heuristic.start(&here);
    report.states += 1;
    report.estimates += u128::from(estimate);
    if estimate > cost {
        report.mistake = Some(format!(
            "state `{}` is {cost} away from a goal at most, and estimated at {estimate}",
            game.format_state(state)
        ));
        return;
    }
    for (id, rule) in game.rules_with_ids() {
        let rule = &rule.canonical;
        if !rule.applies_to(state) {
            continue;
        }
        let next = rule.apply(state);
        let there = cells(&next);
        let (behind, _) = heuristic.child(id, &here, &memo, &there);
        report.steps += 1;
        if behind != heuristic.estimate(&there) {
            report.mistake = Some(format!(
                "state `{}` is estimated differently when it is reached from `{}`",
                game.format_state(&next),
                game.format_state(state)
            ));
        } else if behind != DEAD_END && estimate > behind.saturating_add(rule.cost()) {
            report.inconsistent += 1;
            if !consistent {
                continue;
            }
            report.mistake = Some(format!(
                "state `{}` is estimated at {estimate}, but `{}`, one step of {} away, at {behind}",
                game.format_state(state),
                game.format_state(&next),
                rule.cost()
            ));
        }
    }
}

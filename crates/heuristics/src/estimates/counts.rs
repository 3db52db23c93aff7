//! Counts of the values and conditions that differ from the goal.

use budget::Watch;
use invariants::Invariants;
use psvn_ir::{Game, Goal, Value, VarId};
use search::ValueSums;

use crate::effort::Effort;
use crate::estimates::sums::{Drops, GoalSums, Ratio, Ties, ties};
use crate::refusal::Refusal;
use crate::structure::board::Slides;
use crate::structure::goal_facts::{GoalFacts, n_facts};

/// The maximum number of values that are tried as the one that isn't counted.
const MAX_UNCOUNTED: usize = 64;

/// Count the values in places where no goal state has them, each weighted as the rules allow.
///
/// A rule that costs c may put at most k values right; the weight is the least c / k over the
/// rules, and the sum is rounded up. The estimate is admissible and consistent in every game. One
/// value may be left out, such as a blank, if that raises the weight of the others so that the
/// highest possible estimate is higher: in sliding-tile puzzles this is the number of misplaced
/// tiles.
///
/// # Errors
/// If the game has no goal, or a rule that puts values right costs nothing.
pub fn misplaced(game: &Game, known: &Invariants) -> Result<GoalSums, Refusal> {
    misplaced_within(game, known, &Effort::within(&Watch::default()))
}

/// The same within limits.
pub(crate) fn misplaced_within(
    game: &Game,
    known: &Invariants,
    effort: &Effort<'_>,
) -> Result<GoalSums, Refusal> {
    let goals = GoalFacts::of_goals_within(game, known, effort)?;
    let mut named: Vec<Value> = game
        .rules()
        .iter()
        .flat_map(|rule| rule.canonical.changes())
        .filter_map(|(_, action)| action.as_constant())
        .collect();
    named.sort_unstable();
    named.dedup();
    named.truncate(MAX_UNCOUNTED);
    let candidates = std::iter::once(None).chain(named.into_iter().map(Some));
    let mut best: Option<(f64, GoalSums)> = None;
    let mut refusal = None;
    for uncounted in candidates {
        spend_sums(game, effort)?;
        let sums = goals
            .iter()
            .map(|goal| out_of_place(game, goal, uncounted))
            .collect();
        match worth(game, sums, Vec::new(), effort) {
            Ok((most, found)) => {
                if best.as_ref().is_none_or(|(known, _)| most > *known) {
                    best = Some((most, found));
                }
            }
            Err(stopped @ Refusal::Stopped { .. }) => return Err(stopped),
            Err(other) => {
                refusal.get_or_insert(other);
            }
        }
    }
    match (best, refusal) {
        (Some((_, found)), _) => Ok(found.folded(game)),
        (None, Some(refusal)) => Err(refusal),
        (None, None) => Err(Refusal::NoGoal),
    }
}

/// Return sums with 1 for each variable and value that no goal state has, unless the value isn't
/// counted.
fn out_of_place(game: &Game, goal: &GoalFacts, uncounted: Option<Value>) -> ValueSums {
    ValueSums::new(game, |var, value| {
        u32::from(!goal.allows(var.index(), value) && Some(value) != uncounted)
    })
}

/// Check that there is room for the sums of all goals beside the best ones so far, and time to fill
/// them.
fn spend_sums(game: &Game, effort: &Effort<'_>) -> Result<(), Refusal> {
    let facts = n_facts(game).saturating_mul(game.goals().len());
    let rules = game.rules().len().saturating_mul(3 * size_of::<usize>());
    let bytes = facts.saturating_mul(size_of::<u32>()).saturating_add(rules);
    effort.spend(facts, bytes.saturating_mul(2))
}

/// Return sums with the weight of each unit, and their highest possible estimate.
fn worth(
    game: &Game,
    sums: Vec<ValueSums>,
    tied: Vec<Ties>,
    effort: &Effort<'_>,
) -> Result<(f64, GoalSums), Refusal> {
    let drops: Vec<Drops<'_>> = sums.iter().map(|sums| Drops::new(game, sums)).collect();
    let ratio = Ratio::largest(
        game,
        |_, rule| {
            let mut most = 0;
            for (goal, drops) in drops.iter().enumerate() {
                let tied = tied.get(goal).map_or(&[][..], |tied| tied);
                effort.spend(tied.len(), 0)?;
                // Unequal variables can become equal only when one of the two changes.
                let changes = |var: VarId| rule.changes().any(|(it, _)| it == var);
                let tied = tied.iter().filter(|(a, b)| changes(*a) || changes(*b));
                most = most.max(drops.largest(rule, effort)? + tied.count() as u64);
            }
            Ok(most)
        },
        "values",
    )?;
    let most = |(goal, drops): (usize, &Drops<'_>)| -> u64 {
        drops.most() + tied.get(goal).map_or(0, |tied| tied.len() as u64)
    };
    let most = drops.iter().enumerate().map(most).min().unwrap_or(0);
    drop(drops);
    let mut found = GoalSums::new(game, sums, ratio);
    if !tied.is_empty() {
        found = found.with_ties(tied);
    }
    Ok((most as f64 * ratio.as_f64(), found))
}

/// Return the sums and ties of the goal conditions as written.
fn literals(game: &Game) -> Result<(Vec<ValueSums>, Vec<Ties>), Refusal> {
    if game.goals().is_empty() {
        return Err(Refusal::NoGoal);
    }
    let unsatisfied = |goal: &Goal| {
        ValueSums::new(game, |var, value| {
            match goal.conditions()[var.index()].as_constant() {
                Some(constant) => u32::from(value != constant),
                None => 0,
            }
        })
    };
    let tied = game.goals().iter().map(|goal| ties(goal.conditions()));
    Ok((
        game.goals().iter().map(unsatisfied).collect(),
        tied.collect(),
    ))
}

/// Count the conditions of the goal that don't hold, each weighted with the least c / k over the
/// rules, where a rule that costs c can make k of them true. Rounded up; admissible and consistent.
///
/// Conditions are: a variable has a value, or two variables have the same one. Of several goals,
/// the one with the lowest count is used.
///
/// # Errors
/// If the game has no goal, or a rule that makes conditions true costs nothing.
pub fn goal_count(game: &Game) -> Result<GoalSums, Refusal> {
    goal_count_within(game, &Effort::within(&Watch::default()))
}

/// The same within limits.
pub(crate) fn goal_count_within(game: &Game, effort: &Effort<'_>) -> Result<GoalSums, Refusal> {
    spend_sums(game, effort)?;
    let (sums, tied) = literals(game)?;
    Ok(worth(game, sums, tied, effort)?.1.folded(game))
}

/// Count the conditions of the goal that don't hold. Not admissible in general: a rule may make
/// several conditions true at once, and cost less than their number.
///
/// # Errors
/// If the game has no goal.
pub fn plain_goal_count(game: &Game) -> Result<GoalSums, Refusal> {
    let (sums, tied) = literals(game)?;
    let found = GoalSums::new(game, sums, Ratio::ONE);
    Ok(found.with_ties(tied).folded(game))
}

/// Count the misplaced tiles, without the blank: WeakEvaluator of Heineman, Pollice & Selkow 2008,
/// chapter 7, after Nilsson 1971.
///
/// Admissible, since a move puts at most one tile right.
///
/// # Errors
/// If the game isn't one of sliding tiles with one goal that determines every variable, or its
/// moves cost nothing.
pub fn weak(game: &Game) -> Result<GoalSums, Refusal> {
    let slides = Slides::of(game)?;
    if slides.cost == 0 {
        return Err(Refusal::kind("the moves cost nothing"));
    }
    let Some(goal) = game.goal_state() else {
        return Err(Refusal::kind("the game hasn't one goal state"));
    };
    let sums = ValueSums::new(game, |var, value| {
        u32::from(value != slides.blank && value != goal.values()[var.index()])
    });
    Ok(GoalSums::new(game, vec![sums], Ratio::ONE))
}

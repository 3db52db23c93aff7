//! Checks whether a heuristic is admissible and consistent, by trying it on states.

mod exhaustive;
mod sampled;

use std::fmt;

use psvn_ir::{Game, RuleId, Value};

use crate::heuristic::path::{FollowedPath, bytes};
use crate::heuristic::{DEAD_END, Heuristic, Sibling};

pub use exhaustive::exhaustive;
pub use sampled::{Sample, sampled};

/// Why a check wasn't made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// There is no goal state to measure distances to.
    #[error("the game has no goal state that satisfies the invariants")]
    NoGoal,
    /// There are more states than allowed.
    #[error("there are more than {limit} states")]
    TooManyStates {
        /// The most states.
        limit: usize,
    },
    /// There are too many backward rules.
    #[error("there are more than {limit} backward rules")]
    TooManyRules {
        /// The most rules.
        limit: usize,
    },
}

/// A state whose estimate exceeds the cost of reaching a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooHigh {
    /// The state.
    pub state: String,
    /// Its estimate; [`DEAD_END`] if the heuristic claims that no goal can be reached.
    pub estimate: u64,
    /// The least cost to a goal, or the cost of some path to one.
    pub cost: u64,
}

/// A step on which the estimate falls by more than the step costs, or on which the incremental
/// estimate of the child differs from the direct one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadStep {
    /// The state before the step.
    pub from: String,
    /// The rule.
    pub rule: RuleId,
    /// Its name.
    pub rule_name: String,
    /// The state after the step.
    pub to: String,
    /// The estimate of the first state, or that of [`Heuristic::children`] for the second.
    pub before: u64,
    /// The estimate of the second state.
    pub after: u64,
    /// The cost of the rule.
    pub cost: u64,
}

/// The result of a check. Only the first violation of each kind is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// The states that were estimated.
    pub n_states: u64,
    /// The goal states among them.
    pub n_goals: u64,
    /// The steps that were checked.
    pub n_steps: u64,
    /// The sum of all estimates except those of dead ends.
    pub sum: u128,
    /// An estimate that is too high: the heuristic isn't admissible.
    pub too_high: Option<TooHigh>,
    /// A step that costs less than the estimate falls: the heuristic isn't consistent.
    pub drop: Option<BadStep>,
    /// The number of these steps.
    pub n_drops: u64,
    /// A step on which [`Heuristic::estimate`] differs from [`Heuristic::children`] or
    /// [`Heuristic::reject`].
    pub mismatch: Option<BadStep>,
}

impl Findings {
    /// Return whether no estimate was too high, and those of goal states were 0.
    pub fn is_admissible(&self) -> bool {
        self.too_high.is_none()
    }

    /// Return whether no step lowered the estimate by more than its cost.
    pub fn is_consistent(&self) -> bool {
        self.drop.is_none()
    }

    /// Return whether all incremental estimates equaled the direct ones.
    pub fn is_incremental(&self) -> bool {
        self.mismatch.is_none()
    }

    /// Check the estimate of a state from which a goal can be reached at this cost.
    fn state(&mut self, game: &Game, state: &[Value], estimate: u64, cost: u64) {
        if estimate > cost && self.too_high.is_none() {
            self.too_high = Some(TooHigh {
                state: game.format_state(state),
                estimate,
                cost,
            });
        }
    }

    /// Count a state.
    fn count(&mut self, game: &Game, state: &[Value], estimate: u64) {
        self.n_states += 1;
        self.n_goals += u64::from(game.is_goal(state));
        if estimate != DEAD_END {
            self.sum += u128::from(estimate);
        }
    }

    /// Check the step by `rule` from `parent`, whose estimate is `before`, to `child`. `path` leads
    /// to the parent. Return the path to the child.
    fn step<'h>(
        &mut self,
        game: &Game,
        heuristic: &'h dyn Heuristic,
        (parent, path, before): (&[Value], Option<&FollowedPath<'h>>, u64),
        rule: RuleId,
        child: &[Value],
    ) -> Option<FollowedPath<'h>> {
        self.n_steps += 1;
        let after = heuristic.estimate(&cells(child));
        let followed = path
            .filter(|_| bytes(child).is_some())
            .map(|path| path.child(rule, child, u64::MAX));
        let by_parent = followed.as_ref().map_or(after, FollowedPath::estimate);
        let cost = game.rule(rule).canonical.cost();
        let bad = |before| BadStep {
            from: game.format_state(parent),
            rule,
            rule_name: rule_name(game, rule),
            to: game.format_state(child),
            before,
            after,
            cost,
        };
        if by_parent != after && self.mismatch.is_none() {
            self.mismatch = Some(bad(by_parent));
        }
        // DEAD_END is the largest number, which no sum reaches.
        if before > after.saturating_add(cost) {
            self.n_drops += 1;
            self.drop.get_or_insert_with(|| bad(before));
        }
        followed
    }

    /// Check the children of a state, estimated together and rejected by its memo, against each
    /// alone. Values above those of a byte are left out: searches don't estimate them together.
    fn children(
        &mut self,
        game: &Game,
        heuristic: &dyn Heuristic,
        (parent, path, before): (&[Value], Option<&FollowedPath<'_>>, u64),
    ) {
        let Some(path) = path else { return };
        let applicable = game
            .rules_with_ids()
            .filter(|(_, rule)| rule.canonical.applies_to(parent));
        let (rules, children): (Vec<RuleId>, Vec<Box<[Value]>>) = applicable
            .map(|(id, rule)| (id, rule.canonical.apply(parent)))
            .unzip();
        if children.iter().any(|child| bytes(child).is_none()) {
            return;
        }
        for cutoff in [before.saturating_sub(1), before, u64::MAX] {
            let siblings = rules.iter().map(|rule| Sibling {
                rule: *rule,
                cutoff,
            });
            let siblings: Vec<Sibling> = siblings.collect();
            let rejected = path.reject(&siblings);
            let together = path.children(&siblings, &children);
            for (number, (rule, child)) in rules.iter().zip(&children).enumerate() {
                let after = heuristic.estimate(&cells(child));
                // Above the cut-off, a lower bound is enough.
                let agrees = |estimate: u64| {
                    if after <= cutoff {
                        estimate == after
                    } else {
                        estimate > cutoff && estimate <= after
                    }
                };
                let estimate = together[number].estimate;
                let wrongly = rejected[number].filter(|bound| after <= cutoff || !agrees(*bound));
                if (!agrees(estimate) || wrongly.is_some()) && self.mismatch.is_none() {
                    self.mismatch = Some(BadStep {
                        from: game.format_state(parent),
                        rule: *rule,
                        rule_name: rule_name(game, *rule),
                        to: game.format_state(child),
                        before: wrongly.unwrap_or(estimate),
                        after,
                        cost: game.rule(*rule).canonical.cost(),
                    });
                }
            }
        }
    }
}

/// Return a state as heuristics take it.
fn cells(state: &[Value]) -> Vec<u32> {
    state.iter().map(|value| value.0).collect()
}

/// Return a rule's label, and its number among the rules of that label if there are several.
pub fn rule_name(game: &Game, rule: RuleId) -> String {
    let label = &game.rule(rule).label;
    let same = |it: &&psvn_ir::Rule| it.label.eq_ignore_ascii_case(label);
    if game.rules().iter().filter(same).count() == 1 {
        return label.to_string();
    }
    let number = game.rules()[..=rule.index()].iter().filter(same).count();
    format!("{label}#{number}")
}

/// An estimate as text.
struct Estimate(u64);

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            DEAD_END => f.write_str("a dead end"),
            estimate => write!(f, "{estimate}"),
        }
    }
}

impl fmt::Display for TooHigh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is estimated at {}, and a goal is reached from it for {}",
            self.state,
            Estimate(self.estimate),
            self.cost
        )
    }
}

impl fmt::Display for BadStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "rule `{}` (cost {}) leads from `{}` to `{}`: {} and {}",
            self.rule_name,
            self.cost,
            self.from,
            self.to,
            Estimate(self.before),
            Estimate(self.after)
        )
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} states, {} steps", self.n_states, self.n_steps)?;
        if let Some(it) = &self.too_high {
            write!(f, "; not admissible: {it}")?;
        }
        if let Some(it) = &self.drop {
            write!(f, "; not consistent: {it}")?;
        }
        if let Some(it) = &self.mismatch {
            write!(f, "; the incremental estimate differs: {it}")?;
        }
        Ok(())
    }
}

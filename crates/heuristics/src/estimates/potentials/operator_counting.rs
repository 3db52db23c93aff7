//! Operator counting: how often rules are used at least, by a linear program for each state.

use budget::Watch;
use invariants::Invariants;
use psvn_ir::{CanonicalRule, Game};
use search::{DEAD_END, Heuristic};

use super::exact::Fractions;
use super::facts::Facts;
use super::program::{self, Task};
use crate::effort::Effort;
use crate::estimates::delete_relaxation::landmark_cut::LandmarkCut;
use crate::refusal::Refusal;
use crate::structure::goal_facts::GoalFacts;
use crate::structure::instances;

/// The maximum number of facts that the instances of rules need and write: a program is solved for
/// each state.
const MAX_TERMS: usize = 1 << 16;

/// Operator counting by the state equation and by landmark cuts (Pommerening, Röger, Helmert &
/// Bonet 2014, "LP-based Heuristics for Cost-optimal Planning").
///
/// Count how often each rule is used on the way from a state to a goal. Whatever the way is, each
/// fact must be brought as often as it is taken away, up to what the state and the goal say (the
/// state equation), and of each [landmark cut](LandmarkCut) some rule is used. The least cost of
/// counts that satisfy this, fractions allowed, is an estimate that is never too high.
///
/// What is solved is the dual program: potentials of facts as in
/// [`Potentials`](super::Potentials), and for each cut a share of the costs of its rules. It is
/// solved with floating-point numbers, and its solution is rounded to fractions for which the
/// conditions are checked exactly. So the estimate is admissible whatever the solver did. Since
/// rounding differs from state to state, it isn't consistent. Where no rounding satisfies the
/// conditions, the estimate is that of the cuts, which it never falls below.
///
/// Rules with unknowns are replaced by their instances, unless these are many: then an instance
/// counts as its rule.
#[derive(Clone, Debug)]
pub struct OperatorCounting {
    game: Game,
    /// The rules that are counted.
    rules: Vec<CanonicalRule>,
    /// By rule in a cut: its number among the rules that are counted.
    counted: Vec<u32>,
    goals: Vec<GoalFacts>,
    facts: Facts,
    cuts: LandmarkCut,
}

impl OperatorCounting {
    /// Make the heuristic for a game and states that satisfy the invariants.
    ///
    /// # Errors
    /// If the game has no goal, or too many rules and values.
    pub fn new(game: &Game, known: &Invariants) -> Result<Self, Refusal> {
        Self::within(game, known, &Effort::within(&Watch::default()))
    }

    /// The same within limits on time and memory.
    pub(crate) fn within(
        game: &Game,
        known: &Invariants,
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        let cuts = LandmarkCut::within(game, known, effort)?;
        let has_instances = instances::are_few(game, MAX_TERMS);
        let (mut rules, mut counted) = (Vec::new(), Vec::new());
        for rule in game.rules() {
            let rule = &rule.canonical;
            let before = rules.len() as u32;
            if !has_instances {
                rules.push(rule.clone());
            }
            instances::of_rule_or_itself(game, rule, cuts.has_instances(), &mut |instance| {
                if has_instances {
                    counted.push(rules.len() as u32);
                    rules.push(instance.clone());
                } else {
                    counted.push(before);
                }
                effort.spend(instance.preconditions().len(), 0)
            })?;
        }
        Ok(Self {
            goals: GoalFacts::of_goals_within(game, known, effort)?,
            facts: Facts::of(game),
            game: game.clone(),
            rules,
            counted,
            cuts,
        })
    }

    fn by_counts(&self, state: &[u32], landmarks: &[Vec<u32>]) -> Result<u64, Refusal> {
        let watch = Watch::default();
        let effort = Effort::within(&watch);
        let rules: Vec<&CanonicalRule> = self.rules.iter().collect();
        let task = Task {
            game: &self.game,
            rules: &rules,
            goals: &self.goals,
            facts: &self.facts,
            landmarks,
        };
        let weights = self.facts.weights_in(&[state.to_vec()]);
        let solution = program::solve(task, &weights, &effort)?;
        let fractions = Fractions::of(task, &solution, &weights, &effort)?;
        Ok(fractions.estimate(fractions.numerators.of(state)))
    }
}

impl Heuristic for OperatorCounting {
    fn estimate(&self, state: &[u32]) -> u64 {
        let (by_cuts, mut landmarks) = self.cuts.with_cuts(state);
        if by_cuts == DEAD_END {
            return DEAD_END;
        }
        for landmark in &mut landmarks {
            let counted = landmark.iter_mut();
            counted.for_each(|rule| *rule = self.counted[*rule as usize]);
            landmark.sort_unstable();
            landmark.dedup();
        }
        let by_counts = self.by_counts(state, &landmarks).unwrap_or(0);
        by_cuts.max(by_counts.min(DEAD_END - 1))
    }
}

//! Potentials as fractions that satisfy the conditions exactly.

use psvn_ir::Game;
use search::ValueSums;

use super::super::sums::Drops;
use super::facts::Facts;
use crate::effort::Effort;
use crate::refusal::Refusal;
use crate::structure::goal_facts::GoalFacts;

/// The denominators that are tried. Solutions of linear programs with whole numbers are fractions,
/// most often with small denominators.
const DENOMINATORS: [u32; 12] = [1, 2, 3, 4, 6, 8, 12, 24, 60, 120, 720, 5040];

/// What numbers are multiplied by, where rounding alone breaks a condition.
const SHRINKING: [f64; 4] = [1.0, 0.999, 0.99, 0.9];

/// A sum of fractions that no rule lowers by more than it costs.
#[derive(Clone, Debug)]
pub(super) struct Fractions {
    /// The numerators, less the least one of their variable.
    pub(super) numerators: ValueSums,
    pub(super) denominator: u64,
    /// The greatest sum of these for a goal state. It stands for the estimate 0.
    pub(super) of_goals: u64,
}

impl Fractions {
    /// Round potentials such that the estimates with these weights are as large as possible.
    ///
    /// # Errors
    /// If no rounding satisfies the conditions.
    pub(super) fn of(
        game: &Game,
        goals: &[GoalFacts],
        facts: &Facts,
        potentials: &[f64],
        weights: &[f64],
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        let mut best: Option<(f64, Self)> = None;
        for shrinking in SHRINKING {
            for denominator in DENOMINATORS {
                let factor = shrinking * f64::from(denominator);
                let rounded = Self::rounded(
                    game,
                    goals,
                    facts,
                    |fact| (potentials[fact] * factor).round() as i64,
                    denominator,
                );
                let Some(rounded) = rounded else { continue };
                let mean = rounded.mean(weights);
                // Of equal ones the first, whose denominator is the least.
                let is_better = best.as_ref().is_none_or(|(most, _)| mean > most + 1e-6);
                if is_better && rounded.is_allowed(game, effort)? {
                    best = Some((mean, rounded));
                }
            }
            if best.is_some() {
                break;
            }
        }
        let (_, best) =
            best.ok_or_else(|| Refusal::kind("no fractions near its potentials are admissible"))?;
        Ok(best)
    }

    /// `None` where the numbers are too large: sums of a state have 32 bits.
    fn rounded(
        game: &Game,
        goals: &[GoalFacts],
        facts: &Facts,
        numerator: impl Fn(usize) -> i64,
        denominator: u32,
    ) -> Option<Self> {
        let least = |var| facts.of_variable(var).map(&numerator).min().unwrap_or(0);
        let least: Vec<i64> = (0..facts.n_variables()).map(least).collect();
        let above = |var: usize, fact| numerator(fact).abs_diff(least[var]);
        let of_variable = |var| facts.of_variable(var).map(|fact| above(var, fact)).max();
        let most: u64 = (0..facts.n_variables()).filter_map(of_variable).sum();
        u32::try_from(most).ok()?;
        let of_goal = |goal: &GoalFacts| -> u64 {
            let of_variable = |var| facts.of_goal(goal, var).map(|fact| above(var, fact)).max();
            (0..facts.n_variables()).filter_map(of_variable).sum()
        };
        Some(Self {
            numerators: ValueSums::new(game, |var, value| {
                above(var.index(), facts.fact(var, value)) as u32
            }),
            denominator: denominator.into(),
            of_goals: goals.iter().map(of_goal).max().unwrap_or(0),
        })
    }

    /// Return the mean estimate of states in which facts hold so often, could estimates be below 0.
    fn mean(&self, weights: &[f64]) -> f64 {
        let numbers = self.numerators.numbers().iter();
        let sum: f64 = numbers
            .zip(weights)
            .map(|(number, it)| f64::from(*number) * it)
            .sum();
        (sum - self.of_goals as f64) / self.denominator as f64
    }

    /// Return whether no rule lowers the sum by more than it costs.
    fn is_allowed(&self, game: &Game, effort: &Effort<'_>) -> Result<bool, Refusal> {
        let drops = Drops::new(game, &self.numerators);
        for rule in game.rules() {
            let most = rule.canonical.cost().saturating_mul(self.denominator);
            if drops.largest(&rule.canonical, effort)? > most {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

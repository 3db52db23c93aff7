//! Potentials as fractions that satisfy the conditions exactly.

use search::ValueSums;

use super::super::sums::Drops;
use super::program::{Solution, Task};
use crate::effort::Effort;
use crate::refusal::Refusal;
use crate::structure::goal_facts::GoalFacts;

/// The denominators that are tried. Solutions of linear programs with whole numbers are fractions,
/// most often with small denominators.
const DENOMINATORS: [u32; 12] = [1, 2, 3, 4, 6, 8, 12, 24, 60, 120, 720, 5040];

/// What numbers are multiplied by, where rounding alone breaks a condition.
const SHRINKING: [f64; 4] = [1.0, 0.999, 0.99, 0.9];

/// A sum of fractions that no rule lowers by more than what the shares of landmarks leave of its
/// cost.
#[derive(Clone, Debug)]
pub(super) struct Fractions {
    /// The numerators, less the least one of their variable.
    pub(super) numerators: ValueSums,
    pub(super) denominator: u64,
    /// The greatest sum of these for a goal state. It stands for the estimate 0.
    pub(super) of_goals: u64,
    /// The sum of the numerators of the landmarks' shares.
    of_landmarks: u64,
}

impl Fractions {
    /// Round a solution such that the estimates with these weights are as large as possible.
    ///
    /// # Errors
    /// If no rounding satisfies the conditions.
    pub(super) fn of(
        task: Task<'_>,
        solution: &Solution,
        weights: &[f64],
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        let mut best: Option<(f64, Self)> = None;
        for shrinking in SHRINKING {
            for denominator in DENOMINATORS {
                let rounding = Self::rounded(task, solution, shrinking, denominator);
                let Some((rounded, shares)) = rounding else {
                    continue;
                };
                let mean = rounded.mean(weights);
                // Of equal ones the first, whose denominator is the least.
                let is_better = best.as_ref().is_none_or(|(most, _)| mean > most + 1e-6);
                if is_better && rounded.is_allowed(task, &shares, effort)? {
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

    /// Round a solution; beside the sum, return the numerators of the shares, by landmark. `None`
    /// where the numbers are too large: sums of a state have 32 bits.
    fn rounded(
        Task {
            game, goals, facts, ..
        }: Task<'_>,
        solution: &Solution,
        shrinking: f64,
        denominator: u32,
    ) -> Option<(Self, Vec<u64>)> {
        let rounded = |number: f64| (number * shrinking * f64::from(denominator)).round() as i64;
        let numerator = |fact: usize| rounded(solution.potentials[fact]);
        let least = |var| facts.of_variable(var).map(numerator).min().unwrap_or(0);
        let least: Vec<i64> = (0..facts.n_variables()).map(least).collect();
        let above = |var: usize, fact| numerator(fact).abs_diff(least[var]);
        let of_variable = |var| facts.of_variable(var).map(|fact| above(var, fact)).max();
        let most: u64 = (0..facts.n_variables()).filter_map(of_variable).sum();
        u32::try_from(most).ok()?;
        let of_goal = |goal: &GoalFacts| -> u64 {
            let of_variable = |var| facts.of_goal(goal, var).map(|fact| above(var, fact)).max();
            (0..facts.n_variables()).filter_map(of_variable).sum()
        };
        let shares = solution.shares.iter();
        let shares: Vec<u64> = shares
            .map(|it| rounded(*it).max(0).unsigned_abs())
            .collect();
        let sum = Self {
            numerators: ValueSums::new(game, |var, value| {
                above(var.index(), facts.fact(var, value)) as u32
            }),
            denominator: denominator.into(),
            of_goals: goals.iter().map(of_goal).max().unwrap_or(0),
            of_landmarks: shares.iter().sum(),
        };
        Some((sum, shares))
    }

    /// Return the estimate of a state with this sum of numerators: costs are whole numbers.
    #[inline]
    pub(super) fn estimate(&self, sum: u64) -> u64 {
        let sum = sum + self.of_landmarks;
        sum.saturating_sub(self.of_goals).div_ceil(self.denominator)
    }

    /// Return the mean estimate of states in which facts hold so often, could estimates be below 0.
    fn mean(&self, weights: &[f64]) -> f64 {
        let numbers = self.numerators.numbers().iter();
        let sum: f64 = numbers
            .zip(weights)
            .map(|(number, it)| f64::from(*number) * it)
            .sum();
        (sum + self.of_landmarks as f64 - self.of_goals as f64) / self.denominator as f64
    }

    /// Return whether no rule lowers the sum by more than what the shares leave of its cost.
    fn is_allowed(
        &self,
        task: Task<'_>,
        shares: &[u64],
        effort: &Effort<'_>,
    ) -> Result<bool, Refusal> {
        let mut needed = vec![0_i128; task.rules.len()];
        for (landmark, share) in task.landmarks.iter().zip(shares) {
            for rule in landmark {
                needed[*rule as usize] += i128::from(*share);
            }
        }
        let drops = Drops::new(task.game, &self.numerators);
        for (rule, needed) in task.rules.iter().zip(needed) {
            let given = i128::from(rule.cost()) * i128::from(self.denominator);
            if needed > given + i128::from(drops.least_change(rule, effort)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

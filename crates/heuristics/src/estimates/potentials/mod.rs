//! Estimates by potentials.

mod exact;
mod facts;
pub(crate) mod operator_counting;
mod program;

use budget::Watch;
use invariants::Invariants;
use psvn_ir::{CanonicalRule, Game, RuleId, State, VarId};
use search::{Cell, DEAD_END, IncrementalHeuristic};

use self::exact::Fractions;
use self::facts::Facts;
use self::program::Task;
use crate::effort::Effort;
use crate::refusal::Refusal;
use crate::structure::goal_facts::GoalFacts;
use crate::tables::representative_states;

/// The greater of two sums of potentials: numbers of facts whose sum no rule lowers by more than it
/// costs, and is at most 0 for goals (Pommerening, Helmert, Röger, Seipp 2015, "From Non-Negative
/// to General Operator Cost Partitioning"). Admissible and consistent.
///
/// Potentials solve a linear program: for one sum its mean over the starts that are given, or over
/// states at random distances from the goals, is as large as possible, for the other its mean over
/// all combinations of values. For a single state the program is the dual of operator counting by
/// the state equation; here it is solved once for all states, and by
/// [`OperatorCounting`](operator_counting::OperatorCounting) for each.
///
/// The program is solved with floating-point numbers. Its solution is rounded to fractions, for
/// which the conditions are checked exactly.
#[derive(Clone, Debug)]
pub struct Potentials {
    sums: [Fractions; 2],
    /// By rule: the variables that it changes.
    changed: Box<[Box<[VarId]>]>,
}

impl Potentials {
    /// Make the heuristic for a game, states that satisfy the invariants, and some starts.
    ///
    /// # Errors
    /// If the game has no goal, or too many rules and values.
    pub fn new(game: &Game, known: &Invariants, starts: &[State]) -> Result<Self, Refusal> {
        Self::within(game, known, starts, &Effort::within(&Watch::default()))
    }

    /// The same within limits on time and memory.
    pub(crate) fn within(
        game: &Game,
        known: &Invariants,
        starts: &[State],
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        let goals = GoalFacts::of_goals_within(game, known, effort)?;
        let facts = Facts::of(game);
        let rules: Vec<&CanonicalRule> = game.rules().iter().map(|it| &it.canonical).collect();
        let task = Task {
            game,
            rules: &rules,
            goals: &goals,
            facts: &facts,
            landmarks: &[],
        };
        let sum = |weights: &[f64]| {
            let solution = program::solve(task, weights, effort)?;
            Fractions::of(task, &solution, weights, effort)
        };
        let states = representative_states(game, known, starts);
        let changed = |rule: &psvn_ir::Rule| rule.canonical.changes().map(|(var, _)| var).collect();
        Ok(Self {
            sums: [
                sum(&facts.weights_in(&states))?,
                sum(&facts.weights_in_all())?,
            ],
            changed: game.rules().iter().map(changed).collect(),
        })
    }

    /// Return about the bytes of the tables.
    pub(crate) fn n_bytes(&self) -> usize {
        let sums = self.sums.iter();
        sums.map(|sum| sum.numerators.n_bytes()).sum()
    }

    /// Return the estimate of a state with these sums.
    #[inline]
    fn estimate(&self, [by_states, by_all]: [u64; 2]) -> u64 {
        let [of_states, of_all] = &self.sums;
        let greater = of_states.estimate(by_states).max(of_all.estimate(by_all));
        greater.min(DEAD_END - 1)
    }
}

/// Both sums of a state as one number.
#[inline]
fn memo(sums: [u64; 2]) -> u64 {
    sums[0] << 32 | sums[1]
}

impl IncrementalHeuristic for Potentials {
    /// Both sums, of 32 bits each.
    type Memo = u64;

    fn first(&self, state: &[u32]) -> (u64, u64) {
        let sums = [0, 1].map(|number: usize| self.sums[number].numerators.of(state));
        (self.estimate(sums), memo(sums))
    }

    fn next(&self, rule: RuleId, parent: &[u8], known: &u64, child: &[u8]) -> (u64, u64) {
        let mut sums = [known >> 32, known & u64::from(u32::MAX)];
        for (fractions, sum) in self.sums.iter().zip(&mut sums) {
            for var in &self.changed[rule.index()] {
                let number = |state: &[u8]| {
                    u64::from(
                        fractions
                            .numerators
                            .number(*var, state[var.index()].value()),
                    )
                };
                *sum = *sum + number(child) - number(parent);
            }
        }
        (self.estimate(sums), memo(sums))
    }
}

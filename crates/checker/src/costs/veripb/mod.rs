//! Lower bounds for VeriPB, a checker of pseudo-Boolean proofs that others wrote.
//!
//! A formula says that there is a plan that costs less than the bound, and a proof derives a
//! contradiction from it. (Pseudo-Boolean proofs for A*: Dold, Helmert, Nordström, Röger &
//! Schindler, ICAPS 2025.)
//!
//! Neither trusts the certificate. The formula is made from its game and start alone. The proof is
//! found by a search of its own: it follows the states that can be reached for less than the bound,
//! step by step. Of a heuristic only the potentials are used, as inequalities that are proved
//! first.
//!
//! | module | what |
//! |---|---|
//! | [`names`] | variables of formula and proof |
//! | [`script`] | the text of either, up to a size |
//! | [`formula`] | there is a plan that costs less than the bound |
//! | [`places`] | which constraint of it says what |
//! | [`layers`] | the states that can be reached in a number of steps, and what is left to pay |
//! | [`floors`] | potentials are lower bounds on what is left |
//! | [`derivation`] | a contradiction |

mod derivation;
mod floors;
mod formula;
mod layers;
mod names;
mod places;
mod script;

use self::derivation::derive_contradiction;
use self::formula::Formula;
use crate::costs::estimates::heuristic::Evidence;
use crate::costs::estimates::potential::Potential;
use crate::costs::flaw::{CostFailure, CostFlaw};
use crate::costs::setting::prepared::Prepared;
use crate::costs::{CostCertificate, CostClaim, Proof};
use crate::limits::{Limits, StopReason};

/// The most bytes of a formula, and of a proof. For each line VeriPB looks at the lines about two
/// layers of states, so its time grows faster than the size: version 3.0.2 takes about two minutes
/// for an 8-puzzle whose proof has nearly this size.
const MOST_BYTES: usize = 8 << 20;

/// "There is a plan that costs less than the bound" as a pseudo-Boolean formula: true or false, as
/// the game of a certificate has it.
pub struct PlanFormula<'c> {
    question: Question<'c>,
    formula: Formula,
}

/// Why a certificate has no pseudo-Boolean proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExportFailure {
    /// It claims no lower bound, or only the bound 0.
    #[error("the certificate claims no lower bound above 0")]
    NoBound,
    /// It claims only that there is no plan.
    #[error(
        "that there is no plan can't be said in a formula, which needs a bound on the number of moves"
    )]
    NoPlan,
    /// A rule costs nothing.
    #[error(
        "rule {} costs nothing, so plans that cost less than the bound may have any number of moves",
        rule + 1
    )]
    FreeRule {
        /// The rule, from 0.
        rule: usize,
    },
    /// The formula or the proof is too large.
    #[error("the formula or its proof takes more than {} MiB", most >> 20)]
    TooLarge {
        /// The most bytes.
        most: usize,
    },
    /// A plan costs less than the bound.
    #[error("a plan costs less than the bound {bound}")]
    BelowBound {
        /// The bound.
        bound: u64,
    },
    /// The game, the start or a potential of the certificate has a flaw.
    #[error(transparent)]
    Flaw(#[from] CostFlaw),
    /// A limit was reached.
    #[error("it was given up: {0}")]
    Stopped(#[from] StopReason),
}

impl From<CostFailure> for ExportFailure {
    fn from(failure: CostFailure) -> Self {
        match failure {
            CostFailure::Flaw(flaw) => flaw.into(),
            CostFailure::Stopped(reason) => reason.into(),
        }
    }
}

impl CostCertificate {
    /// Return the formula for the greatest lower bound that the certificate claims. Of the
    /// proofs in the certificate only potentials are looked at.
    ///
    /// Takes O(m r n d) steps for m moves, r rules, n variables and d values of each.
    ///
    /// # Errors
    /// When there is no such bound, the game, the start or a potential has a flaw, a rule costs
    /// nothing, or the formula is too large.
    pub fn plan_formula(&self) -> Result<PlanFormula<'_>, ExportFailure> {
        let (bound, evidence) = self.greatest_bound()?;
        let game = self.setting.prepare()?;
        for potential in &evidence.potentials {
            potential
                .check(&game)
                .map_err(|fault| fault.of_claim(potential.line))?;
        }
        let question = Question::new(game, bound - 1, &evidence.potentials)?;
        let formula = Formula::new(&question)?;
        Ok(PlanFormula { question, formula })
    }

    /// The greatest lower bound above 0 that is claimed, with the heuristic that comes with it.
    fn greatest_bound(&self) -> Result<(u64, &Evidence), ExportFailure> {
        let bounds = self.parts.iter().filter_map(|part| match &part.item {
            Proof::ClosedList {
                bound, evidence, ..
            }
            | Proof::Search {
                bound, evidence, ..
            } => Some((*bound, evidence)),
            Proof::Plan { .. }
            | Proof::Exhausted { .. }
            | Proof::Sums { .. }
            | Proof::Machine(_) => None,
        });
        match bounds.max_by_key(|(bound, _)| *bound) {
            Some((bound, evidence)) if bound > 0 => Ok((bound, evidence)),
            None if self.claims().contains(&CostClaim::NoPlan) => Err(ExportFailure::NoPlan),
            _ => Err(ExportFailure::NoBound),
        }
    }
}

impl PlanFormula<'_> {
    /// Return the formula in the format OPB.
    pub fn opb(&self) -> String {
        self.formula.text()
    }

    /// Return a proof that the formula can't be satisfied, in VeriPB's format of version 3.0. It is
    /// found by a search, which may take long for nothing if the bound isn't proved yet.
    ///
    /// Takes O(m r n) steps for r rules, n variables, and m pairs of a number of moves and a state
    /// that can be reached with it for less than the bound.
    ///
    /// # Errors
    /// When a plan costs less than the bound, the proof is too large, or a limit is reached.
    pub fn refute(&self, limits: &Limits) -> Result<String, ExportFailure> {
        derive_contradiction(&self.question, &self.formula, limits)
    }
}

/// Is there a plan that costs at most `budget`?
struct Question<'c> {
    game: Prepared<'c>,
    budget: u64,
    /// The least cost of a rule; 1 if there is none.
    least_cost: u64,
    /// No such plan has more moves.
    n_steps: u64,
    /// Each is a lower bound on what a plan costs.
    potentials: Vec<&'c Potential>,
}

impl<'c> Question<'c> {
    fn new(
        game: Prepared<'c>,
        budget: u64,
        potentials: &'c [Potential],
    ) -> Result<Self, ExportFailure> {
        if let Some(rule) = game.moves.iter().position(|it| it.cost == 0) {
            return Err(ExportFailure::FreeRule { rule });
        }
        let least_cost = game.moves.iter().map(|it| it.cost).min();
        let least_cost = least_cost.unwrap_or(1);
        let n_steps = if game.moves.is_empty() {
            0
        } else {
            budget / least_cost
        };
        let question = Self {
            game,
            budget,
            least_cost,
            n_steps,
            potentials: potentials.iter().filter(|it| it.has_weights()).collect(),
        };
        // Each variable takes more than 16 bytes.
        if question.n_variables() > MOST_BYTES as u64 / 16 {
            return Err(ExportFailure::TooLarge { most: MOST_BYTES });
        }
        Ok(question)
    }

    /// The number of variables of the formula.
    fn n_variables(&self) -> u64 {
        let n_facts: u64 = self.game.domains.iter().map(|size| u64::from(*size)).sum();
        let of_states = n_facts.saturating_mul(self.n_steps + 1);
        let of_moves = self.n_steps.saturating_mul(self.game.moves.len() as u64);
        of_states.saturating_add(of_moves) + self.game.goals.len() as u64
    }
}

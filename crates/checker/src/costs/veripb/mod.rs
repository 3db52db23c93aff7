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
//! | [`question`] | the game, and what a plan may cost |
//! | [`names`] | variables of formula and proof |
//! | [`script`] | the text of either, up to a size |
//! | [`formula`] | there is a plan that costs less than the bound |
//! | [`places`] | which constraint of it says what |
//! | [`layers`] | the states that can be reached in a number of steps, and what is left to pay |
//! | [`floors`] | potentials are lower bounds on what is left |
//! | [`derivation`] | a contradiction |

mod derivation;
mod failure;
mod floors;
mod formula;
mod layers;
mod names;
mod places;
mod question;
mod script;

use self::derivation::derive_contradiction;
pub use self::failure::ExportFailure;
use self::formula::Formula;
use self::question::Question;
use crate::costs::estimates::heuristic::Evidence;
use crate::costs::{Chapter, CostCertificate, CostClaim, Part, Proof};
use crate::limits::Limits;

/// "There is a plan that costs less than the bound" as a pseudo-Boolean formula: true or false, as
/// the game of a certificate has it.
pub struct PlanFormula<'c> {
    question: Question<'c>,
    formula: Formula,
}

impl CostCertificate {
    /// Return the formula for the greatest lower bound that the certificate claims. Of its proofs,
    /// only potentials are used.
    ///
    /// Takes O(m r n d) steps for m moves, r rules, n variables and d values of each.
    ///
    /// # Errors
    /// When there is no such bound, the game, the start or a potential has a flaw, a rule costs
    /// nothing, or the formula is too large.
    pub fn plan_formula(&self) -> Result<PlanFormula<'_>, ExportFailure> {
        let (bound, start, evidence) = self.greatest_bound()?;
        let game = self.setting.prepare(&self.starts[start])?;
        for potential in &evidence.potentials {
            potential
                .check(&game)
                .map_err(|fault| fault.of_claim(potential.line))?;
        }
        let question = Question::new(game, bound - 1, &evidence.potentials)?;
        let formula = Formula::new(&question)?;
        Ok(PlanFormula { question, formula })
    }

    /// The greatest lower bound above 0 that is claimed, with the number of its start and the
    /// heuristic that comes with it.
    fn greatest_bound(&self) -> Result<(u64, usize, &Evidence), ExportFailure> {
        let bound_of = |part: &Part| match &part.proof {
            Proof::ClosedList { bound, .. } | Proof::Search { bound, .. } => Some(*bound),
            Proof::Plan { .. }
            | Proof::Everywhere { .. }
            | Proof::Exhausted { .. }
            | Proof::Sums { .. }
            | Proof::Machine(_) => None,
        };
        let bounds = self
            .chapters
            .iter()
            .flat_map(|Chapter { evidence, parts }| {
                let parts = parts.iter();
                parts.filter_map(move |part| Some((bound_of(part)?, part.start, evidence)))
            });
        match bounds.max_by_key(|(bound, ..)| *bound) {
            Some(found) if found.0 > 0 => Ok(found),
            None if self
                .parts()
                .any(|part| part.proof.claim() == CostClaim::NoPlan) =>
            {
                Err(ExportFailure::NoPlan)
            }
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

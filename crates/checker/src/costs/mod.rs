//! Certificates of costs and of machines.
//!
//! A certificate holds its game, so it is checked by itself. It has one or several claims about the
//! game and a start, each with its proof: plans, lower bounds on the costs of all plans, that there
//! is no plan, and machines. The text format is that of the verified checker in `proofs/`; both
//! give the same verdict on every file.
//!
//! | module | proof |
//! |---|---|
//! | [`prepared`] | a plan is carried out |
//! | [`bounds::closed_list`] | a lower bound by a list of states |
//! | [`bounds::everywhere`] | an upper bound for all reachable states, by a list |
//! | [`bounds::search`] | a lower bound by a depth-first search along words that a machine allows |
//! | [`exhausted`] | no plan, by a list of all states that can be reached |
//! | [`sums`] | no plan, by a sum that no rule changes |
//! | [`machine`], [`letters`], [`redundancy`], [`within`] | what a machine forbids is redundant |
//! | [`heuristic`], [`potential`] | estimates that no rule lowers by more than its cost |
//!
//! [`veripb`] proves lower bounds anew, for a checker that others wrote.

mod bounds;
mod entries;
mod estimates;
mod exhausted;
mod flaw;
mod pruning;
mod reader;
mod setting;
mod shared;
mod sums;
mod veripb;

use self::bounds::closed_list::check_closed_list;
use self::bounds::everywhere::check_everywhere;
use self::bounds::search::check_search;
use self::entries::Entries;
use self::estimates::abstraction::Maps;
use self::estimates::heuristic::{Evidence, ProvedHeuristic};
use self::estimates::table::Packing;
use self::exhausted::check_exhausted;
use self::flaw::Fault;
pub use self::flaw::{CostFailure, CostFlaw, CostProblem};
use self::pruning::letters::Letters;
use self::pruning::machine::{Freedom, Machine};
pub use self::reader::UnreadableCertificate;
pub use self::setting::moves::VectorFlaw;
use self::setting::prepared::{Prepared, Setting, Start};
use self::sums::{Weights, check_sums};
pub use self::veripb::{ExportFailure, PlanFormula};
use crate::costs::shared::Line;
use crate::limits::Limits;

/// A certificate about the costs of plans and about machines, as a file gives it. Nothing is proved
/// yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostCertificate {
    setting: Setting,
    /// At least one.
    starts: Vec<Start>,
    /// At least one.
    chapters: Vec<Chapter>,
    /// The machines of searches, each with the line of the first claim that uses it. Each is proved
    /// once.
    machines: Vec<Line<Machine>>,
}

/// Claims whose bounds use the same heuristic, which is proved once.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Chapter {
    evidence: Evidence,
    parts: Vec<Part>,
}

/// A claim with its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    /// The line of the claim.
    line: usize,
    /// The number of the start that it is about.
    start: usize,
    proof: Proof,
}

/// What a claim is, and why it is true.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Proof {
    /// A plan, as numbers of rules from 0.
    Plan { cost: u64, moves: Vec<usize> },
    /// A closed list.
    ClosedList { bound: u64, closed: Entries },
    /// All states that can be reached, with the most that a plan from each costs.
    Everywhere { bound: u64, listed: Entries },
    /// A depth-first search, with the number of its machine.
    Search { bound: u64, machine: usize },
    /// All states that can be reached, or their images in an abstract game.
    Exhausted { maps: Maps, listed: Entries },
    /// A sum that no rule changes, modulo a number, or at all if that is 0.
    Sums { modulus: u64, weights: Weights },
    /// The machine is claimed itself.
    Machine(Machine),
}

/// What a certificate claims about its game and start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CostClaim {
    /// A plan of this cost exists.
    PlanCosts(u64),
    /// Every plan costs at least this much.
    CostsAtLeast(u64),
    /// From each state that can be reached from the start, some plan costs at most this much.
    EverywhereAtMost(u64),
    /// There is no plan.
    NoPlan,
    /// In all states with the invariants, each listed word is redundant, and for each plan there is
    /// one that costs no more and that the machine allows. The machine forbids the words with a
    /// listed part, and no others.
    Machine,
}

impl Proof {
    fn claim(&self) -> CostClaim {
        match self {
            Self::Plan { cost, .. } => CostClaim::PlanCosts(*cost),
            Self::ClosedList { bound, .. } | Self::Search { bound, .. } => {
                CostClaim::CostsAtLeast(*bound)
            }
            Self::Everywhere { bound, .. } => CostClaim::EverywhereAtMost(*bound),
            Self::Exhausted { .. } | Self::Sums { .. } => CostClaim::NoPlan,
            Self::Machine(_) => CostClaim::Machine,
        }
    }

    fn check(
        &self,
        game: &Prepared<'_>,
        machines: &[(&Machine, Letters)],
        heuristic: &ProvedHeuristic<'_>,
        packing: Packing,
        limits: &Limits,
    ) -> Result<(), Fault> {
        match self {
            Self::Plan { cost, moves } => Ok(game.check_plan(moves, *cost)?),
            Self::ClosedList { bound, closed } => {
                check_closed_list(game, heuristic, closed, *bound, packing, limits)
            }
            Self::Everywhere { bound, listed } => {
                check_everywhere(game, listed, *bound, packing, limits)
            }
            Self::Search { bound, machine } => {
                let (machine, letters) = &machines[*machine];
                machine.check_start(game)?;
                let game = game.with_moves(&letters.moves);
                check_search(&game, heuristic, machine, *bound, limits)
            }
            Self::Exhausted { maps, listed } => {
                check_exhausted(game, maps, listed, packing, limits)
            }
            Self::Sums { modulus, weights } => check_sums(game, *modulus, weights, limits),
            Self::Machine(machine) => machine.check(game, Freedom::None, limits).map(drop),
        }
    }
}

impl CostCertificate {
    fn parts(&self) -> impl Iterator<Item = &Part> {
        self.chapters.iter().flat_map(|chapter| &chapter.parts)
    }

    /// Return the start states, in the order of the file; at least one.
    pub fn starts(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.iter().map(|start| &*start.item)
    }

    /// Return what the certificate claims of a start, by its number, in the order of the file; at
    /// least one claim.
    pub fn claims(&self, start: usize) -> Vec<CostClaim> {
        let parts = self.parts().filter(|part| part.start == start);
        parts.map(|part| part.proof.claim()).collect()
    }

    /// Return the least cost of a plan from a start, by its number, if the certificate claims both
    /// a plan of that cost and that no plan costs less. If it is accepted, that is proved.
    pub fn least_cost(&self, start: usize) -> Option<u64> {
        let claims = self.claims(start);
        let is_met = |cost: &u64| claims.contains(&CostClaim::CostsAtLeast(*cost));
        let costs = claims.iter().filter_map(|claim| match claim {
            CostClaim::PlanCosts(cost) => Some(*cost),
            _ => None,
        });
        costs.into_iter().find(is_met)
    }

    /// Return the number of states of its lists, and of the entries of its tables.
    pub fn n_entries(&self) -> (usize, usize) {
        let listed = self.parts().map(|part| match &part.proof {
            Proof::Exhausted { listed, .. } | Proof::Everywhere { listed, .. } => listed.len(),
            Proof::ClosedList { closed, .. } => closed.len(),
            Proof::Plan { .. } | Proof::Sums { .. } | Proof::Machine(_) | Proof::Search { .. } => 0,
        });
        let in_tables = self.chapters.iter().map(|it| it.evidence.n_entries());
        (listed.sum(), in_tables.sum())
    }

    /// Check that the certificate proves all its claims.
    ///
    /// Takes O(m r n) expected steps for m entries of lists and tables in order, r rules that their
    /// states may allow and n variables, on all threads of the current pool. A proof by search
    /// takes as long as the search.
    ///
    /// # Errors
    /// The first flaw, or the limit that was reached.
    pub fn check(&self, limits: &Limits) -> Result<(), CostFailure> {
        let game = self.setting.prepare(&self.starts[0])?;
        let packing = Packing::of(game.domains);
        let mut machines = Vec::new();
        for Line { line, item } in &self.machines {
            let letters = item.check(&game, Freedom::MayAllowMore, limits);
            machines.push((item, letters.map_err(|fault| fault.of_claim(*line))?));
        }
        for Chapter { evidence, parts } in &self.chapters {
            let claimed = parts.first().map_or(0, |part| part.line);
            let heuristic = ProvedHeuristic::prove(&game, evidence, packing, limits)
                .map_err(|fault| fault.of_claim(claimed))?;
            for Part { line, start, proof } in parts {
                let game = game.with_start(&self.starts[*start])?;
                let checked = proof.check(&game, &machines, &heuristic, packing, limits);
                checked.map_err(|fault| fault.of_claim(*line))?;
            }
        }
        Ok(())
    }
}

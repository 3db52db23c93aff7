//! The comparison of the ideal tree with that of a machine.

use budget::{Limits, StopReason};
use fsm::Machine;
use psvn_ir::{Game, RuleId, State};

use crate::Order;
use crate::differences::Difference;
use crate::moves::Letters;
use crate::surroundings::Surroundings;
use crate::tree::Tree;

/// The trees to compare.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The length of the longest sequences that are compared, L.
    pub max_length: usize,
    /// The depth down to which nodes are counted.
    pub depth: usize,
    /// The order of sequences.
    pub order: Order,
    /// The order in which rules are compared; that of the game unless given.
    pub rule_order: Option<&'a [RuleId]>,
    /// The maximum number of differences that are listed.
    pub most_differences: usize,
    /// Whether to compute the growth in the long run.
    pub growth: bool,
}

/// The trees were not counted to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Stopped {
    /// The reason.
    pub reason: StopReason,
}

impl From<StopReason> for Stopped {
    fn from(reason: StopReason) -> Self {
        Self { reason }
    }
}

/// The ideal tree from a start and that of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The tree of the sequences that the machine allows.
    pub machine: Tree,
    /// The ideal tree: all sequences whose parts are least where they begin.
    pub ideal: Tree,
    /// The first sequences that the machine keeps although they aren't least at some state.
    pub differences: Vec<Difference>,
    /// The number of states that were compared: those within `depth` moves of the start.
    pub n_states: usize,
    /// Whether no other states can be reached.
    pub is_all: bool,
}

impl Comparison {
    /// Count both trees from a start by brute force.
    ///
    /// Holds all states in memory that are within depth plus length moves. [`Limits::nodes`] is the
    /// greatest number of states. To compare several machines, make [`Surroundings`] once.
    ///
    /// # Errors
    /// When a limit stops it, or numbers of nodes don't fit in 128 bits.
    ///
    /// # Panics
    /// When the start or the machine belongs to another game.
    pub fn make<M: Machine>(
        game: &Game,
        start: &State,
        machine: &M,
        question: &Question<'_>,
        limits: &Limits,
    ) -> Result<Self, Stopped> {
        let steps = &mut { u64::MAX };
        let around = Surroundings::of(game, start, question, limits, steps)?;
        around.compare(&Letters::rules(game), machine, question, limits, steps)
    }

    /// Return the machine's nodes at a depth divided by those of the ideal tree; `None` if the
    /// ideal tree has none there.
    pub fn ratio(&self, depth: usize) -> Option<f64> {
        let [machine, ideal] = [&self.machine, &self.ideal].map(|tree| tree.nodes.get(depth));
        let (machine, ideal) = (*machine?, *ideal?);
        (ideal > 0).then(|| machine as f64 / ideal as f64)
    }
}

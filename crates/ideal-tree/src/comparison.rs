//! The ideal tree beside that of a machine.

use budget::{Limits, StopReason};
use fsm::Machine;
use psvn_ir::{Game, RuleId, State};

use crate::Order;
use crate::differences::{self, Difference};
use crate::space::Space;
use crate::tree::{Folded, Tree};
use crate::windows::Windows;
use crate::work::Work;

/// Which trees are compared.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The length of the longest sequences that are compared, L.
    pub max_length: usize,
    /// The depth down to which nodes are counted.
    pub depth: usize,
    /// The order of sequences.
    pub order: Order,
    /// The rules in the order in which they are compared; that of the game unless given.
    pub rule_order: Option<&'a [RuleId]>,
    /// The most differences that are listed.
    pub most_differences: usize,
    /// Whether the growth in the long run is looked for.
    pub growth: bool,
}

/// The trees are not counted to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Stopped {
    /// Why.
    pub reason: StopReason,
}

impl From<StopReason> for Stopped {
    fn from(reason: StopReason) -> Self {
        Self { reason }
    }
}

/// The ideal tree from a start beside that of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The tree of the sequences that the machine allows.
    pub machine: Tree,
    /// The tree of the sequences all of whose parts are least where they begin.
    pub ideal: Tree,
    /// The first sequences that the machine keeps although they aren't least at some state.
    pub differences: Vec<Difference>,
    /// The number of states that were compared: those at most as many moves away as the depth.
    pub n_states: usize,
    /// Whether no other states can be reached.
    pub is_all: bool,
}

impl Comparison {
    /// Count both trees from a start by brute force.
    ///
    /// All states within as many moves as the depth and the length together are held in memory.
    /// [`Limits::nodes`] is the greatest number of states.
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
        Self::make_in_steps(game, start, machine, question, limits, &mut { u64::MAX })
    }

    /// The same, in a number of steps: rules that are tried at a state, or that sequences go on
    /// with. The steps that it takes are taken off, also where it comes to no end. If they don't
    /// suffice, that is a limit on [nodes](StopReason::Nodes).
    ///
    /// # Errors
    /// As [`make`](Self::make).
    ///
    /// # Panics
    /// As [`make`](Self::make).
    pub fn make_in_steps<M: Machine>(
        game: &Game,
        start: &State,
        machine: &M,
        question: &Question<'_>,
        limits: &Limits,
        steps: &mut u64,
    ) -> Result<Self, Stopped> {
        let work = Work::new(limits.clone(), *steps);
        let made = Self::with(game, start, machine, question, &work);
        *steps = work.steps_left();
        made
    }

    fn with<M: Machine>(
        game: &Game,
        start: &State,
        machine: &M,
        question: &Question<'_>,
        work: &Work,
    ) -> Result<Self, Stopped> {
        let &Question {
            max_length, depth, ..
        } = question;
        let horizon = depth.saturating_add(max_length);
        let space = Space::around(game, start, question.rule_order, horizon, work)?;
        let n_states = space.n_within(depth);
        let is_all = space.is_all_within(depth);
        let windows = Windows::of(&space, n_states, question.order, max_length, work)?;

        let root = windows.root(0).expect("the start is the first state");
        let next = |node: u32, found: &mut Vec<u32>| {
            if max_length == 0 {
                let edges = space.edges(windows.end(node)).iter();
                found.extend(edges.filter_map(|edge| windows.root(edge.target)));
            } else {
                found.extend(windows.next(node).filter_map(|(_, node)| node));
            }
        };
        let ideal =
            Folded::explore(root, depth, is_all, next, work)?.size(depth, question.growth, work)?;

        let next = |(state, memory), found: &mut Vec<(u32, M::State)>| {
            for edge in space.edges(state) {
                if let Some(memory) = machine.next(memory, edge.rule) {
                    found.push((edge.target, memory));
                }
            }
        };
        let root = (0, machine.start());
        let of_machine =
            Folded::explore(root, depth, is_all, next, work)?.size(depth, question.growth, work)?;

        Ok(Self {
            differences: differences::find(
                game,
                &space,
                &windows,
                question.order,
                machine,
                question.most_differences,
                work,
            )?,
            machine: of_machine,
            ideal,
            n_states,
            is_all,
        })
    }

    /// How many times as many nodes the machine leaves at a depth; `None` where the ideal tree has
    /// none there.
    pub fn ratio(&self, depth: usize) -> Option<f64> {
        let [machine, ideal] = [&self.machine, &self.ideal].map(|tree| tree.nodes.get(depth));
        let (machine, ideal) = (*machine?, *ideal?);
        (ideal > 0).then(|| machine as f64 / ideal as f64)
    }
}

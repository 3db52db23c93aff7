//! The explored space: states, or ranks of a table.

use std::sync::Arc;

use pattern_databases::{TablePlan, Walker};
use psvn_ir::random::mixed;
use search::{Direction, PackedMoves, PackedStates};

use crate::work::schedule::Schedule;

/// The explored space: states as words, and their neighbors.
pub(crate) enum Space {
    /// The states of a game.
    States {
        states: Box<PackedStates>,
        direction: Direction,
    },
    /// The ranks of a table, one word each, whose distances are collected at the end.
    Ranks(Arc<TablePlan>),
}

/// Makes the neighbors of states, with its own scratch memory: one for each thread.
pub(crate) enum Moves<'s> {
    States(PackedMoves<'s>),
    Ranks(Walker<'s>),
}

impl Space {
    pub(crate) fn n_words(&self) -> usize {
        match self {
            Self::States { states, .. } => states.n_words(),
            Self::Ranks(_) => 1,
        }
    }

    /// Return the number of bytes of a state that may differ from zero.
    pub(crate) fn n_bytes(&self) -> usize {
        match self {
            Self::States { states, .. } => states.n_bytes(),
            Self::Ranks(_) => size_of::<u64>(),
        }
    }

    /// Return a hash of a state, the same on every machine.
    #[inline]
    pub(crate) fn hash(&self, state: &[u64]) -> u64 {
        match self {
            Self::States { states, .. } => states.hash(state),
            Self::Ranks(_) => mixed(state[0]),
        }
    }

    /// Return the order in which it is explored.
    pub(crate) fn schedule(&self) -> Schedule {
        match self {
            Self::States { .. } => Schedule::new(vec![1], u64::MAX),
            Self::Ranks(plan) => Schedule::new(plan.costs(), plan.most()),
        }
    }

    /// Return the moves of some costs. For states, each counts one.
    pub(crate) fn moves(&self, costs: &[u64]) -> Moves<'_> {
        match self {
            Self::States { states, direction } => Moves::States(states.moves(*direction)),
            Self::Ranks(plan) => Moves::Ranks(plan.walker(costs)),
        }
    }
}

impl Moves<'_> {
    /// Call `visit` with each neighbor of a state.
    #[inline]
    pub(crate) fn each(&mut self, state: &[u64], mut visit: impl FnMut(&[u64])) {
        match self {
            Self::States(moves) => moves.each(state, |_, child| visit(child)),
            Self::Ranks(walker) => walker(state[0], &mut |rank| visit(&[rank])),
        }
    }
}

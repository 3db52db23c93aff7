//! The explored space: states, or ranks of a table.

use std::sync::Arc;

use explore::{Coder, Codes};
use pattern_databases::{TablePlan, Walker};
use psvn_ir::random::mixed;
use search::{Direction, PackedMoves, PackedStates};
use sorted_states::Form;

use crate::work::schedule::Schedule;

/// The number of neighbors that are coded together.
const UNCODED: usize = 512;

/// The explored space: states as words, and their neighbors.
pub(crate) enum Space {
    /// The states of a game, each by its code.
    States {
        states: Box<PackedStates>,
        codes: Box<Codes>,
        direction: Direction,
    },
    /// The ranks of a table, one word each, whose distances are collected at the end.
    Ranks(Arc<TablePlan>),
}

/// Makes the neighbors of states, with its own scratch memory: one for each thread.
pub(crate) enum Moves<'s> {
    States {
        moves: Box<PackedMoves<'s>>,
        decoder: Box<Coder<'s>>,
        coder: Box<Coder<'s>>,
        /// Neighbors of one word that wait for their codes.
        uncoded: Vec<u64>,
    },
    Ranks(Walker<'s>),
}

impl Space {
    /// Return the number of bytes in which a state is sent.
    pub(crate) fn sent_bytes(&self) -> usize {
        match self {
            Self::States { codes, .. } => codes.n_bytes(),
            Self::Ranks(_) => 8,
        }
    }

    /// Return the form in which a state is kept.
    pub(crate) fn form(&self) -> Form {
        match self {
            Self::States { codes, .. } => codes.form(),
            Self::Ranks(_) => Form::whole(1),
        }
    }

    /// Describe the ranking in a few words, if states are ranked.
    pub(crate) fn ranking(&self) -> Option<String> {
        match self {
            Self::States { codes, .. } => codes.ranking(),
            Self::Ranks(_) => None,
        }
    }

    /// Return a hash of a state, the same on every machine.
    #[inline]
    pub(crate) fn hash(&self, state: &[u64]) -> u64 {
        match self {
            Self::States { states, codes, .. } => codes.hash(states, state),
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
            Self::States {
                states,
                codes,
                direction,
            } => Moves::States {
                moves: Box::new(states.moves(*direction)),
                decoder: Box::new(codes.coder(states)),
                coder: Box::new(codes.coder(states)),
                uncoded: Vec::with_capacity(2 * UNCODED),
            },
            Self::Ranks(plan) => Moves::Ranks(plan.walker(costs)),
        }
    }
}

impl Moves<'_> {
    /// Call `visit` with each neighbor of some states.
    #[inline]
    pub(crate) fn each<'w>(
        &mut self,
        states: impl Iterator<Item = &'w [u64]>,
        mut visit: impl FnMut(&[u64]),
    ) {
        match self {
            Self::States {
                moves,
                decoder,
                coder,
                uncoded,
            } => {
                for state in states {
                    moves.each(decoder.state(state), |_, child| match child {
                        [word] => uncoded.push(*word),
                        wide => visit(coder.code(wide)),
                    });
                    if uncoded.len() >= UNCODED {
                        coder.code_all(uncoded);
                        uncoded.drain(..).for_each(|code| visit(&[code]));
                    }
                }
                coder.code_all(uncoded);
                uncoded.drain(..).for_each(|code| visit(&[code]));
            }
            Self::Ranks(walker) => {
                states.for_each(|state| walker(state[0], &mut |rank| visit(&[rank])));
            }
        }
    }
}

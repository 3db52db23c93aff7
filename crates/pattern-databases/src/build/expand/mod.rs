//! Predecessors by rank: from a rank to the ranks from which a rule leads there.
//!
//! The first of six expanders that fits is [chosen](choice): [`symmetric_pieces`] for ranks of
//! pieces up to symmetries; [`tables`] where a rule acts on the factors of the ranking one by one,
//! so that its effect on each is looked up (Hanoi's disks, a cube's pieces and their orientations);
//! [`oriented_pieces`] for ranks of some pieces among others (edges of a cube); [`singles`] where
//! the ranks are the few places of values that occur once each, and rules move them (tiles,
//! pancakes, TopSpin); [`moves`] where there are more places, or values that look alike; and
//! [`states`], which makes the states, for everything else.

pub(crate) mod choice;
mod effects;
pub(crate) mod moves;
pub(crate) mod oriented_pieces;
pub(crate) mod singles;
pub(crate) mod states;
pub(crate) mod symmetric_pieces;
pub(crate) mod tables;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::ranking::bit_counts::{Work, with_bit_counts};

/// The number of predecessors after which no further rank is expanded at once. They fit a near
/// cache.
const ENOUGH: usize = 1024;

/// A function that calls its argument with the rank of every goal state.
pub(crate) type Goals<'g> = &'g dyn Fn(&mut dyn FnMut(u64));

/// Makes the predecessors of ranked states.
pub(crate) trait Expander: Send + Sync {
    /// The scratch memory of one thread.
    type Scratch: Send;

    fn scratch(&self) -> Self::Scratch;

    /// Add the predecessors of a rank to a list.
    ///
    /// Implementations are `#[inline(always)]`, so that they use the instructions for counting
    /// bits: see [`Work`].
    fn expand(&self, rank: u64, scratch: &mut Self::Scratch, found: &mut Vec<Predecessor>);
}

/// An expander of any kind, for all threads.
pub(crate) type SharedExpander<'r> = Arc<dyn AnyExpander<'r> + 'r>;

/// An [`Expander`] whose scratch memory goes with it.
pub(crate) trait AnyExpander<'r>: Send + Sync {
    /// Return the expander with scratch memory for one thread.
    fn with_scratch(self: Arc<Self>) -> Box<dyn Predecessors + 'r>;
}

impl<'r, X: Expander<Scratch: 'r> + 'r> AnyExpander<'r> for X {
    fn with_scratch(self: Arc<Self>) -> Box<dyn Predecessors + 'r> {
        Box::new(WithScratch {
            scratch: self.scratch(),
            expander: self,
        })
    }
}

/// A state from which one step leads to an expanded one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Predecessor {
    pub(crate) rank: u64,
    /// The cost of the step.
    pub(crate) cost: u64,
}

/// Makes the predecessors of ranked states, many at a time, on one thread.
pub(crate) trait Predecessors: Send {
    /// Take ranks from the end of a list until [`ENOUGH`] predecessors are found, which become the
    /// only ones in `found`.
    fn take(&mut self, ranks: &mut Vec<u64>, found: &mut Vec<Predecessor>);
}

struct WithScratch<X: Expander> {
    expander: Arc<X>,
    scratch: X::Scratch,
}

impl<X: Expander> Predecessors for WithScratch<X> {
    fn take(&mut self, ranks: &mut Vec<u64>, found: &mut Vec<Predecessor>) {
        with_bit_counts(Take {
            expander: &*self.expander,
            scratch: &mut self.scratch,
            ranks,
            found,
        });
    }
}

/// The work of [`Predecessors::take`].
struct Take<'t, X: Expander> {
    expander: &'t X,
    scratch: &'t mut X::Scratch,
    ranks: &'t mut Vec<u64>,
    found: &'t mut Vec<Predecessor>,
}

impl<X: Expander> Work for Take<'_, X> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.found.clear();
        while self.found.len() < ENOUGH
            && let Some(rank) = self.ranks.pop()
        {
            self.expander.expand(rank, self.scratch, self.found);
        }
    }
}

/// The ranks that wait on one thread, and what expands them.
pub(crate) struct Expansion<'r> {
    predecessors: Box<dyn Predecessors + 'r>,
    /// The ranks to be expanded; the last ones come first.
    pub(crate) waiting: Vec<u64>,
    /// The predecessors found last.
    found: Vec<Predecessor>,
}

impl<'r> Expansion<'r> {
    pub(crate) fn new(expander: &SharedExpander<'r>) -> Self {
        Self {
            predecessors: Arc::clone(expander).with_scratch(),
            waiting: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Expand some of the waiting ranks. Return their predecessors, and the list of waiting ranks.
    pub(crate) fn expand_some(&mut self) -> (&[Predecessor], &mut Vec<u64>) {
        self.predecessors.take(&mut self.waiting, &mut self.found);
        (&self.found, &mut self.waiting)
    }
}

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
pub(crate) mod moves;
pub(crate) mod oriented_pieces;
pub(crate) mod singles;
pub(crate) mod states;
pub(crate) mod symmetric_pieces;
pub(crate) mod tables;
pub(crate) mod testing;

/// The maximum number of values that are moved by a [single expander](singles).
pub(crate) const MOST_SINGLES: usize = 16;

/// A function that calls its argument with the rank of every goal state.
pub(crate) type Goals<'g> = &'g dyn Fn(&mut dyn FnMut(u64));

/// Makes the predecessors of ranked states.
pub(crate) trait Expander: Sync {
    /// The scratch memory of one thread.
    type Scratch: Send;

    fn scratch(&self) -> Self::Scratch;

    /// Call `each` with the rank of each predecessor and the cost of the step from there.
    fn expand(&self, rank: u64, scratch: &mut Self::Scratch, each: impl FnMut(u64, u64));

    /// The same, compiled once: for work that is rare.
    fn expand_once(&self, rank: u64, scratch: &mut Self::Scratch, each: &mut dyn FnMut(u64, u64)) {
        self.expand(rank, scratch, each);
    }
}

/// Makes the predecessors of ranked states on one thread.
pub(crate) trait Predecessors {
    /// Call `each` with the rank of each predecessor and the cost of the step from there.
    fn each(&mut self, rank: u64, each: impl FnMut(u64, u64))
    where
        Self: Sized;

    /// The same, compiled once: for work that is rare.
    fn each_once(&mut self, rank: u64, each: &mut dyn FnMut(u64, u64));
}

/// An expander with the scratch memory of one thread.
pub(crate) struct Expansion<'x, X: Expander> {
    expander: &'x X,
    scratch: X::Scratch,
}

impl<'x, X: Expander> Expansion<'x, X> {
    pub(crate) fn of(expander: &'x X) -> Self {
        Self {
            expander,
            scratch: expander.scratch(),
        }
    }
}

impl<X: Expander> Predecessors for Expansion<'_, X> {
    #[inline(always)]
    fn each(&mut self, rank: u64, each: impl FnMut(u64, u64)) {
        self.expander.expand(rank, &mut self.scratch, each);
    }

    fn each_once(&mut self, rank: u64, each: &mut dyn FnMut(u64, u64)) {
        self.expander.expand_once(rank, &mut self.scratch, each);
    }
}

/// The predecessors by any expander. Work with it is compiled once for all expanders.
pub(crate) type AnyPredecessors<'x> = Box<dyn Predecessors + Send + 'x>;

impl Predecessors for AnyPredecessors<'_> {
    #[inline(always)]
    fn each(&mut self, rank: u64, mut each: impl FnMut(u64, u64)) {
        (**self).each_once(rank, &mut each);
    }

    fn each_once(&mut self, rank: u64, each: &mut dyn FnMut(u64, u64)) {
        (**self).each_once(rank, each);
    }
}

impl Predecessors for &mut dyn Predecessors {
    #[inline(always)]
    fn each(&mut self, rank: u64, mut each: impl FnMut(u64, u64)) {
        (**self).each_once(rank, &mut each);
    }

    fn each_once(&mut self, rank: u64, each: &mut dyn FnMut(u64, u64)) {
        (**self).each_once(rank, each);
    }
}

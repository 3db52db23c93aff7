//! Open nodes by f and g, for costs of few different values.

use crate::best_first::budget::Budget;
use crate::best_first::open::chunks::{Chunks, Stack};
use crate::best_first::open::rank::Rank;
use crate::run::limits::StopReason;

/// The maximum number of values of f, and the maximum g.
const MOST_LEVELS: usize = 1 << 10;
const MOST_G: u64 = 1 << 10;

/// The nodes of one f, in a stack for each g.
#[derive(Debug)]
struct Level {
    f: u128,
    /// The stack of each g, up to the greatest one that a node had.
    stacks: Vec<Stack>,
    /// Stacks at or above this g have no nodes.
    top: usize,
}

/// Levels in the order of f. Almost all nodes are put in near the first level, so a step takes the
/// time of a few look-ups in small arrays.
#[derive(Debug)]
pub(crate) struct Levels {
    levels: Vec<Level>,
    /// Levels before this one have no nodes.
    first: usize,
    chunks: Chunks,
}

impl Levels {
    pub(crate) fn new() -> Self {
        Self {
            levels: Vec::new(),
            first: 0,
            chunks: Chunks::new(),
        }
    }

    /// Put a node in. Return `false`, and put nothing in, if there are too many costs.
    #[inline]
    pub(crate) fn push(
        &mut self,
        rank: Rank,
        id: u32,
        budget: &mut Budget,
    ) -> Result<bool, StopReason> {
        // Usually f is the least value, or little more.
        let mut number = self.first;
        while self.levels.get(number).is_some_and(|it| it.f < rank.f) {
            number += 1;
        }
        let is_known = self.levels.get(number).is_some_and(|it| {
            it.f == rank.f && usize::try_from(rank.g).is_ok_and(|g| g < it.stacks.len())
        });
        if !is_known {
            let Some(made) = self.make(rank, budget)? else {
                return Ok(false);
            };
            number = made;
        }
        self.first = self.first.min(number);
        let level = &mut self.levels[number];
        let g = rank.g as usize;
        level.top = level.top.max(g + 1);
        self.chunks.push(&mut level.stacks[g], id, budget)?;
        Ok(true)
    }

    /// Make the stack for a rank and return the number of its level; `None` if there are too many
    /// levels.
    #[cold]
    fn make(&mut self, rank: Rank, budget: &mut Budget) -> Result<Option<usize>, StopReason> {
        let number = self.levels.partition_point(|level| level.f < rank.f);
        let is_new = self.levels.get(number).is_none_or(|it| it.f != rank.f);
        if rank.g >= MOST_G || is_new && self.levels.len() == MOST_LEVELS {
            return Ok(None);
        }
        if is_new {
            if self.levels.len() == self.levels.capacity() {
                let n_levels = (2 * self.levels.len()).max(8);
                budget.grow(&mut self.levels, n_levels)?;
            }
            let level = Level {
                f: rank.f,
                stacks: Vec::new(),
                top: 0,
            };
            self.levels.insert(number, level);
        }
        let stacks = &mut self.levels[number].stacks;
        let needed = rank.g as usize + 1;
        if needed > stacks.capacity() {
            let n_stacks = needed.max(2 * stacks.capacity());
            budget.grow(stacks, n_stacks)?;
        }
        if needed > stacks.len() {
            stacks.resize(needed, Stack::EMPTY);
        }
        Ok(Some(number))
    }

    /// Find the first level with nodes, and pass over the stacks that became empty.
    #[inline]
    fn seek(&mut self) -> Option<&mut Level> {
        while let Some(level) = self.levels.get_mut(self.first) {
            while level.top > 0 && level.stacks[level.top - 1].is_empty() {
                level.top -= 1;
            }
            if level.top > 0 {
                // Borrow it anew: the borrow above ends with this pass of the loop.
                return self.levels.get_mut(self.first);
            }
            self.first += 1;
        }
        None
    }

    pub(crate) fn peek(&mut self) -> Option<(Rank, u32)> {
        let level = self.seek()?;
        let (f, g) = (level.f, level.top - 1);
        let stack = level.stacks[g];
        Some((Rank { f, g: g as u64 }, self.chunks.peek(stack)))
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(Rank, u32)> {
        self.seek()?;
        let level = &mut self.levels[self.first];
        let g = level.top - 1;
        let id = self.chunks.pop(&mut level.stacks[g]);
        let (f, g) = (level.f, g as u64);
        Some((Rank { f, g }, id))
    }

    /// Return a node that comes out soon, of the same rank as the next one.
    #[inline]
    pub(crate) fn ahead(&self, places: u32) -> Option<u32> {
        let level = self.levels.get(self.first)?;
        let stack = level.stacks.get(level.top.checked_sub(1)?)?;
        (!stack.is_empty()).then(|| self.chunks.below(*stack, places))?
    }

    /// Return the number of stacks with nodes.
    pub(crate) fn n_stacks(&self) -> usize {
        let stacks = self.levels.iter().flat_map(|level| &level.stacks);
        stacks.filter(|stack| !stack.is_empty()).count()
    }

    /// Return the stacks with nodes, and the chunks that hold them.
    pub(super) fn into_parts(self, budget: &mut Budget) -> (Vec<(Rank, Stack)>, Chunks) {
        let chunk_bytes = self.chunks.bytes();
        budget.release(self.bytes() - chunk_bytes);
        let stacks = self.levels.into_iter().flat_map(|level| {
            let stacks = level.stacks.into_iter().enumerate();
            let stacks = stacks.filter(|(_, stack)| !stack.is_empty());
            stacks.map(move |(g, stack)| {
                let (f, g) = (level.f, g as u64);
                (Rank { f, g }, stack)
            })
        });
        (stacks.collect(), self.chunks)
    }

    /// Return the size of the levels in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let stacks = self.levels.iter().map(|level| level.stacks.capacity());
        self.chunks.bytes()
            + self.levels.capacity() * size_of::<Level>()
            + stacks.sum::<usize>() * size_of::<Stack>()
    }
}

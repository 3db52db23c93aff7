//! Stacks of nodes, in chunks that they share.

use crate::best_first::budget::Budget;
use crate::best_first::closed::column::Column;
use crate::run::limits::StopReason;

/// The number of nodes in a chunk. Together with the link they fill a cache line.
const CHUNK: usize = 15;

/// The link of a chunk without a successor.
const NONE: u32 = u32::MAX;

/// A part of a stack.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    ids: [u32; CHUNK],
    /// The chunk below, or the next free one.
    link: u32,
}

/// A stack of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stack {
    /// The topmost chunk; `NONE` in an empty stack.
    top: u32,
    /// The number of nodes in it, at least one.
    fill: u32,
}

impl Stack {
    pub(super) const EMPTY: Self = Self { top: NONE, fill: 0 };

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.top == NONE
    }
}

/// The chunks of all stacks.
#[derive(Debug)]
pub(super) struct Chunks {
    chunks: Column<Chunk>,
    free: u32,
    n_nodes: usize,
}

impl Chunks {
    pub(super) fn new() -> Self {
        Self {
            chunks: Column::new(1),
            free: NONE,
            n_nodes: 0,
        }
    }

    /// Return the number of nodes on all stacks.
    pub(super) fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    /// Put a node on a stack.
    #[inline]
    pub(super) fn push(
        &mut self,
        stack: &mut Stack,
        id: u32,
        budget: &mut Budget,
    ) -> Result<(), StopReason> {
        if stack.is_empty() || stack.fill as usize == CHUNK {
            *stack = Stack {
                top: self.new_chunk(stack.top, budget)?,
                fill: 0,
            };
        }
        self.chunks.get_mut(stack.top as usize)[0].ids[stack.fill as usize] = id;
        stack.fill += 1;
        self.n_nodes += 1;
        Ok(())
    }

    fn new_chunk(&mut self, link: u32, budget: &mut Budget) -> Result<u32, StopReason> {
        let fresh = Chunk {
            ids: [0; CHUNK],
            link,
        };
        if self.free == NONE {
            // There are never more chunks than nodes, and 32 bits can count these.
            self.chunks.push(&[fresh], budget)?;
            return Ok(self.chunks.len() as u32 - 1);
        }
        let number = self.free;
        let chunk = &mut self.chunks.get_mut(number as usize)[0];
        self.free = chunk.link;
        *chunk = fresh;
        Ok(number)
    }

    /// Return the topmost node of a stack that isn't empty.
    #[inline]
    pub(super) fn peek(&self, stack: Stack) -> u32 {
        self.chunks.get(stack.top as usize)[0].ids[stack.fill as usize - 1]
    }

    /// Take the topmost node off a stack that isn't empty.
    #[inline]
    pub(super) fn pop(&mut self, stack: &mut Stack) -> u32 {
        let chunk = &mut self.chunks.get_mut(stack.top as usize)[0];
        stack.fill -= 1;
        self.n_nodes -= 1;
        let id = chunk.ids[stack.fill as usize];
        if stack.fill == 0 {
            let emptied = stack.top;
            stack.top = std::mem::replace(&mut chunk.link, self.free);
            stack.fill = CHUNK as u32;
            self.free = emptied;
        }
        id
    }

    /// Return the node a few places below the top, if it is in the same chunk.
    #[inline]
    pub(super) fn below(&self, stack: Stack, places: u32) -> Option<u32> {
        let place = stack.fill.checked_sub(1 + places)?;
        let chunk = &self.chunks.get(stack.top as usize)[0];
        Some(chunk.ids[place as usize])
    }

    pub(super) fn bytes(&self) -> usize {
        self.chunks.bytes()
    }
}

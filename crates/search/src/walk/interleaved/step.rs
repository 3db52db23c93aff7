//! The inner loop of an interleaved walk.

use crate::kernel::{HasKernels, Kernel};
use crate::plan::Plan;
use crate::walk::interleaved::node_word::{self, N_LEVELS};
use crate::walk::interleaved::stream::{Pending, Stream};
use crate::walk::interleaved::tables::{InterleavedTables, MAX_CHILDREN, Slot};
use crate::walk::steps::is_goal;

/// Counts: generated nodes in the lower half, and children that the machine forbids in the upper
/// half.
pub(super) type Sums = u64;

/// How a run of steps ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunEnd {
    /// The requested number of steps was made, or a stream ended.
    Paused,
    /// The next node of the stream is a goal.
    Goal,
    /// The next node of the other stream is a goal.
    OtherGoal,
}

/// The steps of an interleaved walk, with all data that is constant in the loop.
pub(super) struct Steps<'a, R, K> {
    /// The first byte of the tables.
    tables: *const u8,
    width: usize,
    plan: &'a Plan<R>,
    kernel: K,
}

/// The position of a stream, in registers.
struct Cursor<'a, R> {
    next: *mut Pending<R>,
    end: *mut Pending<R>,
    way: &'a mut [u32; N_LEVELS],
    sums: Sums,
}

impl<'a, R: HasKernels, K: Kernel<R>> Steps<'a, R, K> {
    /// # Panics
    /// If there is no goal.
    pub(super) fn new(tables: &'a InterleavedTables<R>, plan: &'a Plan<R>, kernel: K) -> Self {
        assert!(!plan.goals.is_empty());
        Self {
            tables: tables.as_ptr(),
            width: tables.width(),
            plan,
            kernel,
        }
    }

    /// Check that `n` nodes can be expanded without checks for room.
    fn check_room<const WIDTH: usize>(&self, stream: &Stream<R>, n: usize) {
        let width = self.width;
        assert!(width == WIDTH || width <= MAX_CHILDREN && WIDTH == MAX_CHILDREN);
        assert!(stream.width == width && n <= stream.room());
    }

    /// Expand up to `n` nodes of a stream. Return the number of steps, too.
    ///
    /// # Safety
    /// The words of all pending nodes have places of plan states of these tables.
    #[inline(always)]
    pub(super) unsafe fn run<const WIDTH: usize>(
        &self,
        stream: &mut Stream<R>,
        n: usize,
        least: &mut u64,
    ) -> (usize, Sums, RunEnd) {
        self.check_room::<WIDTH>(stream, n);
        let first = stream.nodes.as_mut_ptr();
        // SAFETY: both are places in the list.
        let (next, end) = unsafe { (first.add(stream.top), first.add(stream.bottom)) };
        let mut cursor = Cursor {
            next,
            end,
            way: &mut stream.way,
            sums: 0,
        };
        let (mut made, mut result) = (0, RunEnd::Paused);
        let mut its_least = *least;
        while made < n && cursor.next != cursor.end {
            // SAFETY: there is a node, and room for the children of all `n`.
            if unsafe { self.step::<WIDTH>(&mut cursor, &mut its_least) } {
                result = RunEnd::Goal;
                break;
            }
            made += 1;
        }
        *least = its_least;
        let sums = cursor.sums;
        // SAFETY: the cursor is still inside the list.
        stream.top = unsafe { cursor.next.offset_from_unsigned(first) };
        (made, sums, result)
    }

    /// Expand up to `n` nodes of each of two streams in turns. Each step has to wait for the one
    /// before it in the same stream, so two streams are much faster than one. Return the number of
    /// steps of either; where the goal is the other stream's, the first has made one more.
    ///
    /// # Safety
    /// As for [`run`](Self::run), in both streams.
    #[inline(always)]
    pub(super) unsafe fn run_both<const WIDTH: usize>(
        &self,
        stream: &mut Stream<R>,
        other: &mut Stream<R>,
        n: usize,
        least: &mut u64,
    ) -> (usize, [Sums; 2], RunEnd) {
        self.check_room::<WIDTH>(stream, n);
        self.check_room::<WIDTH>(other, n);
        let (first, other_first) = (stream.nodes.as_mut_ptr(), other.nodes.as_mut_ptr());
        // SAFETY: all are places in the lists.
        let mut cursors = unsafe {
            [
                Cursor {
                    next: first.add(stream.top),
                    end: first.add(stream.bottom),
                    way: &mut stream.way,
                    sums: 0,
                },
                Cursor {
                    next: other_first.add(other.top),
                    end: other_first.add(other.bottom),
                    way: &mut other.way,
                    sums: 0,
                },
            ]
        };
        let [one, two] = &mut cursors;
        let (mut made, mut result) = (0, RunEnd::Paused);
        let mut its_least = *least;
        while made < n && one.next != one.end && two.next != two.end {
            // SAFETY: there is a node in each, and room for the children of all `n`.
            if unsafe { self.step::<WIDTH>(one, &mut its_least) } {
                result = RunEnd::Goal;
                break;
            }
            // SAFETY: as above.
            if unsafe { self.step::<WIDTH>(two, &mut its_least) } {
                result = RunEnd::OtherGoal;
                break;
            }
            made += 1;
        }
        *least = its_least;
        let sums = [one.sums, two.sums];
        // SAFETY: the cursors are still inside of the lists.
        unsafe {
            stream.top = one.next.offset_from_unsigned(first);
            other.top = two.next.offset_from_unsigned(other_first);
        }
        (made, sums, result)
    }

    /// Replace a node by its children within the bound, the first one on top. If the node is a
    /// goal, return `true` and leave it in place. There is no branch on how many children there
    /// are, nor on which of them are within the bound: all are made, and the next child overwrites
    /// one that is beyond the bound.
    ///
    /// # Safety
    /// There is a node below `cursor.next`, its word has the place of a plan state, and behind it
    /// is room for as many nodes as the tables are wide.
    #[inline(always)]
    unsafe fn step<const WIDTH: usize>(&self, cursor: &mut Cursor<'_, R>, least: &mut u64) -> bool {
        let width = if WIDTH == MAX_CHILDREN {
            self.width
        } else {
            WIDTH
        };
        let tables = self.tables;
        // SAFETY: the caller guarantees that there is a node.
        let node = unsafe { cursor.next.sub(1) };
        // SAFETY: as above.
        let (packed, word) = unsafe { ((*node).packed, (*node).word) };
        cursor.way[node_word::depth(word)] = word as u32;
        // SAFETY: the word has the place of a plan state; its slots are at a multiple of 64 bytes.
        let plan_state: *const Slot = unsafe { tables.add(node_word::place(word)).cast() };
        // SAFETY: a plan state has `width` slots behind the first one.
        let (numbers, slots) = unsafe { (*plan_state, plan_state.add(1)) };
        if numbers.next != 0 && is_goal(self.plan, self.kernel, &packed) {
            return true;
        }
        cursor.sums += u64::from(numbers.table) | u64::from(numbers.byte) << 32;
        let deeper = node_word::deeper(word);
        let mut words = [0; WIDTH];
        for (i, word) in words.iter_mut().enumerate().take(width) {
            // SAFETY: `i` is below `width`.
            let slot: Slot = unsafe { *slots.add(i) };
            // SAFETY: the node still exists; its packed state comes first and has that byte.
            let value = unsafe { *node.cast::<u8>().add(slot.byte as usize) };
            // SAFETY: at `table` begins a number for each value of a byte.
            let number = unsafe {
                let first = tables.cast::<u64>().add(slot.table as usize);
                *first.add(usize::from(value))
            };
            *word = deeper.wrapping_add(number);
        }
        let mut place = node;
        for (i, word) in words.iter().enumerate().take(width).rev() {
            // SAFETY: `i` is below `width`.
            let slot: Slot = unsafe { *slots.add(i) };
            let word = word.wrapping_add(u64::from(slot.next));
            // SAFETY: there is a change at this place; the place is at most `width` after the
            // node's.
            unsafe {
                let change = &*tables.add(slot.change as usize).cast::<R>();
                (*place).packed = self.kernel.change(&packed, change, change);
                (*place).word = word;
                place = place.add(usize::from(node_word::is_within(word)));
            }
            *least = (*least).min(word);
        }
        cursor.next = place;
        false
    }
}

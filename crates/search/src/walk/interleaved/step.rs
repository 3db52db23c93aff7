//! The inner loop of an interleaved walk.

use crate::kernel::ahead::{Ahead, Lanes, N_LANES, Survey};
use crate::kernel::{HasKernels, Job, Kernel};
use crate::plan::Plan;
use crate::walk::interleaved::result::{InterleavedStart, StreamCounts};
use crate::walk::interleaved::rows::{Counted, MAX_ADDED, Pair, Row};
use crate::walk::interleaved::stream::{Expanded, N_LEVELS, Stream, choice};
use crate::walk::interleaved::tables::{InterleavedTables, estimate};
use crate::walk::steps::is_goal;

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

/// The steps of an interleaved walk, with all data that is constant in the loop. With `LOOKS`, the
/// kernel estimates heirs by the pattern of their row, else it is done by their pairs.
#[derive(Clone, Copy)]
pub(super) struct Steps<'a, R, K, const LOOKS: bool> {
    tables: &'a InterleavedTables<R>,
    /// The first row, and the first change.
    rows: *const u8,
    changes: *const u8,
    plan: &'a Plan<R>,
    kernel: K,
}

/// The position of a stream, in registers.
struct Cursor<'a, R> {
    next: *mut Expanded<R>,
    end: *mut Expanded<R>,
    way: &'a mut [u32; N_LEVELS],
    /// The sums of [`Row::own`].
    sums: u64,
}

impl<'a, R: HasKernels, K: Kernel<R>, const LOOKS: bool> Steps<'a, R, K, LOOKS> {
    /// # Panics
    /// If there is no goal, or if `LOOKS` is not whether the tables have patterns.
    pub(super) fn new(tables: &'a InterleavedTables<R>, plan: &'a Plan<R>, kernel: K) -> Self {
        assert!(!plan.goals.is_empty() && LOOKS == tables.has_patterns());
        Self {
            tables,
            rows: tables.rows().as_ptr().cast(),
            changes: tables.changes().as_ptr().cast(),
            plan,
            kernel,
        }
    }

    /// Restart a stream with a node, which is expanded. Return the counts.
    pub(super) fn start(
        &self,
        stream: &mut Stream<R>,
        start: &InterleavedStart<R>,
        bound: u64,
        beyond: &mut Lanes,
    ) -> StreamCounts {
        let mut survey = Survey {
            beyond: *beyond,
            ..Survey::NONE
        };
        let row_place = self.tables.place(start.plan_state);
        let row = self.tables.row(start.plan_state);
        let excess = estimate(bound, start.total);
        // SAFETY: the row is one of the tables.
        let (heirs, excesses) =
            unsafe { self.look_ahead(&start.packed, row_place, row, excess, &mut survey) };
        *beyond = survey.beyond;
        stream.start(Expanded {
            excesses,
            packed: start.packed,
            heirs,
            row: row_place,
            depth: 0,
        });
        let mut counts = StreamCounts::default();
        counts.add_steps(1, row.own, &Counted::sum(&survey.counts));
        counts
    }

    /// Check that `n` steps can be made without checks for room.
    #[inline(always)]
    fn check_room(&self, stream: &Stream<R>, n: usize) {
        assert!(n <= MAX_ADDED && n <= stream.room());
    }

    /// Make up to `n` steps in a stream. Return the counts, too.
    ///
    /// # Safety
    /// All nodes of the stream have places of rows of these tables, and only existing heirs.
    #[inline(always)]
    pub(super) unsafe fn run(
        &self,
        stream: &mut Stream<R>,
        n: usize,
        beyond: &mut Lanes,
    ) -> (StreamCounts, RunEnd) {
        self.kernel.call(Run {
            steps: *self,
            stream,
            n,
            beyond,
        })
    }

    /// As [`run`](Self::run), within the caller.
    ///
    /// # Safety
    /// As for [`run`](Self::run).
    #[inline(always)]
    unsafe fn run_here(
        &self,
        stream: &mut Stream<R>,
        n: usize,
        beyond: &mut Lanes,
    ) -> (StreamCounts, RunEnd) {
        self.check_room(stream, n);
        let first = stream.nodes.as_mut_ptr();
        // SAFETY: both are places in the list.
        let (next, end) = unsafe { (first.add(stream.top), first.add(stream.bottom)) };
        let mut cursor = Cursor {
            next,
            end,
            way: &mut stream.way,
            sums: 0,
        };
        let mut survey = Survey {
            beyond: *beyond,
            ..Survey::NONE
        };
        let (mut made, mut result) = (0, RunEnd::Paused);
        while made < n && cursor.next != cursor.end {
            // SAFETY: there is a node, and room for one more in each of the `n` steps.
            if unsafe { self.step(&mut cursor, &mut survey) } {
                result = RunEnd::Goal;
                break;
            }
            made += 1;
        }
        *beyond = survey.beyond;
        let mut counts = StreamCounts::default();
        counts.add_steps(made, cursor.sums, &Counted::sum(&survey.counts));
        // SAFETY: the cursor is still inside the list.
        stream.top = unsafe { cursor.next.offset_from_unsigned(first) };
        (counts, result)
    }

    /// Make up to `n` steps in each of two streams in turns. Each step has to wait for the one
    /// before it in the same stream, so two streams are much faster than one. Return the counts of
    /// either.
    ///
    /// # Safety
    /// As for [`run`](Self::run), in both streams.
    #[inline(always)]
    pub(super) unsafe fn run_both(
        &self,
        stream: &mut Stream<R>,
        other: &mut Stream<R>,
        n: usize,
        beyond: &mut Lanes,
    ) -> ([StreamCounts; 2], RunEnd) {
        self.kernel.call(RunBoth {
            steps: *self,
            streams: [stream, other],
            n,
            beyond,
        })
    }

    /// As [`run_both`](Self::run_both), within the caller.
    ///
    /// # Safety
    /// As for [`run`](Self::run), in both streams.
    #[inline(always)]
    unsafe fn run_both_here(
        &self,
        stream: &mut Stream<R>,
        other: &mut Stream<R>,
        n: usize,
        beyond: &mut Lanes,
    ) -> ([StreamCounts; 2], RunEnd) {
        self.check_room(stream, n);
        self.check_room(other, n);
        let (first, other_first) = (stream.nodes.as_mut_ptr(), other.nodes.as_mut_ptr());
        // SAFETY: all are places in the lists.
        let (mut one, mut two) = unsafe {
            (
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
            )
        };
        let mut surveys = [Survey {
            beyond: *beyond,
            ..Survey::NONE
        }; 2];
        let [survey, other_survey] = &mut surveys;
        let (mut made, mut result) = (0, RunEnd::Paused);
        while made < n && one.next != one.end && two.next != two.end {
            // SAFETY: there is a node in each, and room for one more in each of the `n` steps.
            if unsafe { self.step(&mut one, survey) } {
                result = RunEnd::Goal;
                break;
            }
            // SAFETY: as above.
            if unsafe { self.step(&mut two, other_survey) } {
                result = RunEnd::OtherGoal;
                break;
            }
            made += 1;
        }
        let [survey, other_survey] = surveys;
        *beyond = survey.beyond;
        for (i, other) in other_survey.beyond.0.into_iter().enumerate() {
            beyond.0[i] = (beyond.0[i] as u32).min(other as u32) as i32;
        }
        let mut counts = [StreamCounts::default(); 2];
        let one_more = usize::from(result == RunEnd::OtherGoal);
        counts[0].add_steps(made + one_more, one.sums, &Counted::sum(&survey.counts));
        counts[1].add_steps(made, two.sums, &Counted::sum(&other_survey.counts));
        // SAFETY: the cursors are still inside of the lists.
        unsafe {
            stream.top = one.next.offset_from_unsigned(first);
            other.top = two.next.offset_from_unsigned(other_first);
        }
        (counts, result)
    }

    /// Visit the next node, the first heir of the top one: make it, and expand it in its turn,
    /// together with those of its children that have heirs. If it is a goal, return `true` and
    /// change nothing. There is no branch on how many heirs there are: a node with none left gives
    /// way to the next one.
    ///
    /// # Safety
    /// There is a node below `cursor.next`, it has an existing heir, its row is one of the tables,
    /// and behind it is room for one more.
    #[inline(always)]
    unsafe fn step(&self, cursor: &mut Cursor<'_, R>, survey: &mut Survey) -> bool {
        // SAFETY: the caller guarantees that there is a node with an heir.
        unsafe {
            let top = cursor.next.sub(1);
            let heirs = (*top).heirs;
            let number = heirs.trailing_zeros() as usize % N_LANES;
            let row = self.rows.add((*top).row as usize).cast::<Row>();
            // SAFETY: existing heirs have a change and a row.
            let heir = (*row).heirs[number];
            let change = &*self.changes.add(heir.change as usize).cast::<R>();
            let packed = self.kernel.change(&(*top).packed, change, change);
            let next_row = &*self.rows.add(heir.row as usize).cast::<Row>();
            if next_row.may_be_goal != 0 && is_goal(self.plan, self.kernel, &packed) {
                return true;
            }
            let excess = (*top).excesses.0[number];
            let depth = (*top).depth;
            cursor.way[depth as usize % N_LEVELS] = choice((*top).row, number as u32);
            let left = heirs & (heirs - 1);
            (*top).heirs = left;
            let place = if left == 0 { top } else { cursor.next };
            cursor.sums += next_row.own;
            let (heirs, excesses) = self.look_ahead(&packed, heir.row, next_row, excess, survey);
            (*place).excesses = excesses;
            (*place).packed = packed;
            (*place).heirs = heirs;
            (*place).row = heir.row;
            (*place).depth = depth + 1;
            cursor.next = place.add(usize::from(heirs != 0));
        }
        false
    }

    /// Return a bit for each heir of a node within the bound, and their excesses.
    ///
    /// # Safety
    /// The row is the one at this place of the tables.
    #[inline(always)]
    unsafe fn look_ahead(
        &self,
        packed: &R,
        place: u32,
        row: &Row,
        excess: i32,
        survey: &mut Survey,
    ) -> (u32, Lanes) {
        let kernel = self.kernel;
        let (within, excesses) = if LOOKS {
            kernel.look_ahead(packed, &row.pattern, excess, &row.counts, survey)
        } else {
            // SAFETY: there are pairs for each row.
            let pairs = unsafe { self.tables.pairs_at(place) };
            let bytes = bytemuck::bytes_of(packed);
            let number = |pair: &Pair, i: usize| {
                let value = bytes[usize::from(pair.bytes[i]) % size_of::<R>()];
                // SAFETY: at each beginning is a number for each value of a byte.
                unsafe { self.tables.number(pair.numbers[i] + u32::from(value)) }
            };
            let mut ahead = Ahead {
                after_one: Lanes::of(0),
                after_both: Lanes::of(0),
            };
            for (lane, pair) in pairs.iter().enumerate() {
                let one = excess + number(pair, 0);
                ahead.after_one.0[lane] = one;
                ahead.after_both.0[lane] = one + number(pair, 1);
            }
            (survey.add(&ahead, &row.counts), ahead.after_both)
        };
        (within & row.exist, excesses)
    }
}

/// The steps of [`Steps::run`], in a function of their own, so that all that they need fits the
/// registers.
struct Run<'r, 'a, R, K, const LOOKS: bool> {
    steps: Steps<'a, R, K, LOOKS>,
    stream: &'r mut Stream<R>,
    n: usize,
    beyond: &'r mut Lanes,
}

impl<R: HasKernels, K: Kernel<R>, const LOOKS: bool> Job<R> for Run<'_, '_, R, K, LOOKS> {
    type Output = (StreamCounts, RunEnd);

    #[inline(always)]
    fn run<Same: Kernel<R>>(self, _: Same) -> Self::Output {
        // SAFETY: `Steps::run`, which alone makes such jobs, has the same conditions.
        unsafe { self.steps.run_here(self.stream, self.n, self.beyond) }
    }
}

/// The steps of [`Steps::run_both`], as [`Run`].
struct RunBoth<'r, 'a, R, K, const LOOKS: bool> {
    steps: Steps<'a, R, K, LOOKS>,
    streams: [&'r mut Stream<R>; 2],
    n: usize,
    beyond: &'r mut Lanes,
}

impl<R: HasKernels, K: Kernel<R>, const LOOKS: bool> Job<R> for RunBoth<'_, '_, R, K, LOOKS> {
    type Output = ([StreamCounts; 2], RunEnd);

    #[inline(always)]
    fn run<Same: Kernel<R>>(self, _: Same) -> Self::Output {
        let [stream, other] = self.streams;
        // SAFETY: `Steps::run_both`, which alone makes such jobs, has the same conditions.
        unsafe { self.steps.run_both_here(stream, other, self.n, self.beyond) }
    }
}

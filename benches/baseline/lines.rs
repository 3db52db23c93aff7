//! Trees walked with a whole register of children at a time.
//!
//! The part that programs for single puzzles share: depth-first search that makes the children of a
//! node 64 bytes at a time. For each memory of the path (the last move, the place of the blank), a
//! table has the moves that may come next.

#![allow(
    unsafe_code,
    reason = "vector instructions, as in the programs that it stands for"
)]

/// The greatest number of moves.
pub(crate) const MAX_MOVES: usize = 18;

/// The greatest number of memories.
pub(crate) const MAX_MEMORIES: usize = 128;

/// 64 bytes at a multiple of 64.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [u8; 64]);

/// A move: the source of each byte, and the number added to it (if the puzzle has orientations).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move<const N: usize> {
    pub(crate) from: [u8; N],
    pub(crate) twist: [u8; N],
}

impl<const N: usize> Move<N> {
    /// A move that only moves bytes.
    pub(crate) fn plain(from: [u8; N]) -> Self {
        Self {
            from,
            twist: [0; N],
        }
    }
}

/// The moves that may come next, with the memory after each.
pub(crate) type Choices<const N: usize> = Vec<(Move<N>, usize)>;

/// The orientations of a puzzle's states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Twists<const N: usize> {
    /// Bytes are moved without change.
    None,
    /// The upper half of each byte is an orientation, modulo these numbers (times 16).
    Modulo([u8; N]),
}

/// The moves that may come next.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Memory {
    first_line: u32,
    n_lines: u32,
    n_moves: u32,
    /// The memory after each move.
    next: [u8; 32],
}

/// A search in a puzzle with states of `N` bytes: 8, 16, or 32.
pub(crate) struct Tree<const N: usize> {
    memories: Box<[Memory; MAX_MEMORIES]>,
    from: Vec<Line>,
    twist: Vec<Line>,
    twists: Twists<N>,
    goal: [u8; N],
}

impl<const N: usize> Tree<N> {
    const PER_LINE: usize = 64 / N;

    /// A search with these choices for each memory.
    pub(crate) fn new(choices: &[Choices<N>], twists: Twists<N>, goal: [u8; N]) -> Self {
        let nothing = Memory {
            first_line: 0,
            n_lines: 0,
            n_moves: 0,
            next: [0; 32],
        };
        let mut tree = Self {
            memories: Box::new([nothing; MAX_MEMORIES]),
            from: Vec::new(),
            twist: Vec::new(),
            twists,
            goal,
        };
        for (memory, choices) in tree.memories.iter_mut().zip(choices) {
            memory.first_line = tree.from.len() as u32;
            memory.n_moves = choices.len() as u32;
            for (place, (_, next)) in choices.iter().enumerate() {
                memory.next[place] = *next as u8;
            }
            for line in choices.chunks(Self::PER_LINE) {
                // 0x80 selects no byte: a place without a move holds zeros, which are no goal.
                let (mut from, mut twist) = (Line([0x80; 64]), Line([0; 64]));
                for (place, (step, _)) in line.iter().enumerate() {
                    from.0[place * N..][..N].copy_from_slice(&step.from);
                    twist.0[place * N..][..N].copy_from_slice(&step.twist);
                }
                tree.from.push(from);
                tree.twist.push(twist);
                memory.n_lines += 1;
            }
        }
        tree
    }
}

/// Whether the processor has the instructions that [`Tree::count`] needs.
pub(crate) fn available() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("bmi2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;
    use std::mem::MaybeUninit;

    use super::*;
    use crate::baseline::Tally;

    /// The most lines of children of one node.
    const MAX_LINES: usize = MAX_MOVES.div_ceil(2);

    impl<const N: usize> Tree<N> {
        /// The tree below a start down to `depth`.
        ///
        /// # Panics
        /// When the processor lacks the instructions.
        pub(crate) fn count(&self, start: &[u8; N], memory: usize, depth: u64) -> Tally {
            assert!(available(), "these programs need AVX-512");
            let mut tally = Tally { nodes: 1, goals: 0 };
            if depth > 0 {
                let memory = &self.memories[memory];
                // SAFETY: the instructions are there.
                unsafe {
                    if self.twists == Twists::None {
                        self.descend::<false>(start, memory, depth, &mut tally);
                    } else {
                        self.descend::<true>(start, memory, depth, &mut tally);
                    }
                }
            }
            tally
        }

        /// As many copies of a state as fit.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
        fn spread(row: &[u8; N]) -> __m512i {
            let start = row.as_ptr();
            // SAFETY: the number of bytes loaded is that of the state.
            unsafe {
                match N {
                    8 => _mm512_set1_epi64(start.cast::<i64>().read_unaligned()),
                    16 => _mm512_broadcast_i32x4(_mm_loadu_si128(start.cast())),
                    _ => _mm512_broadcast_i64x4(_mm256_loadu_si256(start.cast())),
                }
            }
        }

        /// A line of children.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
        fn children<const TWISTS: bool>(
            rows: __m512i,
            from: &Line,
            twist: &Line,
            modulo: __m512i,
        ) -> __m512i {
            // SAFETY: lines are 64 bytes at a multiple of 64.
            let (from, twist) = unsafe {
                (
                    _mm512_load_si512(from.0.as_ptr().cast()),
                    _mm512_load_si512(twist.0.as_ptr().cast()),
                )
            };
            let moved = _mm512_shuffle_epi8(rows, from);
            if !TWISTS {
                return moved;
            }
            let twisted = _mm512_add_epi8(moved, twist);
            // Below the modulus the difference wraps around, and the byte itself is the lesser one.
            _mm512_min_epu8(twisted, _mm512_sub_epi8(twisted, modulo))
        }

        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
        fn descend<const TWISTS: bool>(
            &self,
            row: &[u8; N],
            memory: &Memory,
            left: u64,
            tally: &mut Tally,
        ) {
            let modulo = match &self.twists {
                Twists::None => _mm512_setzero_si512(),
                Twists::Modulo(modulo) => Self::spread(modulo),
            };
            let goal = Self::spread(&self.goal);
            tally.nodes += u64::from(memory.n_moves);
            if left == 1 {
                let least = self.leaves::<TWISTS>(
                    Self::spread(row),
                    memory,
                    modulo,
                    goal,
                    _mm512_set1_epi64(-1),
                );
                if Self::may_be_goal(least) {
                    tally.goals += self.goals::<TWISTS>(row, memory, modulo, goal);
                }
                return;
            }
            let mut lines = [const { MaybeUninit::<Line>::uninit() }; MAX_LINES];
            let rows = Self::spread(row);
            let range = memory.first_line as usize..(memory.first_line + memory.n_lines) as usize;
            let steps = self.from[range.clone()].iter().zip(&self.twist[range]);
            for (line, (from, twist)) in lines.iter_mut().zip(steps) {
                let children = Self::children::<TWISTS>(rows, from, twist, modulo);
                // SAFETY: a line takes 64 bytes at a multiple of 64.
                unsafe { _mm512_store_si512(line.as_mut_ptr().cast(), children) };
            }
            let lines = lines.as_ptr().cast::<[u8; N]>();
            let n_moves = memory.n_moves as usize;
            let child = |i: usize| {
                // SAFETY: the lines hold at least as many children as there are moves.
                unsafe { &*lines.add(i) }
            };
            let next = |i: usize| &self.memories[memory.next[i & 31] as usize % MAX_MEMORIES];
            if left > 2 {
                for i in 0..n_moves {
                    self.descend::<TWISTS>(child(i), next(i), left - 1, tally);
                }
                return;
            }
            // The last two plies. Goals are rare, so possible ones are checked again.
            let mut least = _mm512_set1_epi64(-1);
            let mut n_leaves = 0;
            for i in 0..n_moves {
                let next = next(i);
                n_leaves += next.n_moves;
                least = self.leaves::<TWISTS>(Self::spread(child(i)), next, modulo, goal, least);
            }
            tally.nodes += u64::from(n_leaves);
            if Self::may_be_goal(least) {
                for i in 0..n_moves {
                    tally.goals += self.goals::<TWISTS>(child(i), next(i), modulo, goal);
                }
            }
        }

        /// The least difference from the goal over all children, word by word.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
        fn leaves<const TWISTS: bool>(
            &self,
            rows: __m512i,
            memory: &Memory,
            modulo: __m512i,
            goal: __m512i,
            mut least: __m512i,
        ) -> __m512i {
            let range = memory.first_line as usize..(memory.first_line + memory.n_lines) as usize;
            for (from, twist) in self.from[range.clone()].iter().zip(&self.twist[range]) {
                let children = Self::children::<TWISTS>(rows, from, twist, modulo);
                least = _mm512_min_epu64(least, _mm512_xor_si512(children, goal));
            }
            least
        }

        /// Whether some child may be the goal.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
        fn may_be_goal(least: __m512i) -> bool {
            Self::whole(_mm512_testn_epi64_mask(least, least)) != 0
        }

        /// The states all of whose words are in a set, at the place of their first word.
        #[inline(always)]
        fn whole(words: u8) -> u8 {
            match N {
                8 => words,
                16 => words & words >> 1 & 0x55,
                _ => {
                    let pairs = words & words >> 1;
                    pairs & pairs >> 2 & 0x11
                }
            }
        }

        /// The goals among the children.
        #[cold]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
        fn goals<const TWISTS: bool>(
            &self,
            row: &[u8; N],
            memory: &Memory,
            modulo: __m512i,
            goal: __m512i,
        ) -> u64 {
            let rows = Self::spread(row);
            let range = memory.first_line as usize..(memory.first_line + memory.n_lines) as usize;
            let mut goals = 0;
            for (from, twist) in self.from[range.clone()].iter().zip(&self.twist[range]) {
                let children = Self::children::<TWISTS>(rows, from, twist, modulo);
                let equal = _mm512_cmpeq_epi64_mask(children, goal);
                goals += u64::from(Self::whole(equal).count_ones());
            }
            goals
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl<const N: usize> Tree<N> {
    /// Never called: this processor lacks the instructions.
    pub(crate) fn count(&self, _: &[u8; N], _: usize, _: u64) -> super::Tally {
        unreachable!("`available` says that this can't be run")
    }
}

/// The choices if all moves are always possible: by last move, and for no last move at the end.
pub(crate) fn choices_by_last<const N: usize>(
    moves: &[Move<N>],
    allowed: &[u32],
) -> Vec<Choices<N>> {
    let choices = |set: &u32| {
        let fits = |(i, step): (usize, &Move<N>)| (set >> i & 1 == 1).then_some((*step, i));
        moves.iter().enumerate().filter_map(fits).collect()
    };
    allowed.iter().map(choices).collect()
}

/// Apply a move to a state, one byte at a time.
pub(crate) fn apply<const N: usize>(row: &[u8; N], step: &Move<N>, twists: &Twists<N>) -> [u8; N] {
    std::array::from_fn(|i| {
        if step.from[i] >= 0x80 {
            return 0;
        }
        // The second half of a state has its own register lane.
        let lane = i / 16 * 16;
        let byte = row[lane + step.from[i] as usize] + step.twist[i];
        match twists {
            Twists::Modulo(modulo) if byte >= modulo[i] => byte - modulo[i],
            _ => byte,
        }
    })
}

//! Tables of pieces with orientations.
//!
//! The place and the orientation of a piece are one small number, its *code*. A rule that only permutes positions leads from each code to
//! another one, whatever else there is, so a child's codes are looked up from its parent's without a look at the state.

use psvn_ir::{Game, RuleId};
use search::Cell;

use super::{MOST_SLOTS, MOST_TABLES, PatternMemo, UNKNOWN, fits};
use crate::database::PatternDatabase;
use crate::ranking::Factor;
use crate::ranking::blocks::Blocks;
use crate::ranking::places::free_rank;

/// So many tables are fetched beforehand. The others are looked up less often, as the first ones are often enough.
const FORESEEN: usize = 2;

/// A table's pieces in the memo.
#[derive(Clone, Debug)]
struct Part {
    first: usize,
    n: usize,
    /// The pieces whose places are ranked come first; their numbers of free places.
    sizes: Vec<u64>,
    orientations: u64,
    /// Bits of a code that are the orientation; the others are the block.
    shift: u32,
    /// By piece and code, what the orientation adds to the rank.
    adds: Vec<u32>,
    /// By rule and code, the code that it leads to.
    moves: Vec<u8>,
    /// The codes of a piece.
    n_codes: usize,
    sum: usize,
    in_sum: usize,
    /// By kind of piece: its slot behind the first one.
    slot_of: Vec<Option<u8>>,
}

/// How a set of tables of pieces is looked up along paths.
#[derive(Debug)]
pub(crate) struct PieceLookup {
    /// Sum by sum.
    parts: Vec<Part>,
}

/// The one factor that tells anything.
fn blocks_of(table: &PatternDatabase) -> Option<&Blocks> {
    let mut factors = table
        .ranking
        .factors
        .iter()
        .filter(|factor| factor.size() > 1);
    match (factors.next(), factors.next()) {
        (Some(Factor::Blocks(blocks)), None) => Some(blocks),
        _ => None,
    }
}

impl PieceLookup {
    /// `None` when the tables are of other kinds, or too many.
    pub(crate) fn new(game: &Game, sums: &[Vec<PatternDatabase>]) -> Option<Self> {
        let n_tables: usize = sums.iter().map(Vec::len).sum();
        if n_tables > MOST_TABLES {
            return None;
        }
        let rules = game.rules().iter();
        let permutations: Vec<Vec<usize>> = rules
            .map(|rule| abstraction::permutation(&rule.canonical))
            .collect::<Option<_>>()?;
        let mut parts = Vec::new();
        let mut first = 0;
        for (sum, tables) in sums.iter().enumerate() {
            for (in_sum, table) in tables.iter().enumerate() {
                let part = Part::new(table, &permutations, first, (sum, in_sum))?;
                first += part.n;
                parts.push(part);
            }
        }
        (first <= MOST_SLOTS).then_some(Self { parts })
    }

    #[inline]
    pub(crate) fn start<C: Cell>(
        &self,
        sums: &[Vec<PatternDatabase>],
        state: &[C],
    ) -> (u64, PatternMemo) {
        let mut memo = PatternMemo::default();
        for part in &self.parts {
            let table = &sums[part.sum][part.in_sum];
            if part.find(table, state, &mut memo.places).is_none() {
                // It breaks what is known of the states that matter, so its children are looked at anew.
                memo.places[0] = UNKNOWN;
                return (0, memo);
            }
        }
        let mut greatest = Greatest::default();
        for part in &self.parts {
            let rank = part.rank(&memo.places[part.first..part.first + part.n]);
            greatest.add(part.sum, sums[part.sum][part.in_sum].at(rank));
        }
        (greatest.total(), memo)
    }

    /// Fetches what the first tables say of a child.
    #[inline(always)]
    pub(crate) fn foresee(&self, sums: &[Vec<PatternDatabase>], rule: RuleId, memo: &PatternMemo) {
        if memo.places[0] == UNKNOWN {
            return;
        }
        let mut places = memo.places;
        for part in self.parts.iter().take(FORESEEN) {
            let moves = &part.moves[rule.index() * part.n_codes..][..part.n_codes];
            let codes = &mut places[part.first..part.first + part.n];
            for code in codes.iter_mut() {
                *code = moves[usize::from(*code)];
            }
            sums[part.sum][part.in_sum].table.fetch(part.rank(codes));
        }
    }

    /// As [`Heuristic::child_within`](search::Heuristic::child_within).
    #[inline(always)]
    pub(crate) fn child<C: Cell>(
        &self,
        sums: &[Vec<PatternDatabase>],
        rule: RuleId,
        child: &[C],
        memo: &PatternMemo,
        enough: u64,
    ) -> (u64, PatternMemo) {
        if memo.places[0] == UNKNOWN {
            return self.start(sums, child);
        }
        let mut memo = *memo;
        let mut greatest = Greatest::default();
        for part in &self.parts {
            let moves = &part.moves[rule.index() * part.n_codes..][..part.n_codes];
            let codes = &mut memo.places[part.first..part.first + part.n];
            for code in codes.iter_mut() {
                *code = moves[usize::from(*code)];
            }
            greatest.add(part.sum, sums[part.sum][part.in_sum].at(part.rank(codes)));
            if greatest.total() > enough {
                break;
            }
        }
        (greatest.total(), memo)
    }
}

/// The greatest of sums, whose parts come sum by sum.
#[derive(Default)]
struct Greatest {
    of_others: u64,
    sum: usize,
    so_far: u64,
}

impl Greatest {
    #[inline(always)]
    fn add(&mut self, sum: usize, estimate: u64) {
        if sum != self.sum {
            self.of_others = self.total();
            self.so_far = 0;
            self.sum = sum;
        }
        // From a dead end on it stays one.
        self.so_far = self.so_far.saturating_add(estimate);
    }

    #[inline(always)]
    fn total(&self) -> u64 {
        self.so_far.max(self.of_others)
    }
}

impl Part {
    fn new(
        table: &PatternDatabase,
        permutations: &[Vec<usize>],
        first: usize,
        (sum, in_sum): (usize, usize),
    ) -> Option<Self> {
        let blocks = blocks_of(table)?;
        let pieces = blocks.single_pieces()?;
        let (places, orientations) = blocks.parts();
        let m = blocks.n_orientations() as usize;
        let shift = usize::BITS - (m - 1).leading_zeros();
        let n_codes = blocks.n_blocks() << shift;
        let is_direct = table.dual().is_none();
        if !is_direct || !fits(table) || n_codes >= usize::from(UNKNOWN) {
            return None;
        }
        u32::try_from(orientations).ok()?;
        let mut adds = vec![0; pieces.len() * n_codes];
        let n_kinds = pieces.iter().map(|(kind, _)| *kind as usize + 1).max()?;
        let mut slot_of = vec![None; n_kinds];
        for (slot, (kind, by_block)) in pieces.iter().enumerate() {
            slot_of[*kind as usize] = Some(slot as u8);
            for (block, by_orientation) in by_block.iter().enumerate() {
                for (orientation, adds_here) in by_orientation.iter().enumerate() {
                    adds[slot * n_codes + (block << shift | orientation)] = *adds_here as u32;
                }
            }
        }
        // Where variables of the table are in the game, and back.
        let concrete = &table.view.variables;
        let mut position = vec![None; permutations.first()?.len()];
        for (var, concrete) in concrete.iter().enumerate() {
            position[*concrete as usize] = Some(var);
        }
        let mut moves = vec![0; permutations.len() * n_codes];
        for (permutation, moves) in permutations.iter().zip(moves.chunks_mut(n_codes)) {
            let goes = |var: usize| position[permutation[concrete[var] as usize]];
            let vars = 0..concrete.len();
            let targets: Vec<usize> = vars.map(goes).collect::<Option<_>>()?;
            for (block, motion) in blocks.motions(|var| targets[var])?.iter().enumerate() {
                for orientation in 0..m {
                    let turned = (orientation + usize::from(motion.turn)) % m;
                    let code = usize::from(motion.to) << shift | turned;
                    moves[block << shift | orientation] = code as u8;
                }
            }
        }
        Some(Self {
            first,
            n: pieces.len(),
            sizes: (0..places.items.len())
                .map(|i| (places.vars.len() - i) as u64)
                .collect(),
            orientations,
            shift,
            adds,
            moves,
            n_codes,
            sum,
            in_sum,
            slot_of,
        })
    }

    /// Finds the codes of the pieces. `None` for a state that has no rank.
    fn find<C: Cell>(
        &self,
        table: &PatternDatabase,
        state: &[C],
        places: &mut [u8; MOST_SLOTS],
    ) -> Option<()> {
        let blocks = blocks_of(table)?;
        let value = |var: usize| table.view.value(var, |concrete| state[concrete].index());
        table.ranking.rank(value)?;
        for block in 0..blocks.n_blocks() {
            let (kind, orientation) = blocks.content(block, value)?;
            if let Some(Some(slot)) = self.slot_of.get(kind as usize) {
                let code = (block as u32) << self.shift | orientation;
                places[self.first + usize::from(*slot)] = code as u8;
            }
        }
        Some(())
    }

    #[inline(always)]
    fn rank(&self, codes: &[u8]) -> u64 {
        let (mut used, mut arrangement, mut turned) = (0_u64, 0_u64, 0_u32);
        for (code, size) in codes.iter().zip(&self.sizes) {
            let place = code >> self.shift;
            arrangement = arrangement * size + u64::from(free_rank(used, place));
            used |= 1 << (place & 63);
        }
        for (code, adds) in codes.iter().zip(self.adds.chunks_exact(self.n_codes)) {
            turned += adds[usize::from(*code)];
        }
        arrangement * self.orientations + u64::from(turned)
    }
}

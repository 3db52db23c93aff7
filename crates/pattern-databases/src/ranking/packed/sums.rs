//! Ranks that are sums over the variables, by tables for several variables at once.

use psvn_ir::VarId;
use search::PackedStates;

use crate::ranking::Ranking;

/// The maximum number of bits that are looked up at once, unless a variable has more.
const MOST_BITS: u32 = 10;
/// The maximum number of bits of a variable.
const MOST_OF_VARIABLE: u32 = 16;

/// Bits of a packed state, and the sums for all their values.
#[derive(Clone, Debug)]
struct Chunk {
    word: usize,
    shift: u32,
    mask: u64,
    sums: Vec<u64>,
}

/// Ranks that are sums over the variables.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    chunks: Vec<Chunk>,
}

impl Sums {
    /// Return `None` if ranks aren't sums, or a variable has many values, or is in two words.
    pub(super) fn new(states: &PackedStates, ranking: &Ranking) -> Option<Self> {
        let mut chunks: Vec<Chunk> = Vec::new();
        for (var, numbers) in ranking.as_sum()? {
            let bits = states.bits(VarId::from_index(var));
            let n = bits.len() as u32;
            let (word, shift) = (bits.start / u64::BITS, bits.start % u64::BITS);
            if shift + n > u64::BITS || n > MOST_OF_VARIABLE {
                return None;
            }
            chunks.push(Chunk {
                word: word as usize,
                shift,
                mask: (1 << n) - 1,
                sums: vec![0; 1 << n],
            });
            let sums = &mut chunks.last_mut()?.sums;
            numbers
                .iter()
                .for_each(|(value, number)| sums[*value as usize] += number);
        }
        chunks.sort_by_key(|chunk| (chunk.word, chunk.shift));
        Some(Self {
            chunks: chunks.into_iter().fold(Vec::new(), joined),
        })
    }

    #[inline]
    pub(super) fn rank(&self, state: &[u64]) -> u64 {
        let sum =
            |chunk: &Chunk| chunk.sums[(state[chunk.word] >> chunk.shift & chunk.mask) as usize];
        self.chunks.iter().map(sum).sum()
    }
}

/// Add a chunk to others, together with the last one if both are small.
fn joined(mut chunks: Vec<Chunk>, chunk: Chunk) -> Vec<Chunk> {
    match chunks.last_mut() {
        Some(last)
            if last.word == chunk.word
                && chunk.shift + chunk.mask.count_ones() <= last.shift + MOST_BITS =>
        {
            let begin = chunk.shift - last.shift;
            let n_bits = last.mask.count_ones().max(begin + chunk.mask.count_ones());
            let sum = |bits: u64| {
                last.sums[(bits & last.mask) as usize]
                    + chunk.sums[(bits >> begin & chunk.mask) as usize]
            };
            last.sums = (0..1 << n_bits).map(sum).collect();
            last.mask = (1 << n_bits) - 1;
        }
        _ => chunks.push(chunk),
    }
    chunks
}

//! Blocks of a file: ascending states as differences.
//!
//! A block says, for each state, which word differs first from the state before, and by how much it
//! is greater. That difference is written in a Rice code (Golomb 1966; Rice 1979): its lowest bits
//! as they are, and the rest in unary. How many bits are written as they are is chosen for each
//! block, and for each word that may differ first. The words after that one follow as they are. The
//! code suits numbers that are distributed like the differences of random states: it takes some 1.5
//! bits more than their logarithm.

use crate::form::{Form, WORD};

/// The bits of a word.
const WORD_BITS: u32 = u64::BITS;

/// A unary part has fewer ones. This many say that the number of bits of a number follows, and then
/// the whole number.
const MOST_ONES: u32 = 16;

/// The bits that tell how many bits a number has, less one, or how many are written as they are.
const BITS_OF_SIZE: u32 = 6;

/// The bytes of a block's header: the numbers of its states and of the words of its code, a
/// checksum of the code, and one of these three.
pub(crate) const HEADER: usize = 16;

/// What the header of a block says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) n_states: u32,
    /// The words of the code that follows.
    pub(crate) n_words: u32,
    crc32: u32,
}

impl Header {
    pub(crate) fn to_bytes(self) -> [u8; HEADER] {
        let numbers = [self.n_states, self.n_words, self.crc32].map(u32::to_le_bytes);
        let crc32 = crc32fast::hash(numbers.as_flattened()).to_le_bytes();
        let mut bytes = [0; HEADER];
        let (places, end) = bytes.split_at_mut(HEADER - crc32.len());
        places.copy_from_slice(numbers.as_flattened());
        end.copy_from_slice(&crc32);
        bytes
    }

    /// Read a header; `None` if it is another than was written.
    pub(crate) fn of_bytes(bytes: [u8; HEADER]) -> Option<Self> {
        let [n_states, n_words, crc32, _] = std::array::from_fn(|at| {
            let bytes = [0, 1, 2, 3].map(|byte| bytes[4 * at + byte]);
            u32::from_le_bytes(bytes)
        });
        let header = Self {
            n_states,
            n_words,
            crc32,
        };
        (header.to_bytes() == bytes).then_some(header)
    }
}

/// The code of a block of states, in memory that is used again.
#[derive(Debug, Default)]
pub(crate) struct Code {
    words: Vec<u64>,
    /// The bits that follow the words, and their number, which is less than that of a word.
    last: u64,
    n_last: u32,
}

impl Code {
    /// Write ascending states, at least one, and return the header of their block.
    pub(crate) fn encode(&mut self, states: &[u64], form: Form) -> Header {
        self.words.clear();
        (self.last, self.n_last) = (0, 0);
        let width = form.words();
        let kept = Kept::of(states, width);
        kept.bits
            .iter()
            .for_each(|bits| self.push((*bits).into(), BITS_OF_SIZE));
        self.push_words(&states[..width], 0, form);
        if let ([bits], 1) = (kept.bits.as_slice(), width) {
            for pair in states.windows(2) {
                self.push_number(
                    pair[1].wrapping_sub(pair[0]).wrapping_sub(1),
                    (*bits).into(),
                );
            }
        } else {
            let all = states.chunks_exact(width);
            for (before, state) in all.clone().zip(all.skip(1)) {
                self.push_state(state, before, &kept, form);
            }
        }
        if self.n_last > 0 {
            self.words.push(self.last);
        }
        Header {
            n_states: (states.len() / width) as u32,
            n_words: self.words.len() as u32,
            crc32: crc32fast::hash(bytemuck::cast_slice(self.put_in_order())),
        }
    }

    /// The bytes of the code.
    pub(crate) fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.words)
    }

    /// Put the lowest byte of each word first, as files have them.
    fn put_in_order(&mut self) -> &[u64] {
        for word in &mut self.words {
            *word = word.to_le();
        }
        &self.words
    }

    fn push_state(&mut self, state: &[u64], before: &[u64], kept: &Kept, form: Form) {
        let first = first_difference(state, before);
        // In unary; the last word needs no end.
        self.push_ones(first as u32);
        if first + 1 < state.len() {
            self.push(0, 1);
        }
        let number = state[first].wrapping_sub(before[first]).wrapping_sub(1);
        self.push_number(number, kept.bits[first].into());
        self.push_words(state, first + 1, form);
    }

    /// Write a number, with some bits as they are.
    #[inline]
    fn push_number(&mut self, number: u64, bits: u32) {
        let ones = number >> bits;
        if ones >= MOST_ONES.into() {
            let size = WORD_BITS - number.leading_zeros();
            let announced = low(MOST_ONES) | u64::from(size - 1) << MOST_ONES;
            self.push(announced, MOST_ONES + BITS_OF_SIZE);
            self.push(number, size);
            return;
        }
        let ones = ones as u32;
        let rest = number & low(bits);
        if ones + 1 + bits <= WORD_BITS {
            self.push(rest << (ones + 1) | low(ones), ones + 1 + bits);
        } else {
            self.push(low(ones), ones + 1);
            self.push(rest, bits);
        }
    }

    /// Write the words of a state from an index on, as they are.
    fn push_words(&mut self, state: &[u64], from: usize, form: Form) {
        for (index, word) in state.iter().enumerate().skip(from) {
            self.push(*word, bits_of_word(index, form));
        }
    }

    fn push_ones(&mut self, mut n: u32) {
        while n > 0 {
            let now = n.min(WORD_BITS);
            self.push(low(now), now);
            n -= now;
        }
    }

    /// Add the lowest `n` bits of a number, at most those of a word; the others are zero.
    #[inline]
    fn push(&mut self, number: u64, n: u32) {
        let used = self.n_last;
        self.last |= number << used;
        self.n_last += n;
        if self.n_last >= WORD_BITS {
            self.words.push(self.last);
            // All bits are written where none were waiting.
            self.last = number.checked_shr(WORD_BITS - used).unwrap_or(0);
            self.n_last -= WORD_BITS;
        }
    }

    /// Make room for the code of a block that is read, and return it.
    pub(crate) fn place_for_bytes(&mut self, header: Header) -> &mut [u8] {
        self.words.clear();
        self.words.resize(header.n_words as usize, 0);
        bytemuck::cast_slice_mut(&mut self.words)
    }

    /// Read the states of a block to the end of some words. Return `false` if they are others than
    /// were written.
    #[must_use]
    pub(crate) fn decode(&mut self, header: Header, form: Form, states: &mut Vec<u64>) -> bool {
        if crc32fast::hash(self.bytes()) != header.crc32 {
            return false;
        }
        for word in &mut self.words {
            *word = u64::from_le(*word);
        }
        let width = form.words();
        let mut bits = Bits {
            words: &self.words,
            at: 0,
        };
        let kept: Vec<u32> = (0..width).map(|_| bits.take(BITS_OF_SIZE) as u32).collect();
        let n_states = header.n_states as usize;
        states.reserve(n_states * width);
        for index in 0..width {
            states.push(bits.take(bits_of_word(index, form)));
        }
        match (kept.as_slice(), states.last().copied()) {
            ([kept], Some(mut state)) => states.extend((1..n_states).map(|_| {
                state = state.wrapping_add(bits.number(*kept)).wrapping_add(1);
                state
            })),
            _ => (1..n_states).for_each(|_| bits.next_state(&kept, form, states)),
        }
        bits.at <= self.words.len() * WORD_BITS as usize
    }

    /// The most words that the code of some states may take.
    pub(crate) fn most_words(n_states: usize, form: Form) -> usize {
        // Each word as it is, with the ones before it, and those that name the first that differs.
        let words = form.words();
        let most_announced = (MOST_ONES + BITS_OF_SIZE) as usize;
        let bits_of_state = words * WORD_BITS as usize + most_announced + words;
        (n_states * bits_of_state + BITS_OF_SIZE as usize * words).div_ceil(WORD_BITS as usize)
    }
}

/// For each word the bits of a difference in it that are written as they are.
struct Kept {
    bits: Vec<u8>,
}

impl Kept {
    /// Choose the bits that make the code short, by the sizes of all differences.
    fn of(states: &[u64], width: usize) -> Self {
        // By word and number of bits, the differences that have so many.
        let mut n_of_size = vec![[0_u64; WORD_BITS as usize + 1]; width];
        let all = states.chunks_exact(width);
        for (before, state) in all.clone().zip(all.skip(1)) {
            let first = first_difference(state, before);
            let number = state[first].wrapping_sub(before[first]).wrapping_sub(1);
            n_of_size[first][(WORD_BITS - number.leading_zeros()) as usize] += 1;
        }
        let best = |n_of_size: &[u64; WORD_BITS as usize + 1]| {
            let length = |bits: u8| code_length(n_of_size, bits.into());
            (0..WORD_BITS as u8).min_by_key(|bits| length(*bits))
        };
        Self {
            bits: n_of_size.iter().map(|it| best(it).unwrap_or(0)).collect(),
        }
    }
}

/// About how many bits all differences take, given how many there are of each size.
fn code_length(n_of_size: &[u64; WORD_BITS as usize + 1], bits: u32) -> u64 {
    let of_size = |(size, n): (usize, &u64)| {
        // A number in the middle of those of this size.
        let typical = match size {
            0 => 0_u64,
            1 => 1,
            size => 3 << (size - 2),
        };
        let ones = typical >> bits;
        let length = match u32::try_from(ones) {
            Ok(ones) if ones < MOST_ONES => ones + 1 + bits,
            _ => MOST_ONES + BITS_OF_SIZE + size as u32,
        };
        n * u64::from(length)
    };
    n_of_size.iter().enumerate().map(of_size).sum()
}

/// The index of the first word in which two states differ.
#[inline]
fn first_difference(state: &[u64], before: &[u64]) -> usize {
    let mut pairs = state.iter().zip(before);
    pairs.position(|(word, before)| word != before).unwrap_or(0)
}

/// The bits that a word of a state may have.
fn bits_of_word(index: usize, form: Form) -> u32 {
    8 * form.bytes().saturating_sub(WORD * index).min(WORD) as u32
}

/// The number whose lowest `n` bits are ones.
fn low(n: u32) -> u64 {
    u64::MAX.checked_shr(WORD_BITS - n).unwrap_or(0)
}

/// The bits of a code, from a place on. After its end come zeros.
struct Bits<'c> {
    words: &'c [u64],
    at: usize,
}

impl Bits<'_> {
    /// The next 64 bits.
    #[inline]
    fn window(&self) -> u64 {
        let (index, shift) = (self.at / 64, self.at % 64);
        let word = |index: usize| self.words.get(index).copied().unwrap_or(0);
        // Two shifts, since one by 64 bits isn't possible.
        word(index) >> shift | word(index + 1) << (63 - shift) << 1
    }

    /// Take some bits, at most 64.
    #[inline]
    fn take(&mut self, n: u32) -> u64 {
        let number = self.window() & low(n);
        self.at += n as usize;
        number
    }

    #[inline]
    fn first_difference(&mut self, width: usize) -> usize {
        let mut first = 0;
        while first + 1 < width && self.take(1) == 1 {
            first += 1;
        }
        first
    }

    /// Add the state that follows the last one.
    fn next_state(&mut self, kept: &[u32], form: Form, states: &mut Vec<u64>) {
        let width = form.words();
        let before = states.len() - width;
        let first = self.first_difference(width);
        states.extend_from_within(before..before + first);
        let number = self.number(kept[first]);
        states.push(states[before + first].wrapping_add(number).wrapping_add(1));
        for index in first + 1..width {
            states.push(self.take(bits_of_word(index, form)));
        }
    }

    /// Take a number of which some bits were written as they are.
    #[inline]
    fn number(&mut self, bits: u32) -> u64 {
        let window = self.window();
        let ones = window.trailing_ones();
        if ones >= MOST_ONES {
            self.at += MOST_ONES as usize;
            let size = self.take(BITS_OF_SIZE) as u32 + 1;
            return self.take(size);
        }
        let rest = if ones + 1 + bits <= WORD_BITS {
            self.at += (ones + 1 + bits) as usize;
            window >> (ones + 1) & low(bits)
        } else {
            self.at += (ones + 1) as usize;
            self.take(bits)
        };
        u64::from(ones) << bits | rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code_of(states: &[u64], form: Form) -> (Header, Code) {
        let mut code = Code::default();
        let header = code.encode(states, form);
        (header, code)
    }

    #[test]
    fn differences_of_every_size_come_back() {
        let form = Form::whole(1);
        let sizes = (0..WORD_BITS).map(|size| 1_u64 << size);
        let mut states: Vec<u64> = sizes
            .flat_map(|power| [power, power | power >> 1])
            .collect();
        states.extend([0, u64::MAX]);
        states.sort_unstable();
        states.dedup();
        for states in [&states[..], &states[..1], &[3, 4], &[0, u64::MAX]] {
            let (header, mut code) = code_of(states, form);
            assert_eq!(Some(header), Header::of_bytes(header.to_bytes()));
            assert!(header.n_words as usize <= Code::most_words(states.len(), form));
            let mut found = Vec::new();
            assert!(code.decode(header, form, &mut found));
            assert_eq!(found, states);
        }
    }

    /// Numbers at random distances take little more than the logarithm of the distance.
    #[test]
    fn the_code_is_short() {
        for bits in [4, 20, 40] {
            let mut number = 1_u64;
            let mut random = || {
                number ^= number << 13;
                number ^= number >> 7;
                number ^= number << 17;
                number
            };
            let mut states: Vec<u64> = (0..4096).map(|_| random() >> (52 - bits)).collect();
            states.sort_unstable();
            states.dedup();
            let (header, _) = code_of(&states, Form::whole(1));
            let bits_of_state = f64::from(header.n_words) * 64.0 / states.len() as f64;
            assert!(
                bits_of_state < f64::from(bits) + 2.2,
                "{bits}: {bits_of_state}"
            );
        }
    }
}

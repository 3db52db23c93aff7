//! States in memory: the words of one after another.

use std::ops::Range;

/// Add a state to others of `width` words, widened with zeros.
#[inline]
pub fn append(states: &mut Vec<u64>, state: &[u64], width: usize) {
    match state {
        // Most states have one word, and then a call that copies it takes time.
        [word] if width == 1 => states.push(*word),
        _ => {
            states.extend_from_slice(state);
            states.resize(states.len() + width.saturating_sub(state.len()), 0);
        }
    }
}

/// Sort states of `width` words, and move one of those that are equal to the front. Return the
/// number of words there; what comes after them is unspecified.
///
/// Takes time O(n log n) for n states; and memory for a number of each if they have many words, or
/// for all of them if they have one.
pub fn sort(words: &mut [u64], width: usize) -> usize {
    match width {
        1 => {
            sort_words(words);
            distinct(words)
        }
        2 => sort_arrays::<2>(words),
        3 => sort_arrays::<3>(words),
        4 => sort_arrays::<4>(words),
        8 => sort_arrays::<8>(words),
        _ => sort_by_number(words, width),
    }
}

/// The maximum number of bits by which words are sorted in one pass. The places of as many groups
/// stay in a near cache.
const MOST_BITS: u32 = 11;
/// The maximum number of passes. Beyond it, comparing takes less time.
const MOST_PASSES: u32 = 5;
/// The number of words from which passes pay.
const LEAST_IN_PASSES: usize = 1 << 10;
/// The number of words that stay in a near cache together with a copy.
const MOST_NEAR: usize = 1 << 16;
/// The maximum number of bits by which more words than that are split into parts.
const MOST_BITS_OF_PARTS: u32 = 8;

/// Sort words, in parts that stay in a near cache: those with the same highest bits.
fn sort_words(words: &mut [u64]) {
    if words.len() < LEAST_IN_PASSES {
        words.sort_unstable();
        return;
    }
    let mut others = vec![0; words.len()];
    let n_parts = (words.len() / MOST_NEAR).next_power_of_two();
    let differing = differing(words);
    let n_bits = n_parts.ilog2().min(MOST_BITS_OF_PARTS).min(differing.end);
    if n_bits == 0 {
        sort_near(words, &mut others);
        return;
    }
    let ends = spread(words, &mut others, differing.end - n_bits..differing.end);
    let mut begin = 0;
    for end in &ends[..1 << n_bits] {
        let (part, others) = (&mut words[begin..*end], &mut others[begin..*end]);
        part.copy_from_slice(others);
        sort_near(part, others);
        begin = *end;
    }
}

/// Return the range of the bits in which words differ.
fn differing(words: &[u64]) -> Range<u32> {
    let first = words.first().copied().unwrap_or(0);
    let differing = words.iter().fold(0, |all, word| all | (word ^ first));
    match differing {
        0 => 0..0,
        _ => differing.trailing_zeros()..u64::BITS - differing.leading_zeros(),
    }
}

/// Sort words: by the lowest bits in which they differ, then by higher ones, and so on (LSD radix
/// sort), or by comparing them. There is room for as many `others`.
fn sort_near(words: &mut [u64], others: &mut [u64]) {
    let differing = differing(words);
    if differing.is_empty() {
        return;
    }
    let n_bits = differing.end - differing.start;
    let n_passes = n_bits.div_ceil(MOST_BITS);
    if words.len() < LEAST_IN_PASSES || n_passes > MOST_PASSES {
        words.sort_unstable();
        return;
    }
    let bits_of_pass = n_bits.div_ceil(n_passes);
    let (mut from, mut to) = (&mut *words, &mut *others);
    for pass in 0..n_passes {
        let shift = differing.start + pass * bits_of_pass;
        spread(from, to, shift..shift + bits_of_pass);
        std::mem::swap(&mut from, &mut to);
    }
    if n_passes % 2 == 1 {
        words.copy_from_slice(others);
    }
}

/// Put words that have the same bits in a range together, in the order of these, and otherwise in
/// the order that they have. Return the ends of the groups.
fn spread(from: &[u64], to: &mut [u64], bits: Range<u32>) -> [usize; 1 << MOST_BITS] {
    let group = |word: u64| (word >> bits.start) as usize & ((1 << bits.len()) - 1);
    let mut places = [0; 1 << MOST_BITS];
    from.iter().for_each(|word| places[group(*word)] += 1);
    let mut begin = 0;
    for place in &mut places {
        begin += std::mem::replace(place, begin);
    }
    for word in from {
        let place = &mut places[group(*word)];
        to[*place] = *word;
        *place += 1;
    }
    places
}

fn sort_arrays<const W: usize>(words: &mut [u64]) -> usize {
    let states: &mut [[u64; W]] = words.as_chunks_mut().0;
    states.sort_unstable();
    W * distinct(states)
}

/// Move one of equal neighbors to the front. Return how many there are.
fn distinct<T: Copy + PartialEq>(states: &mut [T]) -> usize {
    let mut kept = states.len().min(1);
    for at in 1..states.len() {
        if states[at] != states[kept - 1] {
            states[kept] = states[at];
            kept += 1;
        }
    }
    kept
}

/// Sort wide states: first their numbers, then the states themselves, along the cycles of the
/// order.
fn sort_by_number(words: &mut [u64], width: usize) -> usize {
    let of = |number: usize| number * width..(number + 1) * width;
    let mut order: Vec<usize> = (0..words.len() / width).collect();
    order.sort_unstable_by(|a, b| words[of(*a)].cmp(&words[of(*b)]));
    let mut first = vec![0; width];
    for begin in 0..order.len() {
        if order[begin] == begin {
            continue;
        }
        first.copy_from_slice(&words[of(begin)]);
        let mut at = begin;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == begin {
                words[of(at)].copy_from_slice(&first);
                break;
            }
            words.copy_within(of(from), of(at).start);
            at = from;
        }
    }
    let mut kept = order.len().min(1);
    for at in 1..order.len() {
        if words[of(at)] != words[of(kept - 1)] {
            words.copy_within(of(at), of(kept).start);
            kept += 1;
        }
    }
    kept * width
}

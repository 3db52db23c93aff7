//! States in memory: the words of one after another.

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

/// Sort words: by the lowest bits in which they differ, then by higher ones, and so on (LSD radix
/// sort), or by comparing them.
fn sort_words(words: &mut [u64]) {
    let first = words.first().copied().unwrap_or(0);
    let differing = words.iter().fold(0, |all, word| all | (word ^ first));
    if differing == 0 {
        return;
    }
    let lowest = differing.trailing_zeros();
    let n_bits = u64::BITS - differing.leading_zeros() - lowest;
    let n_passes = n_bits.div_ceil(MOST_BITS);
    if words.len() < LEAST_IN_PASSES || n_passes > MOST_PASSES {
        words.sort_unstable();
        return;
    }
    let bits_of_pass = n_bits.div_ceil(n_passes);
    let mut others = vec![0; words.len()];
    let (mut from, mut to) = (&mut *words, others.as_mut_slice());
    for pass in 0..n_passes {
        let shift = lowest + pass * bits_of_pass;
        let group = |word: u64| (word >> shift) as usize & ((1 << bits_of_pass) - 1);
        let mut places = [0; 1 << MOST_BITS];
        from.iter().for_each(|word| places[group(*word)] += 1);
        let mut begin = 0;
        for place in &mut places {
            begin += std::mem::replace(place, begin);
        }
        for word in from.iter() {
            let place = &mut places[group(*word)];
            to[*place] = *word;
            *place += 1;
        }
        std::mem::swap(&mut from, &mut to);
    }
    if n_passes % 2 == 1 {
        words.copy_from_slice(&others);
    }
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

//! (14,3)-TopSpin with the last token as the reference point, so 13 tokens in places.

use std::collections::HashSet;
use std::hint::black_box;

const N: usize = 13;
const N_TURNS: usize = N + 1;

type Ring = [u8; N];

/// A search in (14,3)-TopSpin.
pub(crate) struct TopSpin {
    /// By history (see [`after`]): a bit for each turn that may come next.
    allowed: Vec<u16>,
    remember: usize,
}

impl TopSpin {
    /// A search that prunes words of length at most `max_length`, 3 at most; 0 prunes nothing.
    ///
    /// All turns are permutations without preconditions, so a word is redundant exactly when an earlier
    /// one gives the same ring.
    pub(crate) fn new(max_length: usize) -> Self {
        let remember = max_length.saturating_sub(1);
        let mut seen = HashSet::from([solved()]);
        let mut forbidden: HashSet<Vec<usize>> = HashSet::new();
        let mut longest = vec![(Vec::new(), solved())];
        for _ in 0..max_length {
            let mut next = Vec::new();
            for (word, ring) in &longest {
                for turn in 0..N_TURNS {
                    let mut longer: Vec<usize> = word.clone();
                    longer.push(turn);
                    if (1..longer.len()).any(|start| forbidden.contains(&longer[start..])) {
                        continue;
                    }
                    let mut ring = *ring;
                    apply(&mut ring, turn);
                    if seen.insert(ring) {
                        next.push((longer, ring));
                    } else {
                        forbidden.insert(longer);
                    }
                }
            }
            longest = next;
        }
        let n_histories = (N_TURNS + 1).pow(remember as u32);
        let allowed = (0..n_histories)
            .map(|history| {
                let word = turns_of(history, remember);
                let fits = |turn: &usize| {
                    let mut longer = word.clone();
                    longer.push(*turn);
                    !(0..longer.len()).any(|start| forbidden.contains(&longer[start..]))
                };
                (0..N_TURNS)
                    .filter(fits)
                    .fold(0, |set, turn| set | 1 << turn)
            })
            .collect();
        Self { allowed, remember }
    }

    /// The nodes of the tree down to `depth`.
    pub(crate) fn count(&self, depth: u64) -> u64 {
        let mut ring = solved();
        1 + match self.remember {
            0 => self.descend::<0>(&mut ring, 0, depth),
            1 => self.descend::<1>(&mut ring, 0, depth),
            _ => self.descend::<2>(&mut ring, 0, depth),
        }
    }

    fn descend<const REMEMBER: usize>(&self, ring: &mut Ring, history: usize, depth: u64) -> u64 {
        if depth == 0 {
            return 0;
        }
        let mut n_nodes = 0;
        let mut turns = self.allowed[history];
        while turns != 0 {
            let turn = turns.trailing_zeros() as usize;
            turns &= turns - 1;
            apply(ring, turn);
            black_box(&*ring);
            n_nodes +=
                1 + self.descend::<REMEMBER>(ring, after(history, turn, REMEMBER), depth - 1);
            apply(ring, inverse(turn));
        }
        n_nodes
    }
}

fn solved() -> Ring {
    std::array::from_fn(|i| i as u8)
}

/// The history after one more turn: the last `remember` turns, each counted from 1, as the digits of a
/// number to the base 15.
#[inline]
fn after(history: usize, turn: usize, remember: usize) -> usize {
    const BASE: usize = N_TURNS + 1;
    match remember {
        0 => 0,
        1 => turn + 1,
        _ => history % BASE * BASE + turn + 1,
    }
}

/// The turns of a history, the oldest first.
fn turns_of(history: usize, remember: usize) -> Vec<usize> {
    const BASE: usize = N_TURNS + 1;
    let digits = (0..remember).map(|place| history / BASE.pow(place as u32) % BASE);
    let mut turns: Vec<usize> = digits
        .filter(|digit| *digit > 0)
        .map(|digit| digit - 1)
        .collect();
    turns.reverse();
    turns
}

/// The turn that undoes a turn: itself, but that the reference token goes back the other way.
#[inline]
fn inverse(turn: usize) -> usize {
    match turn {
        11 => 13,
        13 => 11,
        _ => turn,
    }
}

/// Turns three neighbors over. Where the reference token is one of them, the ring is shifted so that it
/// comes last again.
#[inline]
fn apply(ring: &mut Ring, turn: usize) {
    let [first, second, .., last_but_one, last] = *ring;
    match turn {
        // The reference token comes to the front: all others move up by two places.
        11 => {
            // ..., y, z, R becomes ..., R, z, y; read from behind R: z, y, the rest.
            ring.copy_within(..N - 2, 2);
            (ring[0], ring[1]) = (last, last_but_one);
        }
        // It stays in the middle, its neighbors change places.
        12 => (ring[0], ring[N - 1]) = (last, first),
        // It goes one behind the front: all others move down by two places.
        13 => {
            ring.copy_within(2.., 0);
            (ring[N - 2], ring[N - 1]) = (second, first);
        }
        _ => ring.swap(turn, turn + 2),
    }
}

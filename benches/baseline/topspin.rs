//! (14,3)-TopSpin with the last token as the reference point, so 13 tokens in places.

use std::collections::HashSet;

use super::Tally;
use super::last_move::allowed;
use super::lines::{Move, Tree, Twists, choices_by_last};

const N: usize = 13;
const N_TURNS: usize = N + 1;

type Ring = [u8; N];

/// A plain search in (14,3)-TopSpin: turns are made and taken back in one array.
pub(crate) struct TopSpin {
    /// For each history (see [`after`]), a bit for each turn that may come next.
    allowed: Vec<u16>,
    remember: usize,
}

impl TopSpin {
    /// A search that prunes words of length at most `max_length`, 3 at most; 0 prunes nothing.
    ///
    /// All turns are permutations without preconditions, so a word is redundant exactly when an
    /// earlier one gives the same ring.
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

    /// The tree below a start down to `depth`.
    pub(crate) fn count(&self, start: &Ring, depth: u64) -> Tally {
        let mut ring = *start;
        let mut tally = Tally { nodes: 1, goals: 0 };
        if depth > 0 {
            match self.remember {
                0 => self.descend::<0>(&mut ring, 0, depth, &mut tally),
                1 => self.descend::<1>(&mut ring, 0, depth, &mut tally),
                _ => self.descend::<2>(&mut ring, 0, depth, &mut tally),
            }
        }
        tally
    }

    fn descend<const REMEMBER: usize>(
        &self,
        ring: &mut Ring,
        history: usize,
        depth: u64,
        tally: &mut Tally,
    ) {
        let mut turns = self.allowed[history];
        while turns != 0 {
            let turn = turns.trailing_zeros() as usize;
            turns &= turns - 1;
            apply(ring, turn);
            tally.nodes += 1;
            if depth == 1 {
                tally.goals += u64::from(*ring == solved());
            } else {
                let history = after(history, turn, REMEMBER);
                self.descend::<REMEMBER>(ring, history, depth - 1, tally);
            }
            apply(ring, inverse(turn));
        }
    }
}

/// A search in (14,3)-TopSpin with four children at a time.
pub(crate) fn topspin_in_lines(start: &Ring, prune: bool) -> impl Fn(u64) -> Tally + use<> {
    let padded = |ring: &Ring| -> [u8; 16] {
        std::array::from_fn(|i| ring.get(i).copied().unwrap_or_default())
    };
    let turned = |ring: &Ring, turn: usize| {
        let mut ring = *ring;
        apply(&mut ring, turn);
        ring
    };
    let turns: Vec<Move<16>> = (0..N_TURNS)
        .map(|turn| {
            let places = turned(&solved(), turn);
            Move::plain(std::array::from_fn(|i| {
                places.get(i).copied().unwrap_or(i as u8)
            }))
        })
        .collect();
    let sets = allowed(N_TURNS, solved(), turned, prune);
    let tree = Tree::new(
        &choices_by_last(&turns, &sets),
        Twists::None,
        padded(&solved()),
    );
    let start = padded(start);
    move |depth| tree.count(&start, N_TURNS, depth)
}

fn solved() -> Ring {
    std::array::from_fn(|i| i as u8)
}

/// The history after one more turn: the last `remember` turns, each counted from 1, as the digits
/// of a number in base 15.
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

/// The turn that undoes a turn: itself, except that the reference token moves back the other way.
#[inline]
fn inverse(turn: usize) -> usize {
    match turn {
        11 => 13,
        13 => 11,
        _ => turn,
    }
}

/// Turn three neighbors over. If the reference token is one of them, the ring is shifted so that it
/// comes last again.
#[inline]
fn apply(ring: &mut Ring, turn: usize) {
    let [first, second, .., last_but_one, last] = *ring;
    match turn {
        // The reference token comes to the front: all others move up by two places.
        11 => {
            // ..., y, z, R becomes ..., R, z, y; read from R on: z, y, the rest.
            ring.copy_within(..N - 2, 2);
            (ring[0], ring[1]) = (last, last_but_one);
        }
        // It stays in the middle, and its neighbors change places.
        12 => (ring[0], ring[N - 1]) = (last, first),
        // It goes to the second place: all others move down by two places.
        13 => {
            ring.copy_within(2.., 0);
            (ring[N - 2], ring[N - 1]) = (second, first);
        }
        _ => ring.swap(turn, turn + 2),
    }
}

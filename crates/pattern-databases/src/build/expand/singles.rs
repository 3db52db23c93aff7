//! Predecessors by moving places where each value occurs once: for tiles, pancakes and TopSpin.
//!
//! The same as [`moves`](super::moves) for at most 16 places, and about twice as fast. The values
//! are split in two: the places of the first ones are computed once for a run of ranks, and the
//! places of the others, among the remaining places, are looked up.
//!
//! Where the parity of the arrangement is fixed by the place of one value, whatever rules are
//! applied, only every second rank belongs to a state. Then ranks can be
//! [halved](SingleExpander::halved): the last digit, which is 0 or 1, is left out.

use std::iter::zip;

use super::moves::{Move, MoveExpander};
use super::{Expander, Predecessor};
use crate::ranking::partial_permutation::{is_odd, nth_free};

/// The maximum number of places.
const MOST: usize = 16;
/// The maximum number of ranks of the values that are looked up.
const MOST_LOW: u64 = 8192;
/// The maximum number of these values: four bits for each, and one for the parity.
const MOST_LOW_ITEMS: usize = 7;
/// The bit of the parity of a low part.
const PARITY: u32 = 31;

/// For each place, in four bits, how many places before it are free: at first, all.
const ALL_FREE: u64 = 0xFEDC_BA98_7654_3210;
/// One less for each place behind the first.
const BEHIND: u64 = 0x1111_1111_1111_1110;

/// A rule.
#[derive(Clone, Debug)]
struct Hop {
    /// Pairs of a value and its required place.
    tests: Vec<(u8, u8)>,
    /// The places that must hold none of the values.
    empty: u64,
    /// The new place of the value at each place.
    destination: [u8; MOST],
    /// The same, times four.
    shift: [u8; MOST],
    cost: u64,
}

impl Hop {
    /// Return `None` for a rule that never applies.
    fn new(one: &Move, filler: usize) -> Option<Self> {
        let mut hop = Self {
            tests: Vec::new(),
            empty: 0,
            destination: std::array::from_fn(|place| one.destination[place]),
            shift: std::array::from_fn(|place| 4 * one.destination[place]),
            cost: one.cost,
        };
        for test in &one.tests {
            if usize::from(test.item) == filler {
                hop.empty |= test.positions;
            } else if test.positions.count_ones() == 1 {
                let place = test.positions.trailing_zeros() as u8;
                hop.tests.push((test.item, place));
            } else {
                // One value can't be in two places.
                return None;
            }
        }
        Some(hop)
    }
}

/// How the parity of a state's arrangement depends on the place of a value.
#[derive(Clone, Copy, Debug)]
struct Parity {
    /// By place of the key value, one bit.
    by_place: u32,
    /// The parity of the goals.
    class: u32,
}

/// Moves the places of values.
#[derive(Clone, Debug)]
pub(crate) struct SingleExpander {
    n_places: usize,
    n_items: usize,
    /// The sizes of the digits of a rank; 1 after the last.
    sizes: [u64; MOST],
    /// The number of values that are not looked up.
    n_high: usize,
    n_low: usize,
    /// The number of ranks of the values that are looked up, and their places among the remaining
    /// ones.
    low_size: u64,
    low: Vec<u32>,
    /// The value whose place selects the rules to try, if there is one.
    key: Option<usize>,
    /// One list for each place of the key value; a single list without a key.
    lists: Vec<Vec<Hop>>,
    parity: Option<Parity>,
}

/// The data of a run of ranks, for one thread.
#[derive(Clone, Debug)]
pub(crate) struct Scratch {
    /// The first rank of the run, and the one after it.
    begin: u64,
    end: u64,
    /// The places of the first values.
    places: [u8; MOST],
    /// The remaining places.
    free: [u8; MOST],
    /// The parity of the first digits.
    parity: u32,
}

impl SingleExpander {
    /// Return `None` unless each value occurs once, among few places.
    pub(crate) fn new(moves: &MoveExpander<'_>) -> Option<Self> {
        let places = moves.places;
        let (n_places, n_items) = (places.vars.len(), places.items.len());
        if n_places > MOST || n_items == 0 || !places.is_single() {
            return None;
        }
        let mut sizes = [1; MOST];
        for (item, size) in sizes[..n_items].iter_mut().enumerate() {
            *size = (n_places - item) as u64;
        }
        let (mut n_low, mut low_size) = (0, 1);
        while n_low < MOST_LOW_ITEMS.min(n_items)
            && low_size * sizes[n_items - 1 - n_low] <= MOST_LOW
        {
            low_size *= sizes[n_items - 1 - n_low];
            n_low += 1;
        }
        let low_sizes = &sizes[n_items - n_low..n_items];
        let low = (0..low_size).map(|rank| low_part(rank, low_sizes));
        Some(Self {
            low: low.collect(),
            n_high: n_items - n_low,
            n_low,
            low_size,
            n_places,
            n_items,
            sizes,
            key: moves.key,
            lists: moves
                .moves
                .iter()
                .map(|list| {
                    list.iter()
                        .filter_map(|one| Hop::new(one, n_items))
                        .collect()
                })
                .collect(),
            parity: None,
        })
    }

    /// Return the same over half of the ranks, where only every second one belongs to a state,
    /// given the ranks of the goals.
    pub(crate) fn halved(mut self, goals: &[u64]) -> Option<Self> {
        let n_items = self.n_items;
        // The last digit is 0 or 1, and doesn't determine the key value's place.
        if n_items + 1 != self.n_places || self.key == Some(n_items - 1) || self.n_low == 0 {
            return None;
        }
        let by_place = self.parity_by_place()?;
        self.parity = Some(Parity { by_place, class: 0 });
        let class = self.class(*goals.first()?);
        self.parity = Some(Parity { by_place, class });
        goals
            .iter()
            .all(|goal| self.class(*goal) == class)
            .then_some(self)
    }

    /// Return, by place of the key value, the parity to compare a state's parity with so that no
    /// rule changes the result; `None` if there is none.
    fn parity_by_place(&self) -> Option<u32> {
        let is_odd = |hop: &Hop| is_odd(&hop.destination[..self.n_places]);
        if self.key.is_none() {
            return self
                .lists
                .iter()
                .flatten()
                .all(|hop| !is_odd(hop))
                .then_some(0);
        }
        let mut known: Vec<Option<bool>> = vec![None; self.n_places];
        for begin in 0..self.n_places {
            if known[begin].is_some() {
                continue;
            }
            known[begin] = Some(false);
            let mut open = vec![begin];
            while let Some(place) = open.pop() {
                for hop in self.lists.get(place).into_iter().flatten() {
                    let to = usize::from(hop.destination[place]);
                    let parity = known[place].map(|it| it ^ is_odd(hop));
                    match known[to] {
                        None => {
                            known[to] = parity;
                            open.push(to);
                        }
                        found if found != parity => return None,
                        Some(_) => {}
                    }
                }
            }
        }
        let bits = known.iter().enumerate();
        Some(bits.fold(0, |bits, (place, odd)| {
            bits | u32::from(*odd == Some(true)) << place
        }))
    }

    /// Return the parity of the state of a rank, compared with that of the key value's place.
    fn class(&self, rank: u64) -> u32 {
        let whole = Self {
            parity: None,
            ..self.clone()
        };
        let mut scratch = whole.scratch();
        let places = whole.places(rank, &mut scratch);
        let entry = whole.low[(rank - scratch.begin) as usize];
        let by_place = self.parity.map_or(0, |parity| parity.by_place);
        let key = self.key.map_or(0, |key| places[key]);
        scratch.parity ^ entry >> PARITY ^ (by_place >> key & 1)
    }

    /// Return the rank of a state among all arrangements.
    pub(crate) fn whole_rank(&self, rank: u64) -> u64 {
        match self.parity {
            None => rank,
            Some(parity) => {
                let whole = 2 * rank;
                whole + u64::from(self.class(whole) ^ parity.class)
            }
        }
    }

    /// Compute the data that all ranks of a rank's run share.
    #[cold]
    fn enter(&self, rank: u64, scratch: &mut Scratch) {
        let run = self.low_size >> u32::from(self.parity.is_some());
        let mut prefix = rank / run;
        (scratch.begin, scratch.end) = (prefix * run, (prefix + 1) * run);
        let mut digits = [0; MOST];
        scratch.parity = 0;
        for item in (0..self.n_high).rev() {
            digits[item] = prefix % self.sizes[item];
            prefix /= self.sizes[item];
            scratch.parity ^= (digits[item] & 1) as u32;
        }
        let mut used = 0_u64;
        for (place, digit) in zip(&mut scratch.places, &digits[..self.n_high]) {
            *place = nth_free(used, *digit as u32);
            used |= 1 << *place;
        }
        let free = (0..self.n_places as u8).filter(|place| used >> place & 1 == 0);
        for (left, place) in scratch.free.iter_mut().zip(free) {
            *left = place;
        }
    }

    /// Return the places of the values in the state of a rank.
    #[inline(always)]
    fn places(&self, rank: u64, scratch: &mut Scratch) -> [u8; MOST] {
        if rank < scratch.begin || rank >= scratch.end {
            self.enter(rank, scratch);
        }
        let rest = (rank - scratch.begin) as usize;
        let mut places = scratch.places;
        let entry = match self.parity {
            None => self.low[rest],
            Some(parity) => {
                let entry = self.low[2 * rest];
                let key = match self.key {
                    None => 0,
                    Some(key) if key < self.n_high => places[key],
                    Some(key) => scratch.free[(entry >> (4 * (key - self.n_high)) & 15) as usize],
                };
                let odd = parity.class ^ parity.by_place >> key ^ scratch.parity ^ entry >> PARITY;
                self.low[2 * rest + (odd & 1) as usize]
            }
        };
        for (item, place) in places[self.n_high..][..self.n_low].iter_mut().enumerate() {
            *place = scratch.free[(entry >> (4 * item) & 15) as usize];
        }
        places
    }
}

/// Return the places of values among the remaining ones, by the rank of the arrangement.
fn low_part(mut rank: u64, sizes: &[u64]) -> u32 {
    let mut digits = [0_u32; MOST_LOW_ITEMS];
    for (digit, size) in zip(&mut digits, sizes).rev() {
        *digit = (rank % size) as u32;
        rank /= size;
    }
    let mut used = 0_u64;
    let mut entry = 0;
    for (item, digit) in digits[..sizes.len()].iter().enumerate() {
        let place = nth_free(used, *digit);
        used |= 1 << place;
        entry |= u32::from(place) << (4 * item);
        entry ^= (digit & 1) << PARITY;
    }
    entry
}

impl Expander for SingleExpander {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch {
            begin: 0,
            end: 0,
            places: [0; MOST],
            free: [0; MOST],
            parity: 0,
        }
    }

    #[inline(always)]
    fn expand(&self, rank: u64, scratch: &mut Scratch, found: &mut Vec<Predecessor>) {
        let places = self.places(rank, scratch);
        let list = match self.key {
            None => &self.lists[0],
            Some(key) => &self.lists[usize::from(places[key])],
        };
        let halves = u32::from(self.parity.is_some());
        for hop in list {
            let stands = |test: &(u8, u8)| places[usize::from(test.0)] == test.1;
            if !hop.tests.iter().all(stands) {
                continue;
            }
            if hop.empty != 0 {
                let places = places[..self.n_items].iter();
                let used = places.fold(0_u64, |used, place| used | 1 << place);
                if used & hop.empty != 0 {
                    continue;
                }
            }
            let mut free = ALL_FREE;
            let mut rank = 0_u64;
            // As many steps as there are values, since one for each of the 16 places costs more
            // than the loop.
            for (place, size) in zip(&places[..self.n_items], &self.sizes[..self.n_items]) {
                let shift = hop.shift[usize::from(place & 15)];
                rank = rank * size + (free >> (shift & 63) & 15);
                free = free.wrapping_sub(BEHIND << (shift & 63));
            }
            found.push(Predecessor {
                rank: rank >> halves,
                cost: hop.cost,
            });
        }
    }
}

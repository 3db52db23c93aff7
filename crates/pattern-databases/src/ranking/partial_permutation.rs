//! Ranks of the places of values: partial permutations and arrangements of multisets.

use std::iter::zip;
use std::sync::LazyLock;

/// The maximum number of positions: a set of them is one machine word.
pub(crate) const MOST_POSITIONS: usize = 64;

/// The places of kept values; only the first entries matter.
pub(crate) type PlaceArray = [u8; MOST_POSITIONS];

/// Binomial coefficients, saturated.
static BINOMIALS: LazyLock<Vec<[u64; MOST_POSITIONS + 1]>> = LazyLock::new(|| {
    let mut rows = vec![[0_u64; MOST_POSITIONS + 1]; MOST_POSITIONS + 1];
    for n in 0..=MOST_POSITIONS {
        rows[n][0] = 1;
        for k in 1..=n {
            rows[n][k] = rows[n - 1][k - 1].saturating_add(if k < n { rows[n - 1][k] } else { 0 });
        }
    }
    rows
});

fn binomial(n: usize, k: usize) -> u64 {
    if k > n { 0 } else { BINOMIALS[n][k] }
}

/// Marks the most frequent value, which isn't an item: it takes the remaining places.
pub(crate) const FILLER: u8 = 254;
/// Marks a value that never occurs at these positions.
pub(crate) const NEVER: u8 = 255;

/// A value with the number of its occurrences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) value: u32,
    pub(crate) count: u8,
    /// Where its places begin in a [`PlaceArray`].
    pub(crate) first: u8,
    /// The ways to choose its places among those that earlier items leave.
    size: u64,
}

/// A ranking of all arrangements of a multiset of values on a number of positions.
///
/// The places of the values are numbered one value after the other, each among the remaining
/// places; the most frequent value takes the rest. So n! / (n - k)! numbers are enough for k
/// different values that occur once each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartialPermutation {
    /// The variables that are the positions.
    pub(crate) vars: Vec<u32>,
    /// By value: the number of its item, [`FILLER`] or [`NEVER`].
    pub(crate) item_of: Vec<u8>,
    pub(crate) items: Vec<Item>,
    pub(crate) filler: Option<u32>,
    /// The number of places of all items.
    pub(crate) n_places: usize,
    /// Whether every item occurs once.
    single: bool,
    size: u128,
}

impl PartialPermutation {
    /// Make the ranking of arrangements of `counts[v]` copies of each value v. Values in `last`
    /// come last among the items and are never the filler, unless there is no other.
    ///
    /// `None` when there are more than [`MOST_POSITIONS`] positions, or the counts don't fill them.
    pub(crate) fn new(vars: Vec<u32>, counts: &[usize], last: &[bool]) -> Option<Self> {
        if vars.len() > MOST_POSITIONS || counts.iter().sum::<usize>() != vars.len() {
            return None;
        }
        let is_last = |value: usize| last.get(value).copied().unwrap_or(false);
        // The most frequent value; if there are several, the last one.
        let candidates = (0..counts.len()).filter(|value| counts[*value] > 0);
        let filler = candidates
            .clone()
            .max_by_key(|value| (!is_last(*value), counts[*value], *value));
        let values = candidates.filter(|v| Some(*v) != filler);
        let (last, mut values): (Vec<usize>, Vec<usize>) = values.partition(|v| is_last(*v));
        values.extend(last);
        let mut item_of = vec![NEVER; counts.len()];
        let mut items = Vec::with_capacity(values.len());
        let (mut left, mut first, mut size) = (vars.len(), 0_usize, 1_u128);
        for value in values {
            let count = counts[value];
            item_of[value] = items.len() as u8;
            let ways = binomial(left, count);
            size = size.saturating_mul(u128::from(ways));
            items.push(Item {
                value: value as u32,
                count: count as u8,
                first: first as u8,
                size: ways,
            });
            left -= count;
            first += count;
        }
        if let Some(filler) = filler {
            item_of[filler] = FILLER;
        }
        Some(Self {
            single: items.iter().all(|item| item.count == 1),
            vars,
            item_of,
            items,
            filler: filler.map(|value| value as u32),
            n_places: first,
            size,
        })
    }

    pub(crate) fn size(&self) -> u128 {
        self.size
    }

    /// Find the places of the items; `None` when the values aren't an arrangement.
    #[inline(always)]
    pub(crate) fn find(
        &self,
        value: &impl Fn(usize) -> u32,
        places: &mut PlaceArray,
    ) -> Option<()> {
        let mut found = [0_u8; MOST_POSITIONS];
        for (position, var) in self.vars.iter().enumerate() {
            let item = *self.item_of.get(value(*var as usize) as usize)?;
            if item >= FILLER {
                if item == NEVER {
                    return None;
                }
                continue;
            }
            let known = &self.items[item as usize];
            let nth = found[item as usize];
            if nth == known.count {
                return None;
            }
            places[(known.first + nth) as usize] = position as u8;
            found[item as usize] = nth + 1;
        }
        self.are_complete(&found).then_some(())
    }

    /// Return whether each item was found as often as it occurs.
    #[inline(always)]
    fn are_complete(&self, found: &PlaceArray) -> bool {
        let complete = |(item, found): (&Item, &u8)| item.count == *found;
        zip(&self.items, found).all(complete)
    }

    /// Return the rank of the arrangement with these places; those of one item ascend.
    #[inline(always)]
    pub(crate) fn rank_places(&self, places: &PlaceArray) -> u64 {
        if self.single {
            let digits = zip(&self.items, places);
            let digits = digits.map(|(item, place)| (*place, item.size));
            return rank_singles(self.vars.len(), digits);
        }
        let mut used = 0_u64;
        let mut rank = 0_u64;
        for item in &self.items {
            let mine = &places[item.first as usize..][..item.count as usize];
            let mut taken = used;
            let mut ways = 0;
            for (i, place) in mine.iter().enumerate() {
                ways += binomial(free_rank(used, *place) as usize, i + 1);
                taken |= 1 << (place & 63);
            }
            used = taken;
            rank = rank * item.size + ways;
        }
        rank
    }

    /// Return the places of the items in the arrangement of this rank, and the set of them.
    #[inline(always)]
    pub(crate) fn unrank_places(&self, mut rank: u64, places: &mut PlaceArray) -> u64 {
        let mut digits = [0_u64; MOST_POSITIONS];
        for (digit, item) in zip(&mut digits, &self.items).rev() {
            (rank, *digit) = divide(rank, item.size);
        }
        let mut used = 0_u64;
        if self.single {
            for (place, digit) in zip(&mut places[..self.items.len()], &digits) {
                *place = nth_free(used, *digit as u32);
                used |= 1 << (*place & 63);
            }
            return used;
        }
        for (item, digit) in zip(&self.items, &digits) {
            let mut taken = used;
            let mut left = *digit;
            let mut below = self.vars.len();
            for i in (0..item.count as usize).rev() {
                // The largest number of free places below this one that fits.
                while binomial(below, i + 1) > left {
                    below -= 1;
                }
                left -= binomial(below, i + 1);
                let place = nth_free(used, below as u32);
                places[item.first as usize + i] = place;
                taken |= 1 << (place & 63);
            }
            used = taken;
        }
        used
    }

    /// Return the ranking of the first items alone: all other values count as the filler.
    pub(crate) fn first_items(&self, n: usize) -> Self {
        let items = self.items[..n].to_vec();
        let item_of = self.item_of.iter().map(|item| match *item {
            NEVER => NEVER,
            item if usize::from(item) < n => item,
            _ => FILLER,
        });
        Self {
            item_of: item_of.collect(),
            single: items.iter().all(|item| item.count == 1),
            n_places: items.iter().map(|item| usize::from(item.count)).sum(),
            size: items.iter().map(|item| u128::from(item.size)).product(),
            vars: self.vars.clone(),
            filler: self.filler,
            items,
        }
    }

    /// Return the values, ascending, if each occurs once.
    pub(crate) fn distinct_values(&self) -> Option<Vec<u32>> {
        let items = self.items.iter().map(|item| item.value);
        let mut values: Vec<u32> = items.chain(self.filler).collect();
        values.sort_unstable();
        (self.single && values.len() == self.vars.len()).then_some(values)
    }

    /// Return whether every item occurs once.
    pub(crate) fn is_single(&self) -> bool {
        self.single
    }

    #[inline(always)]
    pub(crate) fn rank(&self, value: &impl Fn(usize) -> u32) -> Option<u64> {
        if self.single && self.items.len() == 1 {
            return self.one_place(value);
        }
        let mut places = [0; MOST_POSITIONS];
        self.find(value, &mut places)?;
        Some(self.rank_places(&places))
    }

    /// Return the rank of a state that is in memory.
    pub(crate) fn rank_of(&self, state: &[u32]) -> Option<u64> {
        self.rank(&|var| state[var])
    }

    /// Return the rank if a single value occurs once: its place.
    #[inline(always)]
    fn one_place(&self, value: &impl Fn(usize) -> u32) -> Option<u64> {
        let (mut place, mut found) = (0, 0);
        for (position, var) in self.vars.iter().enumerate() {
            match *self.item_of.get(value(*var as usize) as usize)? {
                0 => {
                    place = position as u64;
                    found += 1;
                }
                NEVER => return None,
                _ => {}
            }
        }
        (found == 1).then_some(place)
    }

    pub(crate) fn unrank(&self, rank: u64, state: &mut [u32]) {
        let mut places = [0; MOST_POSITIONS];
        self.unrank_places(rank, &mut places);
        for var in &self.vars {
            state[*var as usize] = self.filler.unwrap_or(0);
        }
        for item in &self.items {
            for place in &places[item.first as usize..][..item.count as usize] {
                state[self.vars[*place as usize] as usize] = item.value;
            }
        }
    }
}

/// Return quotient and remainder, faster for small numbers.
#[inline(always)]
fn divide(number: u64, by: u64) -> (u64, u64) {
    match (u32::try_from(number), u32::try_from(by)) {
        (Ok(number), Ok(by)) => (u64::from(number / by), u64::from(number % by)),
        _ => (number / by, number % by),
    }
}

/// Return the rank of values that occur once each, given for each value its place and the number of
/// places that the values before it leave free.
#[inline(always)]
pub(crate) fn rank_singles(n_places: usize, digits: impl Iterator<Item = (u8, u64)>) -> u64 {
    let mut rank = 0;
    if n_places <= FreeRanks::MOST {
        let mut free = FreeRanks::new();
        for (place, size) in digits {
            rank = rank * size + free.take(place);
        }
        return rank;
    }
    let mut used = 0_u64;
    for (place, size) in digits {
        let free = free_rank(used, place);
        used |= 1 << (place & 63);
        rank = rank * size + u64::from(free);
    }
    rank
}

/// Return how many places before this one are free.
#[inline(always)]
fn free_rank(used: u64, place: u8) -> u32 {
    let before = (1_u64 << (place & 63)) - 1;
    u32::from(place) - (used & before).count_ones()
}

/// For up to 16 places: how many places before each are free, in four bits for each place.
///
/// [`free_rank`] counts anew for each place; this keeps all counts: one subtraction takes 1 off all
/// places behind a used one. At most as many places before a place are used as there are, so no
/// field falls below 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FreeRanks(u64);

impl FreeRanks {
    /// The maximum number of places.
    const MOST: usize = 16;

    /// Mark all places as free.
    #[inline(always)]
    fn new() -> Self {
        Self(0xFEDC_BA98_7654_3210)
    }

    /// Mark some places as free, all of them below the maximum.
    pub(crate) fn of(places: &[u32]) -> Self {
        let before = |place: u32| places.iter().filter(|it| **it < place).count() as u64;
        let places = (0..Self::MOST as u32).rev();
        Self(places.fold(0, |word, place| word << 4 | before(place) & 15))
    }

    /// Return how many places before the one with this number are free, and use it.
    #[inline(always)]
    pub(crate) fn take(&mut self, place: u8) -> u64 {
        let shift = u32::from(place) % 16 * 4;
        let rank = self.0 >> shift & 15;
        self.0 = self.0.wrapping_sub(0x1111_1111_1111_1110 << shift);
        rank
    }
}

/// Return the free place that has `nth` free places before it.
#[inline(always)]
pub(crate) fn nth_free(used: u64, nth: u32) -> u8 {
    // Each used place up to the wanted one moves it on by one.
    let mut place = nth;
    let mut left = used;
    while left != 0 {
        let next = left.trailing_zeros();
        if next > place {
            break;
        }
        place += 1;
        left &= left - 1;
    }
    place as u8
}

/// Return whether an arrangement is odd.
pub(crate) fn is_odd<T: Ord>(arrangement: &[T]) -> bool {
    let pairs = arrangement.iter().enumerate();
    let before = pairs.map(|(i, one)| arrangement[..i].iter().filter(|other| *other > one).count());
    before.sum::<usize>() % 2 == 1
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_arrangement_has_a_rank_of_its_own() {
        for counts in [
            vec![1, 1, 1, 1],
            vec![1, 0, 4, 1],
            vec![2, 2, 3],
            vec![0, 5],
            vec![3, 1, 2],
            vec![1],
        ] {
            let n: usize = counts.iter().sum();
            let vars: Vec<u32> = (0..n as u32).rev().collect();
            let mut last = vec![false; counts.len()];
            last[0] = true;
            let places = PartialPermutation::new(vars, &counts, &last).expect("few positions");
            let mut seen = HashSet::new();
            for rank in 0..places.size() as u64 {
                let mut state = vec![9; n];
                places.unrank(rank, &mut state);
                for (value, count) in counts.iter().enumerate() {
                    let found = state.iter().filter(|v| **v == value as u32).count();
                    assert_eq!(found, *count, "{counts:?} {rank} {state:?}");
                }
                assert_eq!(places.rank(&|var| state[var]), Some(rank), "{counts:?}");
                seen.insert(state);
            }
            assert_eq!(seen.len() as u128, places.size());
        }
    }

    #[test]
    fn other_values_have_no_rank() {
        let places =
            PartialPermutation::new(vec![0, 1, 2, 3], &[1, 2, 1], &[]).expect("few positions");
        assert_eq!(places.size(), 12);
        for state in [[0, 1, 1, 1], [0, 0, 1, 2], [0, 1, 1, 5], [1, 1, 2, 2]] {
            assert_eq!(places.rank(&|var| state[var]), None);
        }
        let one = PartialPermutation::new(vec![0, 1, 2], &[1, 2], &[]).expect("few positions");
        assert_eq!(one.rank(&|var| [1, 1, 0][var]), Some(2));
        for state in [[0, 0, 1], [1, 1, 1], [1, 0, 2], [3, 0, 1]] {
            assert_eq!(one.rank(&|var| state[var]), None);
        }
    }

    #[test]
    fn free_ranks_count_free_places() {
        let mut random = psvn_ir::testing::SplitMix64::new(3);
        for _ in 0..1000 {
            let mut left: Vec<u8> = (0..16).collect();
            let (mut ranks, mut used) = (FreeRanks::new(), 0);
            while !left.is_empty() {
                let place = left.swap_remove(random.below(left.len()));
                let rank = ranks.take(place);
                assert_eq!(rank, u64::from(free_rank(used, place)));
                used |= 1 << place;
            }
        }
    }

    #[test]
    fn published_sizes() {
        let mut counts = vec![1; 7];
        counts.push(18);
        let vars: Vec<u32> = (0..25).collect();
        let mut last = vec![false; 8];
        last[0] = true;
        let places = PartialPermutation::new(vars, &counts, &last).expect("few positions");
        assert_eq!(places.size(), 2_422_728_000);
        assert_eq!(places.first_items(6).size(), 127_512_000);
        assert_eq!(places.items[6].value, 0);
    }
}

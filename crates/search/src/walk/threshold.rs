//! The nodes above a bound, and the choice of the next bound.

use crate::walk::outcome::Least;

/// The number of leading bits by which distances from the bound are distinguished. Distances are
/// rounded by at most one part in 32.
const FINE_BITS: u32 = 5;
const FINE: usize = 1 << FINE_BITS;
const N_BUCKETS: usize = (u64::BITS - FINE_BITS + 1) as usize * FINE;

/// The nodes above a bound, counted by their distance from it.
///
/// Small distances are counted one by one, larger ones in buckets that grow with them, so that the
/// range need not be known beforehand.
#[derive(Clone, Debug)]
struct Histogram {
    bound: u64,
    buckets: Box<[u64]>,
    greatest: u64,
}

/// Return the bucket of a distance.
#[inline]
fn bucket(distance: u64) -> usize {
    let width = (u64::BITS - distance.leading_zeros()).saturating_sub(FINE_BITS + 1);
    // For large distances the top bit of the mantissa is always set: it counts as one more row.
    width as usize * FINE + (distance >> width) as usize
}

/// Return the greatest distance in a bucket.
fn upper_end(bucket: usize) -> u64 {
    let width = (bucket / FINE).saturating_sub(1);
    let mantissa = (bucket - width * FINE) as u128;
    u64::try_from(((mantissa + 1) << width) - 1).unwrap_or(u64::MAX)
}

/// The nodes above a bound, as far as the next bound depends on them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frontier {
    least: Least,
    histogram: Option<Histogram>,
}

impl Frontier {
    /// Keep only the least total.
    pub(crate) fn least() -> Self {
        Self::default()
    }

    /// Count all totals above this bound.
    pub(crate) fn counted(bound: u64) -> Self {
        Self {
            least: Least::default(),
            histogram: Some(Histogram {
                bound,
                buckets: vec![0; N_BUCKETS].into(),
                greatest: bound,
            }),
        }
    }

    /// Return whether all totals are counted, rather than only the least one kept.
    pub(crate) fn counts(&self) -> bool {
        self.histogram.is_some()
    }

    /// Merge with another one: keep the least.
    pub(crate) fn merge(&mut self, least: Least) {
        self.least.merge(least);
    }

    /// Return the least total.
    pub(crate) fn least_total(&self) -> Least {
        self.least
    }

    /// Return the next bound: the least total at or below which there are `wanted` nodes above the
    /// last bound, up to the error of the count, or else the greatest total. It is at least the
    /// least total. `None` when no node was above the last bound.
    pub(crate) fn next_bound(&self, wanted: f64) -> Option<u64> {
        let least = self.least.total()?;
        let Some(histogram) = &self.histogram else {
            return Some(least);
        };
        let mut admitted = 0_u64;
        let enough = histogram.buckets.iter().position(|count| {
            admitted += count;
            admitted as f64 >= wanted && admitted > 0
        });
        let next = enough.map_or(histogram.greatest, |bucket| {
            histogram.bound.saturating_add(upper_end(bucket))
        });
        Some(next.min(histogram.greatest).max(least))
    }

    /// Return how many of the nodes above the bound are within the next one; 0 if they weren't
    /// counted.
    pub(crate) fn admitted(&self, next: u64) -> u64 {
        let Some(histogram) = &self.histogram else {
            return 0;
        };
        let last = bucket(next.saturating_sub(histogram.bound));
        histogram.buckets[..=last].iter().sum()
    }
}

impl Frontier {
    /// Record a node with this estimated total cost that was left out.
    pub(crate) fn beyond(&mut self, total: u64) {
        self.least.beyond(total);
        self.count(total);
    }

    /// Count a total, if totals are counted. The least one is recorded elsewhere.
    #[inline(always)]
    pub(crate) fn count(&mut self, total: u64) {
        if let Some(histogram) = &mut self.histogram {
            // A walk may lower its bound as it goes: totals above the lower bound no longer matter.
            let distance = total.saturating_sub(histogram.bound);
            histogram.buckets[bucket(distance)] += 1;
            histogram.greatest = histogram.greatest.max(total);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_hold_what_belongs_to_them() {
        let distances = (0..5_000)
            .chain((5..64).flat_map(|bit| {
                let power = 1_u64 << bit;
                [power - 1, power, power + 1, power + power / 3]
            }))
            .chain([u64::MAX - 1, u64::MAX]);
        for distance in distances {
            let number = bucket(distance);
            assert!(number < N_BUCKETS);
            let (upper, below) = (upper_end(number), number.checked_sub(1).map(upper_end));
            assert!(
                below.is_none_or(|below| below < distance) && distance <= upper,
                "{distance}"
            );
            assert!((upper - distance) as f64 <= distance as f64 / 32.0);
        }
        assert_eq!(upper_end(N_BUCKETS - 1), u64::MAX);
    }

    #[test]
    fn the_next_bound_lets_in_as_many_as_wanted() {
        let mut frontier = Frontier::counted(100);
        assert_eq!(frontier.next_bound(5.0), None);
        for total in [103, 103, 110, 120, 5_000] {
            frontier.beyond(total);
        }
        let next = |wanted| frontier.next_bound(wanted).unwrap();
        assert_eq!(
            (next(0.0), next(2.0), next(3.0), next(4.0)),
            (103, 103, 110, 120)
        );
        assert_eq!((next(5.0), next(1e9)), (5_000, 5_000));
        let admitted = [103, 110, 119, 5_000].map(|bound| frontier.admitted(bound));
        assert_eq!(admitted, [2, 3, 3, 5]);
        let mut least = Frontier::least();
        least.beyond(120);
        least.beyond(103);
        assert_eq!((least.next_bound(9.0), least.admitted(120)), (Some(103), 0));
    }
}

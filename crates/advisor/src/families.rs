//! Families of candidates, from small to large: those that were bought, and forecasts for the
//! larger ones.

use crate::{Growth, Steps};

/// The part of the work so far that the first candidate of a family may cost where it could be
/// smaller: most families are given up then, and there are several, so that five cost as much as
/// the search.
const FIRST_SHARE: f64 = 0.2;
/// The part of the work so far that the smallest candidates may cost of all families of which
/// nothing was bought and that begin with about as much work.
const SMALLEST_SHARE: f64 = 0.75;
/// A family is behind when another one estimates higher by the first factor (less counts as equal:
/// means of samples vary so much) for no more than the second one times its work.
const CLEARLY: f64 = 1.01;
const AS_MUCH: f64 = 2.0;
/// A family that is behind is compared again when the candidate by which it fell behind is smaller
/// by this factor than those of the other family, if that takes no more than this share of the work
/// of the candidate that would be bought next.
const MUCH_SMALLER: f64 = 4.0;
const DOUBT_SHARE: f64 = 0.5;
/// Nodes fall by this power of a candidate's size where nothing else is known, and by one within
/// these limits where two candidates of the family were bought. Korf (1997) expects a power of 1
/// (nodes in inverse proportion to memory) at best; sums of tables gain less.
const USUAL_POWER: f64 = 0.5;
const POWERS: (f64, f64) = (0.1, 1.0);

/// What is known of a heuristic: the lower the mean estimate, the more nodes; and what each takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// The mean estimate.
    pub estimate: f64,
    /// The steps of a node of the search with it.
    pub steps_of_node: Steps,
}

impl Quality {
    /// Return the steps of a search with another quality, for each step of the search with this
    /// one, where nodes take some further steps with both.
    pub fn ratio_to(self, other: Self, further: Steps, growth: Growth) -> f64 {
        let steps = (other.steps_of_node + further) / (self.steps_of_node + further);
        growth.nodes(self.estimate, other.estimate) * steps
    }
}

/// A candidate: an option that may be bought.
#[derive(Clone, Debug)]
pub struct Candidate<T> {
    /// The option.
    pub option: T,
    /// The work to build it, by which the candidates of a family are compared.
    pub size: Steps,
    /// What it costs now: less than its size where it was kept from before.
    pub price: Steps,
}

/// The place of a candidate: the number of its family, and its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CandidateId {
    /// The number of the family.
    pub family: usize,
    /// The number in the family.
    pub member: usize,
}

/// A candidate that was bought.
#[derive(Clone, Copy, Debug)]
pub struct Bought {
    /// Its number in the family.
    pub member: usize,
    /// Its size.
    pub size: Steps,
    /// What it turned out to be.
    pub quality: Quality,
}

/// Candidates of one kind, from small to large.
#[derive(Clone, Debug)]
pub struct Family<T> {
    candidates: Vec<Candidate<T>>,
    /// The first candidate that wasn't passed over yet.
    next: usize,
    /// In the order of their sizes.
    bought: Vec<Bought>,
}

impl<T> Family<T> {
    /// Return a family of which nothing was bought.
    pub fn new(candidates: impl IntoIterator<Item = Candidate<T>>) -> Self {
        Self {
            candidates: candidates.into_iter().collect(),
            next: 0,
            bought: Vec::new(),
        }
    }

    /// Return all candidates.
    pub fn candidates(&self) -> &[Candidate<T>] {
        &self.candidates
    }

    /// Return those that were bought, in the order of their sizes.
    pub fn bought(&self) -> &[Bought] {
        &self.bought
    }

    /// Return the numbers of those that may still be bought.
    pub fn left(&self) -> std::ops::Range<usize> {
        self.next..self.candidates.len()
    }

    /// Record what a candidate turned out to be. Smaller ones aren't bought any more.
    pub fn record(&mut self, member: usize, quality: Quality) {
        self.bought.push(Bought {
            member,
            size: self.candidates[member].size,
            quality,
        });
        self.bought
            .sort_by(|one, other| one.size.total_cmp(&other.size));
        self.pass(member);
    }

    /// Buy neither a candidate nor a smaller one from now on.
    pub fn pass(&mut self, member: usize) {
        self.next = self.next.max(member + 1);
    }

    /// Give up the family: no further candidate can be bought.
    pub fn give_up(&mut self) {
        self.next = self.candidates.len();
    }

    /// Return the expected quality of a candidate; `None` until a member of the family is bought.
    pub fn expected(&self, member: usize, growth: Growth) -> Option<Quality> {
        let last = self.bought.last()?;
        let power = match self.bought[..] {
            [.., before, last] if last.size > before.size => {
                let nodes = growth.nodes(before.quality.estimate, last.quality.estimate);
                (-nodes.ln() / (last.size / before.size).ln()).clamp(POWERS.0, POWERS.1)
            }
            _ => USUAL_POWER,
        };
        let larger = (self.candidates[member].size / last.size.max(1.0)).max(1.0);
        Some(Quality {
            estimate: last.quality.estimate + growth.difference(larger.powf(power)),
            ..last.quality
        })
    }

    /// Return the largest candidate that costs at most this, or else the next one.
    fn largest_within(&self, price: Steps) -> Option<usize> {
        let first = self.left().next()?;
        let affordable = self
            .left()
            .rev()
            .find(|i| self.candidates[*i].price <= price);
        Some(affordable.unwrap_or(first))
    }

    /// Return whether another family has clearly higher estimates for about the same work or less.
    fn is_behind(&self, other: &Self) -> bool {
        self.bought.last().is_some_and(|mine| {
            other.bought.iter().any(|it| {
                it.size <= mine.size * AS_MUCH
                    && it.quality.estimate > mine.quality.estimate * CLEARLY
            })
        })
    }
}

/// Return the first candidate of a family of which nothing was bought yet, where it is cheap beside
/// the work so far: its value is unknown, so this is work for information.
///
/// A family may begin with large candidates. One of them is bought when as much work was done as it
/// costs, together with those of other unknown families that begin with about as much: whichever of
/// them serves, what is bought for nothing is no more than what was searched.
pub(crate) fn exploration<T>(families: &[Family<T>], spent: Steps) -> Option<CandidateId> {
    let price = |id: CandidateId| families[id.family].candidates[id.member].price;
    let unknown = || {
        let all = families.iter().enumerate();
        all.filter(|(_, it)| it.bought.is_empty())
    };
    let most = spent * FIRST_SHARE;
    let cheap = unknown().find_map(|(family, it)| {
        let member = it.largest_within(most)?;
        let id = CandidateId { family, member };
        (price(id) <= most).then_some(id)
    });
    let smallest = || {
        let firsts = unknown().filter_map(|(family, it)| {
            let member = it.left().next()?;
            Some(CandidateId { family, member })
        });
        let firsts: Vec<CandidateId> = firsts.collect();
        let prices = firsts.iter().map(|id| price(*id));
        let least = prices.clone().min_by(f64::total_cmp)?;
        // Families that begin with about as much share what may be spent.
        let together: Steps = prices.filter(|price| *price <= least * AS_MUCH).sum();
        let first = firsts.iter().find(|id| price(**id) <= least)?;
        (together <= spent * SMALLEST_SHARE).then_some(*first)
    };
    cheap.or_else(smallest)
}

/// Return a candidate that is bought before another one: of the best family that is behind by a far
/// smaller candidate than was bought of the other one's family, if one about as large as that is
/// cheap beside the other candidate. Small candidates say little about which family has the better
/// large ones.
pub(crate) fn second_look<T>(families: &[Family<T>], before: CandidateId) -> Option<CandidateId> {
    let of = &families[before.family];
    let most = of.candidates[before.member].price * DOUBT_SHARE;
    let largest = of.bought.last()?.size;
    let is_doubtful = |it: &Family<T>| {
        let last = it.bought.last();
        last.is_some_and(|last| last.size * MUCH_SMALLER <= largest)
            && families.iter().any(|other| it.is_behind(other))
    };
    let doubtful = families.iter().enumerate();
    let doubtful = doubtful.filter(|(_, it)| is_doubtful(it));
    let looks = doubtful.filter_map(|(family, it)| {
        let member = it.largest_within(most)?;
        let candidate = &it.candidates[member];
        let is_comparable = candidate.size * AS_MUCH >= largest;
        let is_cheap = candidate.price <= most;
        let estimate = it.bought.last()?.quality.estimate;
        (is_cheap && is_comparable).then_some((estimate, CandidateId { family, member }))
    });
    let best = looks.max_by(|one, other| one.0.total_cmp(&other.0));
    best.map(|(_, id)| id)
}

/// Return the candidates that may still be bought: all larger ones of the families that aren't
/// behind, and the first of each family of which nothing was bought.
pub(crate) fn open<T>(families: &[Family<T>]) -> impl Iterator<Item = CandidateId> + '_ {
    let is_behind = |it: &Family<T>| families.iter().any(|other| it.is_behind(other));
    let ahead = families.iter().enumerate();
    let ahead = ahead.filter(move |(_, it)| !is_behind(it));
    ahead.flat_map(|(family, it)| {
        let most = if it.bought.is_empty() { 1 } else { usize::MAX };
        let left = it.left().take(most);
        left.map(move |member| CandidateId { family, member })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Families of ten candidates, each three times as large as the one before; the first
    /// candidates of the families differ a little.
    fn families() -> Vec<Family<()>> {
        let family = |number: i32| {
            let size = |i: i32| 100.0 * (1.0 + 0.1 * f64::from(number)) * 3_f64.powi(i);
            Family::new((0..10).map(|i| Candidate {
                option: (),
                size: size(i),
                price: size(i),
            }))
        };
        (0..4).map(family).collect()
    }

    fn quality(estimate: f64) -> Quality {
        Quality {
            estimate,
            steps_of_node: 1.0,
        }
    }

    fn id(family: usize, member: usize) -> CandidateId {
        CandidateId { family, member }
    }

    /// Families in which the first one's first candidate has an estimate, and those of all others
    /// another one.
    fn tried(first: f64, others: f64) -> Vec<Family<()>> {
        let mut families = families();
        for (number, it) in families.iter_mut().enumerate() {
            it.record(0, quality(if number == 0 { first } else { others }));
        }
        families
    }

    #[test]
    fn families_that_are_behind_are_not_bought_when_the_best_one_ends() {
        let mut families = tried(10.0, 9.0);
        assert!(open(&families).all(|id| id.family == 0));
        families[0].give_up();
        assert_eq!(open(&families).next(), None);
        // As good as the best one.
        let mut families = tried(10.0, 9.99);
        families[0].give_up();
        assert!(open(&families).next().is_some());
    }

    #[test]
    fn unknown_families_are_tried_while_they_are_cheap() {
        let mut families = families();
        assert_eq!(exploration(&families, 0.0), None);
        let mut seen = vec![false; families.len()];
        while let Some(id) = exploration(&families, 1e12) {
            assert!(!std::mem::replace(&mut seen[id.family], true));
            families[id.family].record(id.member, quality(1.0));
        }
        assert!(seen.iter().all(|seen| *seen));
    }

    #[test]
    fn a_family_that_begins_with_large_candidates_is_tried_for_a_share_of_the_work_so_far() {
        let large = Family::new([Candidate {
            option: (),
            size: 900.0,
            price: 900.0,
        }]);
        let spent = 900.0 / SMALLEST_SHARE;
        let alone = [large.clone()];
        assert_eq!(exploration(&alone, spent * 0.9), None);
        assert_eq!(exploration(&alone, spent), Some(id(0, 0)));
        // Two of them share what may be spent.
        let two = [large.clone(), large];
        assert_eq!(exploration(&two, spent * 1.9), None);
        assert_eq!(exploration(&two, spent * 2.0), Some(id(0, 0)));
    }

    #[test]
    fn a_family_that_is_behind_by_small_candidates_is_compared_again() {
        // Nothing larger was bought.
        assert_eq!(second_look(&tried(10.0, 9.0), id(0, 9)), None);
        let with_larger = |others: f64| {
            let mut families = tried(10.0, others);
            families[0].record(3, quality(12.0));
            families
        };
        let mut families = with_larger(9.0);
        let price = families[0].candidates[9].price;
        let mut n_compared = 0;
        while let Some(second) = second_look(&families, id(0, 9)) {
            let it = &families[second.family];
            assert!(second.family > 0);
            assert!(it.candidates[second.member].price <= price * DOUBT_SHARE);
            families[second.family].record(second.member, quality(11.0));
            n_compared += 1;
        }
        assert_eq!(n_compared, 3);
        // A family that isn't behind needs no further comparison.
        assert_eq!(second_look(&with_larger(12.0), id(0, 9)), None);
    }

    #[test]
    fn larger_candidates_are_expected_to_estimate_higher() {
        for it in &tried(10.0, 10.0) {
            let estimate = |i| it.expected(i, Growth::default()).expect("bought").estimate;
            let estimates: Vec<f64> = (0..10).map(estimate).collect();
            assert!(
                estimates.is_sorted() && estimates[0] >= 10.0,
                "{estimates:?}"
            );
        }
    }

    #[test]
    fn the_steps_of_a_node_count_as_the_number_of_nodes_does() {
        let (low, high) = (
            quality(4.0),
            Quality {
                estimate: 6.0,
                steps_of_node: 3.0,
            },
        );
        let ratio = |further| low.ratio_to(high, further, Growth::new(3.0));
        assert!((ratio(0.0) - 3.0 / 9.0).abs() < 1e-12);
        assert!((ratio(1.0) - 2.0 / 9.0).abs() < 1e-12);
    }
}

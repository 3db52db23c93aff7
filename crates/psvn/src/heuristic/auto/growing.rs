//! Families of tables, the members that were built, and forecasts for the larger ones.

use heuristics::tables::{Candidate, Family};

use super::forecast::Forecast;
use super::work::{STEPS_OF_BYTE, Steps};

/// The part of the work so far that the first tables of a family may take where they could be
/// smaller, as most families are given up then, and there are several.
const FIRST_SHARE: f64 = 0.2;
/// The part of the work so far that the smallest tables may take of all families of which nothing
/// was built and that begin with about as much work.
const SMALLEST_SHARE: f64 = 0.75;
/// A family is given up when another one estimates higher by the first factor for no more than the
/// second one times its work.
const CLEARLY: f64 = 1.01;
const AS_MUCH: f64 = 2.0;
/// A family that is behind is compared again when the tables by which it fell behind take less work
/// than those of the other family by this factor, if that takes no more than this share of the work
/// of the tables that would be built next.
const MUCH_SMALLER: f64 = 4.0;
const DOUBT_SHARE: f64 = 0.5;
/// Nodes fall by this power of a table's size where nothing else is known, and by one within these
/// limits where two tables of the family were built.
const USUAL_POWER: f64 = 0.5;
const POWERS: (f64, f64) = (0.1, 1.0);

/// Tables of a family that were built.
#[derive(Clone, Copy)]
pub(super) struct Built {
    /// The number of the candidate in the family.
    pub(super) number: usize,
    /// The work of building them, also where they were read.
    work: Steps,
    /// The mean estimate.
    pub(super) score: f64,
    /// The steps of a node of the search with them.
    pub(super) of_node: Steps,
}

/// A family of tables, as far as it was tried.
#[derive(Clone)]
pub(super) struct Growing {
    pub(super) family: Family,
    /// The first candidate that wasn't passed over yet.
    pub(super) next: usize,
    /// By candidate: whether all its tables are kept from before.
    kept: Vec<bool>,
    /// In the order of their work.
    pub(super) built: Vec<Built>,
}

/// A candidate: the number of its family, and its own.
pub(super) type Place = (usize, usize);

impl Growing {
    pub(super) fn new(family: Family, is_kept: impl Fn(&Candidate) -> bool) -> Self {
        Self {
            kept: family.candidates.iter().map(is_kept).collect(),
            family,
            next: 0,
            built: Vec::new(),
        }
    }

    fn size(&self, candidate: usize) -> Steps {
        self.family.candidates[candidate].work() as f64
    }

    /// Whether all tables of a candidate are kept from before.
    pub(super) fn is_kept(&self, candidate: usize) -> bool {
        self.kept[candidate]
    }

    /// The work to build a candidate, or to read it where it is kept.
    pub(super) fn work(&self, candidate: usize) -> Steps {
        let building = self.size(candidate);
        if self.kept[candidate] {
            building.min(self.family.candidates[candidate].bytes() as f64 * STEPS_OF_BYTE)
        } else {
            building
        }
    }

    /// The score of the largest one that was built.
    fn score(&self) -> Option<f64> {
        self.built.last().map(|built| built.score)
    }

    /// Note the figures of a candidate that was built, if it belongs to this family.
    pub(super) fn built(&mut self, candidate: &Candidate, score: f64, of_node: Steps) {
        let candidates = &self.family.candidates;
        if let Some(number) = candidates.iter().position(|it| it.is_same(candidate)) {
            self.built.push(Built {
                number,
                work: self.size(number),
                score,
                of_node,
            });
            self.built
                .sort_by(|one, other| one.work.total_cmp(&other.work));
            self.next = self.next.max(number + 1);
        }
    }

    /// Give up the family: no further candidate can be built.
    pub(super) fn give_up(&mut self) {
        self.next = self.family.candidates.len();
    }

    /// The expected mean estimate of a candidate, and the steps of a node with it. `None` until a
    /// member of the family is built.
    pub(super) fn expected(&self, candidate: usize, forecast: &Forecast) -> Option<(f64, Steps)> {
        let last = self.built.last()?;
        let power = match self.built[..] {
            [.., before, last] if last.work > before.work => {
                let nodes = forecast.nodes(before.score, last.score);
                (-nodes.ln() / (last.work / before.work).ln()).clamp(POWERS.0, POWERS.1)
            }
            _ => USUAL_POWER,
        };
        let larger = (self.size(candidate) / last.work.max(1.0)).max(1.0);
        let score = last.score + forecast.more(larger.powf(power));
        Some((score, last.of_node))
    }

    /// The largest candidate that takes at most this work, or else the next one.
    fn pick(&self, work: Steps) -> Option<usize> {
        let rest = self.next..self.family.candidates.len();
        let first = rest.clone().next()?;
        let affordable = rest.rev().find(|i| self.work(*i) <= work);
        Some(affordable.unwrap_or(first))
    }

    /// Whether another family has clearly higher estimates for about the same work or less.
    fn is_behind(&self, other: &Self) -> bool {
        self.built.last().is_some_and(|mine| {
            let mut known = other.built.iter();
            known.any(|it| it.work <= mine.work * AS_MUCH && it.score > mine.score * CLEARLY)
        })
    }
}

/// The first tables of a family of which nothing was built yet, where they are cheap beside the
/// work so far.
///
/// A family may begin with large tables. They are built when as much work was done as they take,
/// together with those of other unknown families that begin with about as much: whichever of them
/// serves, what is built for nothing is no more than what was searched.
pub(super) fn unknown(growing: &[Growing], spent: Steps) -> Option<Place> {
    let unknown = growing.iter().enumerate();
    let unknown = unknown.filter(|(_, it)| it.score().is_none());
    let most = spent * FIRST_SHARE;
    let cheap = unknown.clone().find_map(|(number, it)| {
        let candidate = it.pick(most)?;
        (it.work(candidate) <= most).then_some((number, candidate))
    });
    let smallest = || {
        let smallest = unknown.filter_map(|(number, it)| {
            let has_more = it.next < it.family.candidates.len();
            has_more.then(|| (it.work(it.next), (number, it.next)))
        });
        let least = smallest.clone().map(|(work, _)| work);
        let least = least.min_by(f64::total_cmp)?;
        // Families that begin with about as much share what may be spent.
        let together = smallest.clone().map(|(work, _)| work);
        let together: Steps = together.filter(|work| *work <= least * AS_MUCH).sum();
        let (_, place) = smallest.clone().find(|(work, _)| *work <= least)?;
        (together <= spent * SMALLEST_SHARE).then_some(place)
    };
    cheap.or_else(smallest)
}

/// A candidate that is built before another one: of the best family that is behind by far smaller
/// tables than were built of the other one's family, if one about as large as these is cheap beside
/// the other candidate. Small tables say little about which family has the better large ones.
pub(super) fn doubted(growing: &[Growing], (number, candidate): Place) -> Option<Place> {
    let most = growing[number].work(candidate) * DOUBT_SHARE;
    let largest = growing[number].built.last()?.work;
    let is_doubted = |it: &Growing| {
        let mut built = it.built.last().into_iter();
        built.any(|built| built.work * MUCH_SMALLER <= largest)
            && growing.iter().any(|other| it.is_behind(other))
    };
    let doubted = growing.iter().enumerate();
    let doubted = doubted.filter(|(_, it)| is_doubted(it));
    let places = doubted.filter_map(|(number, it)| {
        let candidate = it.pick(most)?;
        let is_comparable = it.size(candidate) * AS_MUCH >= largest;
        let is_cheap = it.work(candidate) <= most;
        (is_cheap && is_comparable).then_some((it.score()?, (number, candidate)))
    });
    let best = places.max_by(|one, other| one.0.total_cmp(&other.0));
    best.map(|(_, place)| place)
}

/// The candidates that may still be built: all larger ones of the families that are not given up,
/// and the first of each family without built members.
pub(super) fn open(growing: &[Growing]) -> impl Iterator<Item = Place> + '_ {
    let is_behind = |it: &Growing| growing.iter().any(|other| it.is_behind(other));
    let families = growing.iter().enumerate();
    let families = families.filter(move |(_, it)| !is_behind(it));
    families.flat_map(|(number, it)| {
        let end = match it.score() {
            Some(_) => it.family.candidates.len(),
            None => it.family.candidates.len().min(it.next + 1),
        };
        (it.next..end).map(move |candidate| (number, candidate))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use heuristics::tables::families;
    use invariants::Invariants;
    use pattern_databases::Options;

    use super::*;

    /// Families of the 8-puzzle, found once for all tests.
    static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
        let text = domains::generate("sliding-tiles", &["3", "3"]).expect("a built-in game");
        let game = psvn_ir::load(&text).game.expect("a game without errors");
        let known = Invariants::from_goals(&game);
        families(&game, &known, &Options::default(), 1 << 30, &[])
    });

    /// These families, the one whose first tables are the least work first.
    fn of_eights() -> Vec<Growing> {
        let found = FAMILIES.iter().cloned();
        let growing = found.map(|it| Growing::new(it, |_| false));
        let mut growing: Vec<Growing> = growing.collect();
        growing.sort_by(|one, other| one.work(0).total_cmp(&other.work(0)));
        assert!(growing.len() > 2);
        growing
    }

    /// Families in which the first one's first tables have a score, and those of all others another
    /// one.
    fn tried(score: f64, others: f64) -> Vec<Growing> {
        let mut growing = of_eights();
        for (number, it) in growing.iter_mut().enumerate() {
            let candidate = it.family.candidates[0].clone();
            it.built(&candidate, if number == 0 { score } else { others }, 1.0);
        }
        growing
    }

    #[test]
    fn families_that_are_behind_are_not_built_when_the_best_one_ends() {
        let mut growing = tried(10.0, 9.0);
        assert!(open(&growing).all(|(number, _)| number == 0));
        growing[0].give_up();
        assert_eq!(open(&growing).next(), None);
        // As good as the best one.
        let mut growing = tried(10.0, 9.99);
        growing[0].give_up();
        assert!(open(&growing).next().is_some());
    }

    #[test]
    fn unknown_families_are_tried_while_they_are_cheap() {
        let mut growing = of_eights();
        assert_eq!(unknown(&growing, 0.0), None);
        let mut seen = vec![false; growing.len()];
        while let Some((number, candidate)) = unknown(&growing, 1e12) {
            assert!(!std::mem::replace(&mut seen[number], true));
            let candidate = growing[number].family.candidates[candidate].clone();
            growing[number].built(&candidate, 1.0, 1.0);
        }
        assert!(seen.iter().all(|seen| *seen));
    }

    #[test]
    fn a_family_that_begins_with_large_tables_is_tried_for_a_share_of_the_work_so_far() {
        let mut growing = of_eights();
        let first = growing.pop().expect("a family");
        let mut large = first.clone();
        large.next = large.family.candidates.len() - 1;
        let work = large.work(large.next) / SMALLEST_SHARE;
        let place = |growing: &[Growing], spent| unknown(growing, spent);
        let last = large.next;
        let alone = [large];
        assert_eq!(place(&alone, work * 0.9), None);
        assert_eq!(place(&alone, work), Some((0, last)));
        // Two of them share what may be spent.
        let two = [alone[0].clone(), alone[0].clone()];
        assert_eq!(place(&two, work * 1.9), None);
        assert_eq!(place(&two, work * 2.0), Some((0, last)));
    }

    #[test]
    fn a_family_that_is_behind_by_small_tables_is_compared_again() {
        let growing = tried(10.0, 9.0);
        let last = growing[0].family.candidates.len() - 1;
        // Nothing larger was built.
        assert_eq!(doubted(&growing, (0, last)), None);
        let first_built = growing[0].size(0);
        let far = (1..last).find(|i| growing[0].size(*i) >= first_built * 2.0 * MUCH_SMALLER);
        let far = far.expect("larger tables");
        let with_larger = |others: f64| {
            let mut growing = tried(10.0, others);
            let candidate = growing[0].family.candidates[far].clone();
            growing[0].built(&candidate, 12.0, 1.0);
            growing
        };
        let mut growing = with_larger(9.0);
        let work = growing[0].work(last);
        let mut n_compared = 0;
        while let Some((number, candidate)) = doubted(&growing, (0, last)) {
            let it = &growing[number];
            assert!(number > 0 && it.work(candidate) <= work * DOUBT_SHARE);
            let candidate = it.family.candidates[candidate].clone();
            growing[number].built(&candidate, 11.0, 1.0);
            n_compared += 1;
        }
        assert!(n_compared > 0 && n_compared < growing.len());
        // A family that isn't behind needs no further comparison.
        assert_eq!(doubted(&with_larger(12.0), (0, last)), None);
    }

    #[test]
    fn larger_tables_are_expected_to_say_more() {
        let growing = tried(10.0, 10.0);
        let forecast = Forecast::default();
        for it in &growing {
            let last = it.family.candidates.len() - 1;
            let scores = (0..=last).map(|i| it.expected(i, &forecast).expect("built").0);
            let scores: Vec<f64> = scores.collect();
            assert!(scores.is_sorted() && scores[0] >= 10.0, "{scores:?}");
        }
    }

    #[test]
    fn tables_that_are_kept_cost_what_reading_takes() {
        let growing = of_eights();
        let family = growing[growing.len() - 1].family.clone();
        let [built, kept] = [false, true].map(|kept| Growing::new(family.clone(), |_| kept));
        let last = family.candidates.len() - 1;
        assert!(kept.work(last) < built.work(last));
        assert!(kept.is_kept(last) && !built.is_kept(last));
    }
}

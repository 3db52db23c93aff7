//! Whether a transposition table pays in IDA\*, decided between two bounds.
//!
//! With a table each node takes longer, but what lies below a state that is reached again is not
//! searched again. Only a try shows how often that happens. So finished bounds are searched again
//! with a table, from small ones on, for a small part of the work that the next bound is expected
//! to take. Where that is less work, if nodes continue to grow with the bounds as in the try, the
//! table is used from then on. Otherwise the next try waits for a bound that is many times as
//! large: the share of repeated states grows with the bounds.

use search::{Iteration, Part, SolveReport};

use super::forecast::next_nodes;
use super::work::Steps;
use crate::text::units::{format_bytes, group_digits};

/// The steps that a table adds to each node: its state and bounds are stored and looked up, and the
/// fastest walks can't be used.
pub(super) const OF_TABLE: Steps = 200.0;
/// The part of the next bound's work that a try may take.
const SHARE_OF_NEXT: f64 = 0.05;
/// A try that may make fewer nodes says too little.
const LEAST_NODES: f64 = 2_000.0;
/// A bound with fewer nodes says nothing.
const LEAST_OF_BOUND: u64 = 100;
/// The factor of nodes of the next bound from one try to the next.
const UNTIL_NEXT_TRY: f64 = 10.0;
/// A table pays where the next bound is expected to take at most this part of the work.
const PAYS: f64 = 0.7;
/// A smaller table forgets too much.
const LEAST_BYTES: usize = 1 << 20;
/// The bytes of a table for each node that a bound is expected to have. A table that is too large
/// has to be cleared in vain.
const BYTES_OF_NODE: f64 = 256.0;

/// Return the bytes of a table for a bound of about this many nodes, where it has at most `most`.
fn bytes_for(nodes: f64, most: usize) -> usize {
    ((nodes * BYTES_OF_NODE) as usize).clamp(LEAST_BYTES, most)
}

/// The decision for a search.
#[derive(Clone, Debug)]
pub(crate) struct Transpositions {
    /// The bytes of the table, if one may be used.
    bytes: Option<usize>,
    is_used: bool,
    /// The expected nodes of the next bound when a table was tried.
    tried: f64,
}

/// The search of a bound with a table, within a number of nodes.
pub(crate) struct BoundWithTable {
    pub(crate) bound: u64,
    pub(crate) bytes: usize,
    pub(crate) most_nodes: u64,
}

impl BoundWithTable {
    /// Return the part of a search that is this bound alone.
    pub(crate) fn part(&self) -> Part {
        Part {
            first_bound: self.bound,
            last_generated: 0,
            pause_above: 0,
        }
    }
}

/// The result of such a search.
pub(crate) struct SearchedBound {
    nodes: u64,
    /// `None` if it wasn't finished.
    finished: Option<Iteration>,
}

impl From<&SolveReport> for SearchedBound {
    fn from(report: &SolveReport) -> Self {
        let last = report.iterations.last().copied();
        Self {
            nodes: u64::try_from(report.totals.generated).unwrap_or(u64::MAX),
            finished: last.filter(|_| report.next_bound.is_some()),
        }
    }
}

/// The result of a try.
pub(crate) struct TableTry {
    /// Its work.
    pub(crate) work: Steps,
    /// If the table pays: the bounds that the try finished.
    pub(crate) bounds: Option<Vec<Iteration>>,
}

impl Transpositions {
    /// A search that may use a table of this size, and uses it at once if that is known to pay.
    pub(crate) fn new(bytes: Option<usize>, is_used: bool) -> Self {
        let bytes = bytes.filter(|bytes| *bytes >= LEAST_BYTES);
        Self {
            is_used: is_used && bytes.is_some(),
            bytes,
            tried: 0.0,
        }
    }

    /// Return whether a table is used.
    pub(crate) fn are_used(&self) -> bool {
        self.is_used
    }

    /// Return the bytes of the table for a bound of about this many nodes, if one is used, and
    /// whether a larger one is of use for the bounds after it.
    pub(crate) fn table_for(&self, nodes: f64) -> Option<(usize, bool)> {
        let most = self.bytes.filter(|_| self.is_used)?;
        if nodes > 0.0 && nodes * BYTES_OF_NODE < most as f64 {
            Some((bytes_for(nodes, most), true))
        } else {
            Some((most, false))
        }
    }

    /// Return whether a try may still decide to use a table.
    fn is_open(&self) -> bool {
        self.bytes.is_some() && !self.is_used
    }

    /// Return the steps of a node, given those without a table.
    pub(crate) fn steps_of_node(&self, without: Steps) -> Steps {
        if self.is_used {
            without + OF_TABLE
        } else {
            without
        }
    }

    /// Return the nodes of a search without a table after which it should pause for a try.
    pub(crate) fn pause_above(&self) -> u64 {
        if self.is_open() {
            LEAST_NODES as u64
        } else {
            u64::MAX
        }
    }

    /// Try a table on finished bounds, where the next one is expected to have `next_nodes` nodes.
    /// The try takes at most `most` steps; a node takes `steps` without a table. Return `None` if
    /// it isn't time for it.
    pub(crate) fn try_table(
        &mut self,
        finished: &[Iteration],
        next: Option<u64>,
        most: Steps,
        steps: Steps,
        mut search: impl FnMut(BoundWithTable) -> Option<SearchedBound>,
    ) -> Option<TableTry> {
        let most_bytes = self.bytes.filter(|_| !self.is_used)?;
        let next_nodes = next_nodes(finished, next);
        let with_table = steps + OF_TABLE;
        let most_nodes = most.min(next_nodes * steps * SHARE_OF_NEXT) / with_table;
        if most_nodes < LEAST_NODES || next_nodes < self.tried * UNTIL_NEXT_TRY {
            return None;
        }
        self.tried = next_nodes;
        let mut bounds = Vec::new();
        let mut made = 0;
        let counts = |it: &&Iteration| it.generated >= LEAST_OF_BOUND;
        for before in finished.iter().filter(counts) {
            let searched = search(BoundWithTable {
                bound: before.bound,
                bytes: bytes_for(before.generated as f64, most_bytes),
                most_nodes: (most_nodes as u64).saturating_sub(made),
            });
            let Some(searched) = searched else { break };
            made += searched.nodes;
            let Some(finished) = searched.finished else {
                break;
            };
            bounds.push(finished);
        }
        let expected = self::next_nodes(&bounds, next);
        self.is_used = expected > 0.0 && expected * with_table <= PAYS * next_nodes * steps;
        Some(TableTry {
            work: made as f64 * with_table,
            bounds: self.is_used.then_some(bounds),
        })
    }

    /// Describe a try that decided for the table, for a search that continues with a bound.
    pub(crate) fn words(
        &self,
        without: &[Iteration],
        with: &[Iteration],
        next: u64,
    ) -> Option<String> {
        let with = with.last()?;
        let before = without.iter().rev().find(|it| it.bound == with.bound)?;
        Some(format!(
            "from bound {next} on, a transposition table of {} is used: with one, bound {} takes \
             {} nodes instead of {}",
            format_bytes(self.bytes? as u128),
            with.bound,
            group_digits(u128::from(with.generated)),
            group_digits(u128::from(before.generated)),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps of a node without a table. With one it takes twice as many.
    const STEPS: Steps = OF_TABLE;

    fn iteration(bound: u64, generated: u64) -> Iteration {
        Iteration {
            bound,
            generated,
            expanded: 0,
            pruned_by_machine: 0,
            pruned_by_cycle: 0,
        }
    }

    /// A search of one bound that takes `nodes` nodes.
    fn searched(bound: &BoundWithTable, nodes: u64) -> SearchedBound {
        let is_finished = nodes <= bound.most_nodes;
        SearchedBound {
            nodes: nodes.min(bound.most_nodes),
            finished: is_finished.then(|| iteration(bound.bound, nodes)),
        }
    }

    fn decide(
        table: &mut Transpositions,
        finished: &[Iteration],
        with: impl Fn(u64) -> u64,
    ) -> Option<(f64, bool)> {
        let next = finished.last().map(|it| it.bound + 1);
        let tried = table.try_table(finished, next, f64::INFINITY, STEPS, |bound| {
            let nodes = with(bound.bound);
            Some(searched(&bound, nodes))
        })?;
        Some((tried.work, tried.bounds.is_some()))
    }

    #[test]
    fn a_table_is_used_where_it_is_expected_to_take_less_work() {
        // Ten times as many nodes in each bound.
        let finished: Vec<Iteration> = (0..7)
            .map(|bound| iteration(bound, 10_u64.pow(bound as u32)))
            .collect();
        let next = 1e7;
        // A node takes twice as long with the table.
        for (growth, pays) in [(2, true), (5, true), (8, true), (9, false), (11, false)] {
            let mut table = Transpositions::new(Some(LEAST_BYTES), false);
            // As many nodes in the first bound that counts.
            let nodes = |bound| 100 * growth_to(growth, bound - 2);
            let (work, is_used) = decide(&mut table, &finished, nodes).expect("a try");
            assert_eq!(is_used, pays, "{growth}");
            assert_eq!(table.are_used(), pays);
            assert!(work <= next * STEPS * SHARE_OF_NEXT, "{work}");
        }
        let mut none = Transpositions::new(None, true);
        assert_eq!(decide(&mut none, &finished, |_| 1), None);
        // The next bound has too few nodes.
        let mut table = Transpositions::new(Some(LEAST_BYTES), false);
        assert_eq!(decide(&mut table, &finished[..4], |_| 1), None);
    }

    fn growth_to(growth: u64, bounds: u64) -> u64 {
        growth.pow(u32::try_from(bounds).expect("few"))
    }

    #[test]
    fn the_table_is_no_larger_than_its_bound_needs() {
        let table = Transpositions::new(Some(1 << 30), true);
        let mib = |mib: usize| mib << 20;
        assert_eq!(table.table_for(10.0), Some((mib(1), true)));
        assert_eq!(table.table_for(mib(1) as f64), Some((mib(256), true)));
        assert_eq!(table.table_for(mib(8) as f64), Some((mib(1024), false)));
        // Nothing is known about the first bounds.
        assert_eq!(table.table_for(0.0), Some((mib(1024), false)));
        assert_eq!(
            Transpositions::new(Some(1 << 30), false).table_for(10.0),
            None
        );
        assert_eq!(
            Transpositions::new(Some(1 << 10), true).table_for(10.0),
            None
        );
    }

    #[test]
    fn tries_in_vain_become_rare() {
        let mut table = Transpositions::new(Some(LEAST_BYTES), false);
        let mut finished: Vec<Iteration> = Vec::new();
        let (mut all, mut in_vain, mut tries) = (0.0, 0.0, 0);
        for bound in 0..20 {
            let nodes = growth_to(3, bound);
            all += nodes as f64;
            finished.push(iteration(bound, nodes));
            if let Some((work, is_used)) = decide(&mut table, &finished, |_| u64::MAX) {
                in_vain += work / STEPS;
                tries += 1;
                assert!(!is_used);
            }
            assert!(in_vain <= 0.12 * all, "{in_vain} of {all}");
        }
        assert!((2..=5).contains(&tries), "{tries}");
    }
}

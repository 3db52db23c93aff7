//! Whether a transposition table pays, decided between two iterations.
//!
//! With a table each node takes longer, but what lies below a state that is reached again is not
//! searched again. Only a trial shows how often that happens. So finished iterations are searched
//! again with a table, from small ones on, for a small part of the work that the next one is
//! expected to take. Where that is less work, if nodes continue to grow with the bounds as in the
//! trial, the table is used from then on. Otherwise the next trial waits for an iteration that is
//! many times as large: the share of repeated states grows with the bounds.

use crate::iterations::{Deepening, Iteration};
use crate::offers::Offer;
use crate::{SHARE_OF_TABLE_TRIALS, Steps};

/// The steps that a table adds to each node: its state and bounds are stored and looked up, which
/// misses the caches, and the fastest walks can't be used.
pub const STEPS_OF_TABLE: Steps = 200.0;
/// A trial that may make fewer nodes shows too little.
const LEAST_NODES: f64 = 2_000.0;
/// An iteration with fewer nodes shows nothing.
const LEAST_OF_ITERATION: u64 = 100;
/// The factor of nodes of the next iteration from one trial to the next. Trials in vain then take
/// together, as a geometric series, 10/9 of the share of the last one.
const UNTIL_NEXT_TRIAL: f64 = 10.0;
/// The least part of the work of the next iteration that a table must save: a margin for the
/// forecast, which is by the growth of small iterations.
const LEAST_SAVING: f64 = 0.3;
/// A smaller table forgets too much.
const LEAST_BYTES: usize = 1 << 20;
/// The bytes of a table for each node that an iteration is expected to have. A table that is too
/// large has to be cleared in vain.
const BYTES_OF_NODE: f64 = 256.0;

/// Return the bytes of a table for about this many nodes, where it has at most `most`.
fn bytes_for(nodes: f64, most: usize) -> usize {
    ((nodes * BYTES_OF_NODE) as usize).clamp(LEAST_BYTES, most)
}

/// The decision for a search.
#[derive(Clone, Debug)]
pub struct Transpositions {
    /// The most bytes of the table, if one may be used.
    bytes: Option<usize>,
    is_used: bool,
    /// The expected nodes of the next iteration when a table was tried.
    tried_at: f64,
}

/// The search of an iteration with a table, within a number of nodes.
#[derive(Clone, Copy, Debug)]
pub struct WithTable {
    /// The bound.
    pub bound: u64,
    /// The bytes of the table.
    pub bytes: usize,
    /// The most nodes.
    pub most_nodes: u64,
}

/// The result of such a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchedWithTable {
    /// The nodes that it generated.
    pub nodes: u64,
    /// The iteration; `None` if it wasn't finished.
    pub finished: Option<Iteration>,
}

/// The result of a trial.
#[derive(Clone, Debug)]
pub struct TableTrial {
    /// Its work.
    pub work: Steps,
    /// If the table pays: the iterations that the trial finished.
    pub finished: Option<Vec<Iteration>>,
}

impl Transpositions {
    /// Return a search that may use a table of at most this size, and uses it at once if that is
    /// known to pay.
    pub fn new(bytes: Option<usize>, is_used: bool) -> Self {
        let bytes = bytes.filter(|bytes| *bytes >= LEAST_BYTES);
        Self {
            is_used: is_used && bytes.is_some(),
            bytes,
            tried_at: 0.0,
        }
    }

    /// Return whether a table is used.
    pub fn are_used(&self) -> bool {
        self.is_used
    }

    /// Return the most bytes of the table, if one may be used.
    pub fn most_bytes(&self) -> Option<usize> {
        self.bytes
    }

    /// Return the bytes of the table for an iteration of about this many nodes, if one is used, and
    /// whether a larger one is of use for those after it.
    pub fn table_for(&self, nodes: f64) -> Option<(usize, bool)> {
        let most = self.bytes.filter(|_| self.is_used)?;
        if nodes > 0.0 && nodes * BYTES_OF_NODE < most as f64 {
            Some((bytes_for(nodes, most), true))
        } else {
            Some((most, false))
        }
    }

    /// Return the steps of a node, given those without a table.
    pub fn steps_of_node(&self, without: Steps) -> Steps {
        if self.is_used {
            without + STEPS_OF_TABLE
        } else {
            without
        }
    }

    /// Return the nodes of a search without a table after which it should pause for a trial.
    pub fn pause_above(&self) -> u64 {
        if self.bytes.is_some() && !self.is_used {
            LEAST_NODES as u64
        } else {
            u64::MAX
        }
    }

    /// Try a table on finished iterations, between two of them. The trial takes at most `most`
    /// steps; a node takes `steps_of_node` without a table; `search` is asked to search iterations
    /// with one. Return `None` if it isn't time for it.
    pub fn try_table(
        &mut self,
        between: Deepening<'_>,
        most: Steps,
        steps_of_node: Steps,
        mut search: impl FnMut(WithTable) -> Option<SearchedWithTable>,
    ) -> Option<TableTrial> {
        let most_bytes = self.bytes.filter(|_| !self.is_used)?;
        let next_nodes = between.next_nodes();
        let next = next_nodes * steps_of_node;
        let with_table = steps_of_node + STEPS_OF_TABLE;
        let most_nodes = most.min(next * SHARE_OF_TABLE_TRIALS) / with_table;
        if most_nodes < LEAST_NODES || next_nodes < self.tried_at * UNTIL_NEXT_TRIAL {
            return None;
        }
        self.tried_at = next_nodes;
        let mut finished = Vec::new();
        let mut generated = 0;
        let counts = |it: &&Iteration| it.nodes >= LEAST_OF_ITERATION;
        for before in between.finished.iter().filter(counts) {
            let searched = search(WithTable {
                bound: before.bound,
                bytes: bytes_for(before.nodes as f64, most_bytes),
                most_nodes: (most_nodes as u64).saturating_sub(generated),
            });
            let Some(searched) = searched else { break };
            generated += searched.nodes;
            let Some(iteration) = searched.finished else {
                break;
            };
            finished.push(iteration);
        }
        let expected = Deepening {
            finished: &finished,
            next: between.next,
        };
        self.is_used = pays(expected.next_nodes() * with_table, next);
        Some(TableTrial {
            work: generated as f64 * with_table,
            finished: self.is_used.then_some(finished),
        })
    }
}

/// Whether the next iteration takes clearly less work with a table. Nothing is to be paid for it,
/// apart from the margin; `with` is 0 where nothing is known.
fn pays(with: Steps, without: Steps) -> bool {
    let offer = Offer {
        option: (),
        price: LEAST_SAVING * without,
        saving: without - with,
    };
    with > 0.0 && offer.gain() > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps of a node without a table. With one it takes twice as many.
    const STEPS: Steps = STEPS_OF_TABLE;

    fn iteration(bound: u64, nodes: u64) -> Iteration {
        Iteration { bound, nodes }
    }

    /// A search of one bound that takes `nodes` nodes.
    fn searched(bound: &WithTable, nodes: u64) -> SearchedWithTable {
        let is_finished = nodes <= bound.most_nodes;
        SearchedWithTable {
            nodes: nodes.min(bound.most_nodes),
            finished: is_finished.then(|| iteration(bound.bound, nodes)),
        }
    }

    fn decide(
        table: &mut Transpositions,
        finished: &[Iteration],
        with: impl Fn(u64) -> u64,
    ) -> Option<(f64, bool)> {
        let between = Deepening {
            finished,
            next: finished.last().map(|it| it.bound + 1),
        };
        let tried = table.try_table(between, f64::INFINITY, STEPS, |bound| {
            let nodes = with(bound.bound);
            Some(searched(&bound, nodes))
        })?;
        Some((tried.work, tried.finished.is_some()))
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
            assert!(work <= next * STEPS * SHARE_OF_TABLE_TRIALS, "{work}");
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

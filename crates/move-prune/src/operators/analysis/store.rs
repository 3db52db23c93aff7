//! The second step of a level: store and compare instances.

use budget::StopReason;
use rayon::prelude::*;

use super::Search;
use super::extend::GROUPS_BETWEEN_CHECKS;
use crate::generalization::demands::Key;
use crate::generalization::retrieval::Costs;
use crate::limits::make_room;
use crate::operators::open_instances::{Candidate, Child, Node};
use crate::words::WordId;

/// The number of instances stored between two checks of the limits; those of one label word stay
/// together.
const STORED_BETWEEN_CHECKS: usize = 1 << 14;

/// The temporary bytes for handing an instance to the tree: its demands as a slice, its hash, and
/// its place in the list of a shard, which doubles.
const BYTES_TO_INSERT: usize = size_of::<(WordId, &[Key])>() + size_of::<u64>() + 12;

/// A stored sequence hardly ever takes more bytes than this. While few are stored, the spare
/// capacity would seem to be part of each.
const MOST_BYTES_STORED: usize = 256;

impl Search<'_> {
    /// Return the approximate bytes of candidates in the tree: each counts as much as a stored one.
    pub(super) fn bytes_in_tree(&self, children: &[Child]) -> usize {
        let new: usize = children.iter().map(|child| child.candidates.len()).sum();
        let each = (self.tree.bytes() / self.nodes.len().max(1)).min(MOST_BYTES_STORED);
        new * each
    }

    /// Number the candidates in the order of their label words, and store them. Covered ones do no
    /// harm: what they generalize, an earlier one generalizes as well.
    pub(super) fn store(
        &mut self,
        children: &mut [Child],
        pending: usize,
    ) -> Result<(), StopReason> {
        let new: usize = children.iter().map(|child| child.candidates.len()).sum();
        if self.nodes.len() + new >= (u32::MAX / 2) as usize {
            return Err(StopReason::Memory);
        }
        let mut rest = children;
        while !rest.is_empty() {
            let (mut n_children, mut n_new) = (0, 0);
            for child in &*rest {
                if n_children > 0 && n_new + child.candidates.len() > STORED_BETWEEN_CHECKS {
                    break;
                }
                n_children += 1;
                n_new += child.candidates.len();
            }
            let held = self.bytes() + pending;
            make_room(&self.watch, &mut self.nodes, n_new, held)?;
            if !self.uniform {
                let held = self.bytes() + pending;
                make_room(&self.watch, &mut self.costs, n_new, held)?;
            }
            self.check(pending + n_new * BYTES_TO_INSERT)?;
            let (some, others) = rest.split_at_mut(n_children);
            self.store_some(some);
            rest = others;
        }
        self.check(pending)
    }

    fn store_some(&mut self, children: &mut [Child]) {
        for child in children.iter_mut() {
            child.first = self.nodes.len() as u32;
            for candidate in &child.candidates {
                self.nodes.push(Node {
                    parent: candidate.parent,
                    rule: candidate.rule,
                });
                if !self.uniform {
                    self.costs.push(candidate.cost);
                }
                let (start, end) = candidate.demands;
                self.known.note(self.keys, &child.demands[start..end]);
            }
        }
        let lists = children.iter().flat_map(|child| {
            let ids = child.first..;
            ids.map(WordId)
                .zip(child.candidates.iter().map(|candidate| {
                    let (start, end) = candidate.demands;
                    &child.demands[start..end]
                }))
        });
        let words: Vec<(WordId, &[Key])> = lists.collect();
        let costs = if self.uniform {
            Costs::Uniform
        } else {
            Costs::Each(&self.costs)
        };
        self.tree.insert(&words, costs);
    }

    /// Find the candidates of each label word that no instance of an earlier label word covers.
    pub(super) fn compare(
        &self,
        children: &[Child],
        pending: usize,
    ) -> Result<Vec<Vec<bool>>, StopReason> {
        let mut is_open: Vec<Vec<bool>> = Vec::with_capacity(children.len());
        for some in children.chunks(GROUPS_BETWEEN_CHECKS) {
            let found = some.par_iter().map_init(
                || self.bench(),
                |bench, child| {
                    let is_open = |candidate: &Candidate| {
                        let (start, end) = candidate.demands;
                        let demands = &child.demands[start..end];
                        let admits = self.instances.admits;
                        bench.list_facts(self.keys, demands, &self.known, admits);
                        let before = WordId(child.first);
                        self.tree
                            .find(&bench.facts, before, candidate.cost, self.costs())
                            .is_none()
                    };
                    child.candidates.iter().map(is_open).collect()
                },
            );
            is_open.par_extend(found);
            self.check(pending)?;
        }
        Ok(is_open)
    }
}

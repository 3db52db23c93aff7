//! The first step of a level: extend all label words of the last length, and their open instances,
//! by one letter.

use budget::StopReason;
use rayon::prelude::*;

use super::Search;
use crate::analysis::extension::{Bench, cost_of};
use crate::generalization::demands::Key;
use crate::limits::{make_room, report_and_check};
use crate::operators::open_instances::{Candidate, Child, Leaf};
use crate::words::WordId;

/// The number of label words extended between two checks of the limits.
pub(super) const GROUPS_BETWEEN_CHECKS: usize = 4096;

impl Search<'_> {
    /// Extend all label words of the last length, and their open instances. The second list has the
    /// blind changes of the new instances that weren't known yet.
    pub(super) fn extend(&self, length: usize) -> Result<(Vec<Child>, Vec<Key>), StopReason> {
        let places: Vec<usize> = (0..self.open.ends.len()).collect();
        let mut children: Vec<Child> = Vec::new();
        let mut blind: Vec<Key> = Vec::new();
        let mut pending = 0;
        let mut done = 0;
        // If memory is limited, extend one word first to measure how much it takes: it may have
        // very many instances.
        let mut at_once = match self.watch.limits().memory {
            Some(_) => 1,
            None => GROUPS_BETWEEN_CHECKS,
        };
        while done < places.len() {
            let chunk = &places[done..(done + at_once).min(places.len())];
            let lists = |children: &Vec<Child>, blind: &Vec<Key>| {
                children.capacity() * size_of::<Child>() + blind.capacity() * size_of::<Key>()
            };
            let bytes = self.bytes() + pending + lists(&children, &blind);
            let parts = (done, places.len());
            report_and_check(&self.watch, length, parts, bytes, &mut |at| {
                self.progress.inspect(|progress| progress(at));
            })?;
            done += chunk.len();
            let before = pending;
            let new: Vec<(Vec<Child>, Vec<Key>)> = chunk
                .par_iter()
                .map_init(
                    || self.bench(),
                    |bench, place| self.extend_group(bench, length, *place),
                )
                .collect();
            let here = |(children, blind): &(Vec<Child>, Vec<Key>)| {
                children.iter().map(Child::bytes).sum::<usize>() + lists(children, blind)
            };
            let held = self.bytes() + pending + new.iter().map(here).sum::<usize>();
            let n_blind = new.iter().map(|(_, blind)| blind.len()).sum();
            let n_children = new.iter().map(|(children, _)| children.len()).sum();
            let with_lists = held + lists(&children, &blind);
            make_room(&self.watch, &mut blind, n_blind, with_lists)?;
            let with_lists = held + lists(&children, &blind);
            make_room(&self.watch, &mut children, n_children, with_lists)?;
            for (new_children, new_blind) in new {
                blind.extend(new_blind);
                for mut child in new_children {
                    child.candidates.shrink_to_fit();
                    child.demands.shrink_to_fit();
                    pending += child.bytes();
                    children.push(child);
                }
            }
            blind.sort_unstable();
            blind.dedup();
            let most = self.groups_at_once((pending - before) / chunk.len());
            at_once = most.min(2 * at_once);
        }
        Ok((children, blind))
    }

    /// Return the number of label words to extend before the next check of the limits, small enough
    /// that they take a small part of the memory.
    fn groups_at_once(&self, bytes_of_one: usize) -> usize {
        let most = self
            .watch
            .limits()
            .memory
            .map_or(usize::MAX, |memory| memory / 64 / bytes_of_one.max(1));
        most.clamp(1, GROUPS_BETWEEN_CHECKS)
    }

    fn extend_group(
        &self,
        bench: &mut Bench,
        length: usize,
        place: usize,
    ) -> (Vec<Child>, Vec<Key>) {
        let parent = self.open.groups.start + place as u32;
        let mut children = Vec::new();
        let mut blind = Vec::new();
        for letter in 0..self.instances.n_letters as u32 {
            let suffix = match length {
                1 => 0,
                _ => {
                    let suffix = self.groups[parent as usize].suffix;
                    match self.open.group_of.get(&(suffix, letter)) {
                        Some(suffix) => *suffix,
                        // The end of the word is redundant or impossible.
                        None => continue,
                    }
                }
            };
            let mut child = Child {
                parent,
                letter,
                suffix,
                candidates: Vec::new(),
                demands: Vec::new(),
                first: 0,
            };
            for leaf in self.open.leaves_of(place) {
                self.extend_leaf(bench, leaf, &mut child, &mut blind);
            }
            children.push(child);
        }
        (children, blind)
    }

    fn extend_leaf(&self, bench: &mut Bench, leaf: &Leaf, child: &mut Child, blind: &mut Vec<Key>) {
        let (start, end) = leaf.demands;
        let demands = &self.open.demands[start..end];
        self.keys
            .restore(demands, &mut bench.preconditions, &mut bench.actions);
        for rule in self.instances.after(leaf.last, child.letter) {
            let suffix = match leaf.last {
                None => 0,
                Some(_) => match self.open.node_of.get(&(leaf.suffix, *rule)) {
                    Some(suffix) => *suffix,
                    None => continue,
                },
            };
            let composer = &mut bench.composer;
            composer.load_parts(&bench.preconditions, &bench.actions, leaf.cost);
            if composer
                .append(&self.instances.rules[rule.index()])
                .is_err()
            {
                continue;
            }
            let (p, a, cost) = (
                composer.preconditions(),
                composer.actions(),
                cost_of(composer),
            );
            let Some(closed) = bench.closure.close(self.instances.admits, p, a) else {
                continue;
            };
            let facts = &mut bench.facts;
            facts.list(closed.preconditions, closed.actions, &self.known);
            let shorter = self
                .tree
                .find(&bench.facts, WordId(u32::MAX), cost, self.costs());
            if shorter.is_some() {
                continue;
            }
            let start = child.demands.len();
            self.known.list_blind(self.keys, (p, a), closed, blind);
            self.keys.push_demands(p, a, &mut child.demands);
            child.candidates.push(Candidate {
                parent: leaf.node,
                rule: *rule,
                suffix,
                cost,
                demands: (start, child.demands.len()),
            });
        }
    }
}

//! The last step of a level: list the kept and the redundant words.

use budget::StopReason;

use super::Search;
use crate::limits::make_room;
use crate::operators::certify::{Verdict, instances_bytes, word_bytes};
use crate::operators::open_instances::{Child, Group, Leaf, OpenInstances};
use crate::operators::result::{OperatorLevel, RedundantOperatorWord};

impl Search<'_> {
    /// Make room for the label words that are kept, and for those that are redundant.
    pub(super) fn make_room_for_kept(
        &mut self,
        verdicts: &[Option<Verdict>],
        pending: usize,
    ) -> Result<(), StopReason> {
        let n_kept = verdicts.iter().filter(|verdict| verdict.is_none()).count();
        let held = self.bytes() + pending;
        make_room(&self.watch, &mut self.groups, n_kept, held)?;
        let is_redundant = |verdict: &&Verdict| matches!(verdict, Verdict::Redundant(_));
        let n_redundant = verdicts.iter().flatten().filter(is_redundant).count();
        let held = self.bytes() + pending;
        make_room(&self.watch, &mut self.redundant, n_redundant, held)
    }

    /// List the open instances and the redundant label words.
    pub(super) fn keep(
        &mut self,
        children: Vec<Child>,
        is_open: &[Vec<bool>],
        verdicts: Vec<Option<Verdict>>,
        mut open: OpenInstances,
        level: &mut OperatorLevel,
    ) {
        let first_group = self.groups.len() as u32;
        self.open = OpenInstances::default();
        for ((child, is_open), verdict) in children.into_iter().zip(is_open).zip(verdicts) {
            match verdict {
                None => {}
                Some(Verdict::Impossible | Verdict::Unproved) => {
                    level.impossible += 1;
                    continue;
                }
                Some(Verdict::Redundant(instances)) => {
                    level.redundant += 1;
                    let mut word = self.group_letters(child.parent);
                    word.push(child.letter);
                    self.redundant_bytes += word_bytes(&word) + instances_bytes(&instances);
                    self.redundant.push(RedundantOperatorWord {
                        word: word.into(),
                        instances,
                    });
                    continue;
                }
            }
            level.kept += 1;
            let group = self.groups.len() as u32;
            self.groups.push(Group {
                parent: child.parent,
                letter: child.letter,
                suffix: child.suffix,
            });
            open.group_of.insert((child.parent, child.letter), group);
            for (node, (candidate, is_open)) in
                (child.first..).zip(child.candidates.iter().zip(is_open))
            {
                if !is_open {
                    continue;
                }
                level.open_instances += 1;
                let (start, end) = candidate.demands;
                let place = open.demands.len();
                open.demands.extend_from_slice(&child.demands[start..end]);
                open.node_of
                    .insert((candidate.parent, candidate.rule), node);
                open.leaves.push(Leaf {
                    node,
                    suffix: candidate.suffix,
                    last: Some(candidate.rule),
                    cost: candidate.cost,
                    demands: (place, open.demands.len()),
                });
            }
            open.ends.push(open.leaves.len());
        }
        open.groups = first_group..self.groups.len() as u32;
        self.open = open;
    }
}

//! The exact analysis by label: all label words up to a length, breadth first.
//!
//! An instance is *covered* when an instance of an earlier label word generalizes it at no greater
//! cost. A label word is redundant exactly if it has instances and all of them are covered. What
//! makes this fast is what makes the analysis by rule fast:
//!
//! * An instance with a covered part x c y is covered itself, by x c' y: its label word is earlier,
//!   since the order is nested. So only instances without covered parts, *open* ones, are built;
//!   and a label word without open instances has no extensions with any.
//! * Only open instances must be compared with: if b is covered by some a that is not open, a is
//!   covered by something still earlier, or contains such a part; in the end stands an open
//!   instance that covers b.
//!
//! This is the analysis by rule, with one change: instances of the same label word don't count as
//! earlier ones of each other.

use budget::{OnProgress, StopReason, Watch};
use psvn_ir::{CanonicalRule, RuleId};
use rayon::prelude::*;

use super::certify::{Verdict, instances_bytes, proved_bytes, word_bytes};
use super::open_instances::{Candidate, Child, Group, Leaf, Node, OpenInstances};
use super::result::{OperatorAnalysis, OperatorLevel, RedundantOperatorWord};
use super::{Instances, OperatorOptions, Operators};
use crate::analysis::extension::{Bench, cost_of, cost_the_same, costs_fit};
use crate::generalization::demands::{Key, KeySpace, KnownDemands};
use crate::generalization::retrieval::{Costs, DiscriminationTree};
use crate::limits::{deepen, make_room, report_and_check};
use crate::words::WordId;

/// How many label words are extended between two looks at the limits.
const GROUPS_BETWEEN_CHECKS: usize = 4096;

/// How many instances are stored between two looks at the limits, but for those of one label word.
const STORED_BETWEEN_CHECKS: usize = 1 << 14;

/// What handing an instance to the tree takes for a moment: its demands as a slice, its hash, and
/// its place among those of a shard, in a list that doubles.
const BYTES_TO_INSERT: usize = size_of::<(WordId, &[Key])>() + size_of::<u64>() + 12;

/// A stored sequence hardly ever takes more bytes than this. While few are stored, the room that is
/// kept for more would seem to be part of each.
const MOST_BYTES_STORED: usize = 256;

/// Find all redundant label words up to a length that contain no shorter redundant one (see
/// [`operators`](crate::operators) for what that means and why it is safe to forbid them).
///
/// Takes about as long as the analysis by rule, and a composition for each instance of each
/// redundant or impossible word's beginnings: for the certificates. Where rules with one label can
/// be mixed freely, so that a label word has very many instances, those may be most of the work.
/// Runs on the threads of the current rayon pool; the result is the same to the bit whatever their
/// number.
///
/// A game that is [too large](StopReason::TooLarge) is not analyzed: the result says that it
/// [stopped](OperatorAnalysis::stopped) at length 0.
///
/// # Panics
/// When the rules aren't those of the operators, or when they don't all have `n_variables`
/// positions.
pub fn analyze_operators(
    n_variables: usize,
    rules: &[CanonicalRule],
    operators: &Operators,
    options: &OperatorOptions<'_>,
) -> OperatorAnalysis {
    let mut search = match Search::new(n_variables, rules, operators, options) {
        Ok(search) => search,
        Err(reason) => {
            return OperatorAnalysis {
                n_letters: operators.len(),
                max_length: 0,
                stopped: (options.max_length > 0).then_some(reason),
                levels: Vec::new(),
                redundant: Vec::new(),
            };
        }
    };
    let deepened = deepen(options.max_length, |length| {
        let level = search.level(length)?;
        let is_last = level.kept == 0;
        Ok((level, is_last))
    });
    OperatorAnalysis {
        n_letters: operators.len(),
        max_length: deepened.max_length,
        stopped: deepened.stopped,
        levels: deepened.levels,
        redundant: search.redundant,
    }
}

pub(super) struct Search<'a> {
    pub(super) instances: Instances<'a>,
    keys: KeySpace,
    uniform: bool,
    pub(super) known: KnownDemands,
    pub(super) tree: DiscriminationTree,
    pub(super) nodes: Vec<Node>,
    /// The costs of the nodes; empty when all rules cost the same.
    costs: Vec<u64>,
    groups: Vec<Group>,
    open: OpenInstances,
    redundant: Vec<RedundantOperatorWord>,
    redundant_bytes: usize,
    pub(super) watch: Watch,
    progress: Option<&'a OnProgress<'a>>,
}

impl<'a> Search<'a> {
    fn new(
        n_variables: usize,
        rules: &[CanonicalRule],
        operators: &Operators,
        options: &'a OperatorOptions<'a>,
    ) -> Result<Self, StopReason> {
        let watch = Watch::new(options.limits.clone());
        let keys = KeySpace::of(n_variables, rules);
        let keys = keys.filter(|_| costs_fit(rules, options.max_length));
        let keys = keys.ok_or(StopReason::TooLarge)?;
        let uniform = cost_the_same(rules);
        let empty = Leaf {
            node: 0,
            suffix: 0,
            last: None,
            cost: 0,
            demands: (0, 0),
        };
        Ok(Self {
            instances: Instances::new(n_variables, rules, operators, options.admits, &watch)?,
            keys,
            uniform,
            known: KnownDemands::none(keys),
            tree: DiscriminationTree::new(keys),
            nodes: vec![Node {
                parent: 0,
                rule: RuleId(0),
            }],
            costs: if uniform { Vec::new() } else { vec![0] },
            groups: vec![Group {
                parent: 0,
                letter: 0,
                suffix: 0,
            }],
            open: OpenInstances {
                groups: 0..1,
                ends: vec![1],
                leaves: vec![empty],
                ..OpenInstances::default()
            },
            redundant: Vec::new(),
            redundant_bytes: 0,
            watch,
            progress: options.progress,
        })
    }

    fn level(&mut self, length: usize) -> Result<OperatorLevel, StopReason> {
        let started = self.watch.elapsed();
        let (mut children, blind) = self.extend(length)?;
        self.known.note_blind(&blind);
        drop(blind);
        let pending = children.capacity() * size_of::<Child>()
            + children.iter().map(Child::bytes).sum::<usize>();
        self.check(pending + self.bytes_in_tree(&children))?;
        self.store(&mut children, pending)?;
        // A byte for each candidate, and a list for each child.
        let n_candidates: usize = children.iter().map(|child| child.candidates.len()).sum();
        let pending = pending + n_candidates + children.len() * size_of::<Vec<bool>>();
        let is_open = self.compare(&children, pending)?;
        let verdicts = self.prove(&children, &is_open, pending)?;
        // The old open instances are given back before the new ones are listed, the children
        // meanwhile.
        let open = OpenInstances::with_room_for(&children, &is_open, &verdicts);
        let after = open.bytes() + pending + proved_bytes(&verdicts);
        self.check(after.saturating_sub(self.open.bytes()))?;
        self.make_room_for_kept(&verdicts, after)?;
        let mut level = OperatorLevel {
            length,
            candidates: children.len() as u64,
            ..OperatorLevel::default()
        };
        self.keep(children, &is_open, verdicts, open, &mut level);
        level.elapsed = self.watch.elapsed() - started;
        level.bytes = self.bytes();
        tracing::debug!(?level, "level of label words complete");
        Ok(level)
    }

    pub(super) fn bytes(&self) -> usize {
        self.tree.bytes()
            + self.open.bytes()
            + self.nodes.capacity() * size_of::<Node>()
            + self.costs.capacity() * size_of::<u64>()
            + self.groups.capacity() * size_of::<Group>()
            + self.known.bytes()
            + self.redundant.capacity() * size_of::<RedundantOperatorWord>()
            + self.redundant_bytes
    }

    /// What candidates take in the tree, about: each as much as those that are stored.
    fn bytes_in_tree(&self, children: &[Child]) -> usize {
        let new: usize = children.iter().map(|child| child.candidates.len()).sum();
        let each = (self.tree.bytes() / self.nodes.len().max(1)).min(MOST_BYTES_STORED);
        new * each
    }

    /// Make room for the label words that are kept, and for those that are redundant.
    fn make_room_for_kept(
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

    fn check(&self, pending: usize) -> Result<(), StopReason> {
        self.watch.check(0, self.bytes() + pending)
    }

    pub(super) fn costs(&self) -> Costs<'_> {
        if self.uniform {
            Costs::Uniform
        } else {
            Costs::Each(&self.costs)
        }
    }

    pub(super) fn bench(&self) -> Bench {
        Bench::new(self.instances.n_variables, self.keys)
    }

    /// Extend all label words of the last length, and their open instances. The second list is the
    /// blind changes of the new instances, as far as they weren't known.
    fn extend(&self, length: usize) -> Result<(Vec<Child>, Vec<Key>), StopReason> {
        let places: Vec<usize> = (0..self.open.ends.len()).collect();
        let mut children: Vec<Child> = Vec::new();
        let mut blind: Vec<Key> = Vec::new();
        let mut pending = 0;
        let mut done = 0;
        // One first where memory is limited, to learn how much it takes: it may stand for very many
        // instances.
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

    /// How many label words are extended before the next look at the limits: so few that what they
    /// take is a small part of the memory.
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

    /// Numbers the candidates in the order of their label words, and stores them. Those that turn
    /// out covered do no harm: what they generalize, an earlier one generalizes as well.
    fn store(&mut self, children: &mut [Child], pending: usize) -> Result<(), StopReason> {
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

    /// For each label word, which of its candidates no instance of an earlier label word covers.
    fn compare(&self, children: &[Child], pending: usize) -> Result<Vec<Vec<bool>>, StopReason> {
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

    pub(super) fn group_letters(&self, mut group: u32) -> Vec<u32> {
        let mut letters = Vec::new();
        while group != 0 {
            letters.push(self.groups[group as usize].letter);
            group = self.groups[group as usize].parent;
        }
        letters.reverse();
        letters
    }

    /// List the open instances and the redundant label words.
    fn keep(
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

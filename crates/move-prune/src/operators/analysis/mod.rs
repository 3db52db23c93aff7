//! The exact analysis by label: all label words up to a length, breadth first.
//!
//! An instance is *covered* if an instance of an earlier label word generalizes it at no greater
//! cost. A label word is redundant exactly if it has instances and all of them are covered. The
//! analysis is fast for the same reasons as the analysis by rule:
//!
//! * An instance with a covered part x c y is itself covered by x c' y: its label word is earlier,
//!   since the order is nested. So only instances without covered parts, *open* ones, are built;
//!   and a label word without open instances has no extensions with any.
//! * Only open instances need to be compared: if b is covered by some a that is not open, then a is
//!   covered by an earlier instance or contains such a part; the chain ends at an open instance
//!   that covers b.
//!
//! This is the analysis by rule, with one difference: instances of the same label word don't count
//! as earlier ones of each other.

mod extend;
mod keep;
mod store;

use budget::{OnProgress, StopReason, Watch};
use psvn_ir::{CanonicalRule, RuleId};

use super::certify::proved_bytes;
use super::open_instances::{Child, Group, Leaf, Node, OpenInstances};
use super::result::{OperatorAnalysis, OperatorLevel, RedundantOperatorWord};
use super::{Instances, OperatorOptions, Operators};
use crate::analysis::extension::{Bench, cost_the_same, costs_fit};
use crate::generalization::demands::{KeySpace, KnownDemands};
use crate::generalization::retrieval::{Costs, DiscriminationTree};
use crate::limits::deepen;

/// Find all redundant label words up to a length that contain no shorter redundant one. See
/// [`operators`](crate::operators) for the definition and for why they may be forbidden.
///
/// Takes about as long as the analysis by rule; the certificates take a composition for each
/// instance of the beginnings of each redundant or impossible word. If rules with one label can be
/// mixed freely, a label word has very many instances, and certificates may be most of the work.
/// Runs on the threads of the current rayon pool; the result is bit-identical for any number of
/// threads.
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

pub(in crate::operators) struct Search<'a> {
    pub(in crate::operators) instances: Instances<'a>,
    keys: KeySpace,
    uniform: bool,
    pub(in crate::operators) known: KnownDemands,
    pub(in crate::operators) tree: DiscriminationTree,
    pub(in crate::operators) nodes: Vec<Node>,
    /// The costs of the nodes; empty when all rules cost the same.
    costs: Vec<u64>,
    groups: Vec<Group>,
    open: OpenInstances,
    redundant: Vec<RedundantOperatorWord>,
    redundant_bytes: usize,
    pub(in crate::operators) watch: Watch,
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
        // The old open instances are freed before the new ones are listed, and the children while
        // they are.
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

    pub(in crate::operators) fn bytes(&self) -> usize {
        self.tree.bytes()
            + self.open.bytes()
            + self.nodes.capacity() * size_of::<Node>()
            + self.costs.capacity() * size_of::<u64>()
            + self.groups.capacity() * size_of::<Group>()
            + self.known.bytes()
            + self.redundant.capacity() * size_of::<RedundantOperatorWord>()
            + self.redundant_bytes
    }

    fn check(&self, pending: usize) -> Result<(), StopReason> {
        self.watch.check(0, self.bytes() + pending)
    }

    pub(in crate::operators) fn costs(&self) -> Costs<'_> {
        if self.uniform {
            Costs::Uniform
        } else {
            Costs::Each(&self.costs)
        }
    }

    pub(in crate::operators) fn bench(&self) -> Bench {
        Bench::new(self.instances.n_variables, self.keys)
    }

    pub(in crate::operators) fn group_letters(&self, mut group: u32) -> Vec<u32> {
        let mut letters = Vec::new();
        while group != 0 {
            letters.push(self.groups[group as usize].letter);
            group = self.groups[group as usize].parent;
        }
        letters.reverse();
        letters
    }
}

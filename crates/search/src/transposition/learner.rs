//! Lower bounds that a depth-first walk finds in the subtrees that it leaves.

use bytemuck::Pod;

use crate::heuristic::DEAD_END;
use crate::transposition::counts::TableCounts;
use crate::transposition::keys::Keys;
use crate::transposition::table::{Node, Table};

/// The maximum number of words of a packed state.
const MOST_WORDS: usize = 8;

/// The knowledge of a node of the path. Costs are in the same parts of one as the search's totals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lesson {
    /// The state of the machine, as the keys number it.
    machine: u32,
    /// The cost of the path to the node.
    pub(crate) spent: u64,
    /// A lower bound on the cost to come: the heuristic's or the table's, whichever is larger.
    estimate: u64,
    /// The least lower bound among its children so far, each with the cost of its rule.
    least: u64,
    /// The number of nodes generated before this one was entered.
    generated_before: u64,
}

impl Lesson {
    /// Enter the node, after this many nodes were generated.
    #[inline]
    pub(crate) fn enter(&mut self, generated: u64) {
        self.least = DEAD_END;
        self.generated_before = generated;
    }

    /// Record a child that was left out at this total, or a goal with this total.
    #[inline]
    pub(crate) fn charge_total(&mut self, total: u64) {
        self.least = self.least.min(total - self.spent);
    }

    /// Record a child that was cut off by the table, or left after its subtree was searched.
    #[inline]
    pub(crate) fn charge_child(&mut self, child: &Lesson) {
        if child.estimate < DEAD_END {
            let total = (child.spent - self.spent).saturating_add(child.estimate);
            self.least = self.least.min(total.min(DEAD_END - 1));
        }
    }
}

/// The result of looking up a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// The node must be expanded.
    Within,
    /// No goal is reached from it within the bound: its total is at least this.
    Beyond(u64),
    /// No goal is reached from it at a cost that fits in 64 bits.
    Overflow,
    /// No goal is reached from it.
    DeadEnd,
}

/// The access of one walk to the table: it looks nodes up and stores the bounds found for them. All
/// walks share one table.
#[derive(Clone)]
pub(crate) struct Learner<'t> {
    table: &'t Table,
    keys: Keys<'t>,
    /// By rule.
    costs: &'t [u64],
    /// The counts of the table's use by this walk.
    pub(crate) counts: TableCounts,
}

impl<'t> Learner<'t> {
    /// Make a learner. `costs` has the cost of each rule, in parts.
    pub(crate) fn new(table: &'t Table, keys: Keys<'t>, costs: &'t [u64]) -> Self {
        Self {
            table,
            keys,
            costs,
            counts: TableCounts::default(),
        }
    }

    /// Return the lesson of the root, given its estimated total cost.
    pub(crate) fn root(&self, total: u64) -> Lesson {
        Lesson {
            machine: self.keys.start(),
            estimate: total,
            ..Lesson::default()
        }
    }

    /// Return the cost of a rule.
    #[inline]
    pub(crate) fn cost(&self, rule: u32) -> u64 {
        self.costs[rule as usize]
    }

    /// Return the lesson of a child by a rule, given its estimated total cost. It isn't a dead end.
    #[inline]
    pub(crate) fn child(&self, parent: &Lesson, rule: u32, total: u64) -> Lesson {
        // At most the total, which fits.
        let spent = parent.spent + self.cost(rule);
        Lesson {
            machine: self.keys.next(parent.machine, rule),
            spent,
            estimate: total - spent,
            least: DEAD_END,
            generated_before: 0,
        }
    }

    /// Look up a child that is within a bound by its estimate.
    #[inline]
    pub(crate) fn look_up(&mut self, state: &[u64], child: &mut Lesson, bound: u64) -> Known {
        let node = Node {
            state,
            machine: child.machine,
        };
        let known = self.table.bound(&self.keys, node, &mut self.counts);
        if known <= child.estimate {
            return Known::Within;
        }
        self.counts.hits += 1;
        child.estimate = known;
        let known = match child.spent.checked_add(known) {
            _ if known == DEAD_END => Known::DeadEnd,
            None => Known::Overflow,
            Some(total) if total > bound => Known::Beyond(total),
            Some(_) => return Known::Within,
        };
        self.counts.cutoffs += 1;
        known
    }

    /// Record a child by a rule whose total doesn't fit in 64 bits. Only the rule's cost is
    /// certain.
    #[cold]
    pub(crate) fn charge_rule(&self, parent: &mut Lesson, rule: u32) {
        parent.least = parent.least.min(self.cost(rule));
    }

    /// Store what was learned about a node whose subtree was searched, when this many nodes had
    /// been generated.
    #[inline]
    pub(crate) fn leave(&mut self, state: &[u64], node: &mut Lesson, generated: u64) {
        if node.least > node.estimate {
            let effort = generated - node.generated_before;
            let effort = u32::try_from(effort).unwrap_or(u32::MAX);
            node.estimate = node.least;
            let key = Node {
                state,
                machine: node.machine,
            };
            self.table.store(key, node.least, effort, &mut self.counts);
        }
    }
}

/// Return the words of a packed state in the largest array, and the number of those that count.
#[inline(always)]
pub(crate) fn words<R: Pod>(packed: &R) -> ([u64; MOST_WORDS], usize) {
    let mut words = [0; MOST_WORDS];
    for (word, bytes) in words
        .iter_mut()
        .zip(bytemuck::bytes_of(packed).chunks_exact(8))
    {
        let mut chunk = [0; 8];
        chunk.copy_from_slice(bytes);
        *word = u64::from_le_bytes(chunk);
    }
    (words, size_of::<R>() / 8)
}

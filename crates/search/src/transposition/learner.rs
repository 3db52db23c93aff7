//! What a depth-first walk learns from the subtrees that it leaves.

use bytemuck::Pod;

use crate::heuristic::DEAD_END;
use crate::transposition::counts::TableCounts;
use crate::transposition::keys::Keys;
use crate::transposition::table::{Node, Table};

/// The most words of a state in registers.
const MOST_WORDS: usize = 8;

/// What is known of a node of the path. Costs are in parts of one, as many as the search's totals
/// have.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lesson {
    /// The state of the machine, as the keys number it.
    machine: u32,
    /// The cost of the path to the node.
    pub(crate) spent: u64,
    /// A lower bound on what is still to come: the heuristic's or the table's, whichever is larger.
    estimate: u64,
    /// The least lower bound among its children so far, each with the cost of its rule.
    least: u64,
    /// The nodes that were made up to when it was entered.
    generated_before: u64,
}

impl Lesson {
    /// The node is entered, after so many nodes were made.
    #[inline]
    pub(crate) fn enter(&mut self, generated: u64) {
        self.least = DEAD_END;
        self.generated_before = generated;
    }

    /// A child was left out at this total, or is a goal of it.
    #[inline]
    pub(crate) fn charge_total(&mut self, total: u64) {
        self.least = self.least.min(total - self.spent);
    }

    /// A child was left out by what the table knows, or left after its subtree was searched.
    #[inline]
    pub(crate) fn charge_child(&mut self, child: &Lesson) {
        if child.estimate < DEAD_END {
            let total = (child.spent - self.spent).saturating_add(child.estimate);
            self.least = self.least.min(total.min(DEAD_END - 1));
        }
    }
}

/// What a look-up says of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Nothing that would keep it from being expanded.
    Within,
    /// No goal is reached from it within the bound: its total is at least this.
    Beyond(u64),
    /// No goal is reached from it at a cost of 64 bits.
    Overflow,
    /// No goal is reached from it.
    DeadEnd,
}

/// Looks nodes up and stores what was learned of them; one for each walk, with one table for all.
#[derive(Clone)]
pub(crate) struct Learner<'t> {
    table: &'t Table,
    keys: Keys<'t>,
    /// By rule.
    costs: &'t [u64],
    /// What this walk has done with the table.
    pub(crate) counts: TableCounts,
}

impl<'t> Learner<'t> {
    /// `costs` has the cost of each rule, in parts.
    pub(crate) fn new(table: &'t Table, keys: Keys<'t>, costs: &'t [u64]) -> Self {
        Self {
            table,
            keys,
            costs,
            counts: TableCounts::default(),
        }
    }

    /// The root, with its estimated total cost.
    pub(crate) fn root(&self, total: u64) -> Lesson {
        Lesson {
            machine: self.keys.start(),
            estimate: total,
            ..Lesson::default()
        }
    }

    /// The cost of a rule.
    #[inline]
    pub(crate) fn cost(&self, rule: u32) -> u64 {
        self.costs[rule as usize]
    }

    /// A child by a rule, with its estimated total cost. It is no dead end.
    #[inline]
    pub(crate) fn child(&self, parent: &Lesson, rule: u32, total: u64) -> Lesson {
        // No more than the total, which fits.
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

    /// The total of a child by a rule doesn't fit in 64 bits. That it costs its rule is certain.
    #[cold]
    pub(crate) fn charge_rule(&self, parent: &mut Lesson, rule: u32) {
        parent.least = parent.least.min(self.cost(rule));
    }

    /// Store what was learned of a node whose subtree was searched, when so many nodes had been
    /// made.
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

/// The words of a packed state, with as many as a state can have of which the first ones count.
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

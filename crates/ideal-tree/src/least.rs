//! The least sequences at one state.

use std::ops::Range;

use psvn_ir::RuleId;

use crate::Order;
use crate::space::Space;

/// Marks a missing state or sequence.
const NONE: u32 = u32::MAX;

/// A sequence at a state: the sequence before its last rule, that rule, and its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// The place of the sequence without its last rule.
    pub(crate) parent: u32,
    pub(crate) rule: u32,
    pub(crate) end: u32,
    pub(crate) cost: u64,
    pub(crate) length: u32,
}

/// Finds the least sequences at states. Has scratch space for all states of a space.
pub(crate) struct Finder<'s> {
    space: &'s Space,
    order: Order,
    max_length: usize,
    /// For each state, the number of the last search that reached it, and the least cost of a
    /// sequence to it in that search.
    reached: Vec<(u32, u64)>,
    search: u32,
    /// The edges that were tried.
    steps: usize,
}

impl<'s> Finder<'s> {
    pub(crate) fn new(space: &'s Space, order: Order, max_length: usize) -> Self {
        Self {
            space,
            order,
            max_length,
            reached: vec![(0, 0); space.len()],
            search: 0,
            steps: 0,
        }
    }

    /// Return the least sequences at a state all of whose beginnings are least there, shorter ones
    /// first and those of one length in lexicographic order. The first one is empty.
    pub(crate) fn least(&mut self, state: u32) -> Vec<Step> {
        match self.order {
            Order::LengthLexicographic => self.by_length(state),
            Order::CostLengthLexicographic => {
                let (steps, best) = self.by_cost(state);
                keep(&steps, |at, step| {
                    let (_, first) = &best[best.partition_point(|(end, _)| *end < step.end)];
                    *first == at
                })
            }
        }
    }

    /// Return the first sequence, in the order, from a state to another that costs at most
    /// `cost`.
    pub(crate) fn first_to(&mut self, state: u32, end: u32, cost: u64) -> Option<Vec<RuleId>> {
        let (steps, place) = match self.order {
            Order::LengthLexicographic => {
                let steps = self.by_length(state);
                let place = steps
                    .iter()
                    .position(|it| it.end == end && it.cost <= cost)?;
                (steps, place)
            }
            Order::CostLengthLexicographic => {
                let (steps, best) = self.by_cost(state);
                let place = best.binary_search_by_key(&end, |(end, _)| *end).ok()?;
                let place = best[place].1 as usize;
                (steps, place)
            }
        };
        let mut word = Vec::new();
        let mut at = &steps[place];
        while at.parent != NONE {
            word.push(RuleId(at.rule));
            at = &steps[at.parent as usize];
        }
        word.reverse();
        Some(word)
    }

    /// Return the least sequences by length. Their beginnings are least: an earlier beginning would
    /// give an earlier sequence that is no longer.
    fn by_length(&mut self, state: u32) -> Vec<Step> {
        let mut steps = vec![empty(state)];
        self.begin();
        self.is_cheaper(state, 0);
        let mut level = 0..1;
        for length in 1..=self.max_length {
            self.extend(&mut steps, level.clone(), length);
            level = level.end..steps.len();
        }
        steps
    }

    /// Return, for each length and each state that this number of rules can reach, the first of the
    /// cheapest sequences of exactly that length; and, for each state, sorted, the place of the
    /// first of all these that lead to it.
    fn by_cost(&mut self, state: u32) -> (Vec<Step>, Vec<(u32, u32)>) {
        let mut steps = vec![empty(state)];
        let mut level = 0..1;
        for length in 1..=self.max_length {
            self.begin();
            self.extend(&mut steps, level.clone(), length);
            // Drop sequences for which a cheaper one of this length was found later.
            let mut kept = level.end;
            for at in level.end..steps.len() {
                let step = steps[at];
                if self.reached[step.end as usize].1 == step.cost {
                    steps[kept] = step;
                    kept += 1;
                }
            }
            steps.truncate(kept);
            level = level.end..kept;
        }
        let mut best: Vec<(u32, u32)> = (0..steps.len())
            .map(|at| (steps[at].end, place(at)))
            .collect();
        // Sort by state, then by cost; among equal costs, the shortest one comes first.
        best.sort_by_key(|(end, at)| (*end, steps[*at as usize].cost, *at));
        best.dedup_by_key(|(end, _)| *end);
        (steps, best)
    }

    /// Return the number of edges tried since the last call.
    pub(crate) fn take_steps(&mut self) -> usize {
        std::mem::take(&mut self.steps)
    }

    fn begin(&mut self) {
        self.search += 1;
    }

    /// Extend the sequences of a level by each rule, where that leads to a state more cheaply.
    fn extend(&mut self, steps: &mut Vec<Step>, level: Range<usize>, length: usize) {
        for parent in level {
            let Step { end, cost, .. } = steps[parent];
            for edge in self.space.edges(end) {
                let cost = cost + self.space.cost(edge.rule);
                if self.is_cheaper(edge.target, cost) {
                    steps.push(Step {
                        parent: place(parent),
                        rule: edge.rule,
                        end: edge.target,
                        cost,
                        length: place(length),
                    });
                }
            }
        }
    }

    /// Return whether a sequence costs less than all earlier ones to its end.
    fn is_cheaper(&mut self, end: u32, cost: u64) -> bool {
        self.steps += 1;
        let (search, least) = &mut self.reached[end as usize];
        let is_first = *search != self.search;
        if is_first || cost < *least {
            (*search, *least) = (self.search, cost);
            return true;
        }
        false
    }
}

/// Return the empty sequence at a state.
fn empty(state: u32) -> Step {
    Step {
        parent: NONE,
        rule: NONE,
        end: state,
        cost: 0,
        length: 0,
    }
}

fn place(index: usize) -> u32 {
    u32::try_from(index).expect("fewer sequences than states times lengths")
}

/// Return the sequences that pass a test together with all their beginnings.
fn keep(steps: &[Step], passes: impl Fn(u32, &Step) -> bool) -> Vec<Step> {
    let mut new_place = vec![NONE; steps.len()];
    let mut kept = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let parent = match step.parent {
            NONE => NONE,
            parent => match new_place[parent as usize] {
                NONE => continue,
                parent => parent,
            },
        };
        if passes(place(at), step) {
            new_place[at] = place(kept.len());
            kept.push(Step { parent, ..*step });
        }
    }
    kept
}

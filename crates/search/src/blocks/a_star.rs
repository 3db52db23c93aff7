//! A* in batches.

use std::collections::BTreeMap;

use psvn_ir::{Game, RuleId, State};

use super::error::BlockError;
use super::heuristic::{AnyHeuristic, Failed, estimates, score};
use super::moves::Moves;
use super::rows::{NONE, Rows};
use crate::best_first::{BestFirstCounts, StoredStates};
use crate::game::cell::Cell;
use crate::run::limits::{StopReason, Watch};
use crate::run::options::CycleDetection;
use crate::run::report::{Outcome, Solution, SolveReport};

/// A state's entry.
struct Node {
    g: u64,
    h: u64,
    parent: u32,
    rule: RuleId,
    is_expanded: bool,
    is_goal: bool,
}

/// An estimate that is still to come.
const PENDING: u64 = u64::MAX - 1;

struct AStar<'a, C> {
    heuristic: &'a mut AnyHeuristic<'a>,
    /// The number of nodes that are expanded before estimates are requested.
    batch: usize,
    moves: Moves<C>,
    rows: Rows<C>,
    nodes: Vec<Node>,
    /// The nodes to expand by score, each with the cost of the path by which it was inserted. A
    /// node that was reached at less cost since then is skipped.
    open: BTreeMap<u64, Vec<(u32, u64)>>,
    n_open: usize,
    /// The goal state that was reached at the least cost.
    best: Option<u32>,
    generated: u64,
    expanded: u64,
    duplicates: u64,
    reopened: u64,
    /// The most bytes that were held between two batches: by states, and by the open list.
    peak: (usize, usize),
}

pub(super) fn search<C: Cell>(
    game: &Game,
    start: &State,
    heuristic: &mut AnyHeuristic<'_>,
    batch: usize,
    watch: &mut Watch<'_, '_>,
) -> Result<SolveReport, BlockError<Failed>> {
    let moves = Moves::<C>::new(game);
    let mut search = AStar {
        heuristic,
        batch,
        rows: Rows::new(moves.n_variables()),
        moves,
        nodes: Vec::new(),
        open: BTreeMap::new(),
        n_open: 0,
        best: None,
        generated: 0,
        expanded: 0,
        duplicates: 0,
        reopened: 0,
        peak: (0, 0),
    };
    search.reach(&Moves::row(start), 0, NONE, RuleId(0));
    search.estimate(0)?;
    let heuristic_start = search.nodes[0].h;
    let stopped = search.run(watch)?;
    Ok(search.report(stopped, heuristic_start))
}

impl<C: Cell> AStar<'_, C> {
    /// Expand until the best solution costs no more than the least score; return the limit that
    /// stopped the search earlier, if one did.
    fn run(&mut self, watch: &mut Watch<'_, '_>) -> Result<Option<StopReason>, BlockError<Failed>> {
        let mut batch = Vec::new();
        let (mut child, mut rules) = (Vec::new(), Vec::new());
        loop {
            let Some(f) = self.least_score() else {
                return Ok(None);
            };
            if self.best_cost().is_some_and(|cost| cost <= f) {
                return Ok(None);
            }
            let (table, open) = self.bytes();
            if table + open > self.peak.0 + self.peak.1 {
                self.peak = (table, open);
            }
            watch.bound = f;
            if let Err(reason) = watch.check(table + open).and_then(|()| watch.poll()) {
                return Ok(Some(reason));
            }
            self.take(f, &mut batch);
            let (first_new, before) = (self.rows.len(), self.generated);
            for node in &batch {
                self.expand(*node, &mut child, &mut rules);
            }
            watch.note(self.generated - before);
            self.estimate(first_new)?;
        }
    }

    /// Return the least score that an open node has.
    fn least_score(&mut self) -> Option<u64> {
        while let Some(mut entry) = self.open.first_entry() {
            let nodes = &self.nodes;
            let bucket = entry.get_mut();
            while let Some((node, g)) = bucket.last() {
                let node = &nodes[*node as usize];
                if node.g == *g && !node.is_expanded {
                    return Some(*entry.key());
                }
                bucket.pop();
                self.n_open -= 1;
            }
            entry.remove();
        }
        None
    }

    /// Take nodes of one score, the last inserted first.
    fn take(&mut self, f: u64, batch: &mut Vec<u32>) {
        batch.clear();
        let Some(bucket) = self.open.get_mut(&f) else {
            return;
        };
        while batch.len() < self.batch
            && let Some((number, g)) = bucket.pop()
        {
            self.n_open -= 1;
            let node = &mut self.nodes[number as usize];
            if node.g == g && !node.is_expanded {
                node.is_expanded = true;
                batch.push(number);
            }
        }
    }

    fn expand(&mut self, number: u32, child: &mut Vec<C>, rules: &mut Vec<RuleId>) {
        self.expanded += 1;
        let g = self.nodes[number as usize].g;
        self.moves.applicable(self.rows.row(number), rules);
        for rule in rules {
            child.clear();
            let cost = self.moves.append(*rule, self.rows.row(number), child);
            self.generated += 1;
            self.reach(child, g.saturating_add(cost), number, *rule);
        }
    }

    /// Record a path to a state. The state is opened again if the path is better than the known
    /// one; a new state waits for its estimate.
    fn reach(&mut self, row: &[C], g: u64, parent: u32, rule: RuleId) {
        let (number, is_new) = self.rows.insert(row);
        if is_new {
            self.nodes.push(Node {
                g,
                h: PENDING,
                parent,
                rule,
                is_expanded: false,
                is_goal: self.moves.is_goal(row),
            });
        } else {
            self.duplicates += 1;
            let node = &mut self.nodes[number as usize];
            if g >= node.g {
                return;
            }
            (node.g, node.parent, node.rule) = (g, parent, rule);
            self.reopened += u64::from(node.is_expanded);
            node.is_expanded = false;
            if node.h != PENDING {
                self.put(number);
            }
        }
        let is_goal = self.nodes[number as usize].is_goal;
        if is_goal && self.best_cost().is_none_or(|cost| g < cost) {
            self.best = Some(number);
        }
    }

    /// Insert a node by its score, unless it can't lead to a better solution.
    fn put(&mut self, number: u32) {
        let node = &self.nodes[number as usize];
        let Some(f) = score(node.g, node.h) else {
            return;
        };
        if self.best_cost().is_none_or(|cost| f < cost) {
            self.open.entry(f).or_default().push((number, node.g));
            self.n_open += 1;
        }
    }

    /// Get the estimates of all states from a number on, and open them.
    fn estimate(&mut self, first: usize) -> Result<(), BlockError<Failed>> {
        let (n_variables, n_new) = (self.moves.n_variables(), self.rows.len() - first);
        let mut rows = self.rows.since(first).to_vec();
        let found = estimates(self.heuristic, &mut rows, n_variables, n_new)?;
        for (place, h) in found.into_iter().enumerate() {
            let number = first + place;
            self.nodes[number].h = h;
            self.put(number as u32);
        }
        Ok(())
    }

    fn best_cost(&self) -> Option<u64> {
        self.best.map(|best| self.nodes[best as usize].g)
    }

    /// Return the bytes of the states, and those of the open list.
    fn bytes(&self) -> (usize, usize) {
        (
            self.rows.bytes() + self.nodes.capacity() * size_of::<Node>(),
            self.n_open * size_of::<(u32, u64)>(),
        )
    }

    /// Return the path to a state.
    fn solution(&self, mut number: u32) -> Solution {
        let cost = u128::from(self.nodes[number as usize].g);
        let mut moves = Vec::new();
        while self.nodes[number as usize].parent != NONE {
            let node = &self.nodes[number as usize];
            moves.push(node.rule);
            number = node.parent;
        }
        moves.reverse();
        Solution { moves, cost }
    }

    fn report(&self, stopped: Option<StopReason>, heuristic_start: u64) -> SolveReport {
        let best = self.best.map(|best| self.solution(best));
        let (outcome, best_so_far) = match (stopped, best) {
            (Some(reason), best) => (Outcome::Stopped(reason), best),
            (None, Some(best)) => (Outcome::Solved(best), None),
            (None, None) => (Outcome::NoSolution, None),
        };
        let mut report = SolveReport::new(CycleDetection::None);
        report.outcome = outcome;
        report.best_so_far = best_so_far;
        report.heuristic_start = heuristic_start;
        report.totals.generated = self.generated.into();
        report.totals.expanded = self.expanded.into();
        let closed = self.nodes.iter().filter(|node| node.is_expanded).count() as u64;
        let (table_bytes, open_bytes) = self.peak;
        report.best_first = Some(BestFirstCounts {
            duplicates: self.duplicates,
            reopened: self.reopened,
            stored: StoredStates {
                closed,
                open: self.nodes.len() as u64 - closed,
                table_bytes,
                open_bytes,
            },
            packed_bytes: self.moves.n_variables() * size_of::<C>(),
            peak_bytes: table_bytes + open_bytes,
            ..BestFirstCounts::default()
        });
        report
    }
}

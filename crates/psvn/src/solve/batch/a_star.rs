//! A* in batches.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use budget::StopReason;
use psvn_ir::{RuleId, State};
use search::{Cell, CycleDetection, Solution};

use super::moves::Moves;
use super::table::{NONE, Rows};
use super::{BETWEEN_REPORTS, BatchHeuristic, Setting, estimates, score};
use crate::environment::Phase;
use crate::error::Error;
use crate::solve::{Answer, Kept, Outcome};

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
    peak_bytes: usize,
    setting: &'a Setting<'a>,
}

pub(super) fn search<C: Cell>(
    setting: &Setting<'_>,
    start: &State,
    heuristic: &mut dyn BatchHeuristic,
) -> Result<Answer, Error> {
    let moves = Moves::<C>::new(setting.game);
    let mut search = AStar {
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
        peak_bytes: 0,
        setting,
    };
    let row = search.moves.row(start)?;
    search.reach(&row, 0, NONE, RuleId(0));
    search.estimate(0, heuristic)?;
    let heuristic_start = search.nodes[0].h;
    let stopped = search.run(heuristic)?;
    Ok(search.answer(stopped, heuristic_start))
}

impl<C: Cell> AStar<'_, C> {
    /// Expand until the best solution costs no more than the least score; return the limit that
    /// stopped the search earlier, if one did.
    fn run(&mut self, heuristic: &mut dyn BatchHeuristic) -> Result<Option<StopReason>, Error> {
        let phase = self.setting.env.begin();
        let mut reported = Instant::now();
        let mut batch = Vec::new();
        let (mut child, mut rules) = (Vec::new(), Vec::new());
        loop {
            let Some(f) = self.least_score() else {
                return Ok(None);
            };
            if self.best_cost().is_some_and(|cost| cost <= f) {
                return Ok(None);
            }
            let bytes = self.bytes();
            self.peak_bytes = self.peak_bytes.max(bytes);
            if let Err(reason) = self.setting.watch.check(self.generated, bytes) {
                return Ok(Some(reason));
            }
            self.tell(&phase, &mut reported, f);
            self.take(f, &mut batch);
            let first_new = self.rows.len();
            for node in &batch {
                self.expand(*node, &mut child, &mut rules);
            }
            self.estimate(first_new, heuristic)?;
        }
    }

    fn tell(&self, phase: &Phase, reported: &mut Instant, f: u64) {
        if reported.elapsed() >= BETWEEN_REPORTS {
            *reported = Instant::now();
            let words = || format!("score {f}: {} nodes", self.generated);
            phase.show(words, None);
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
        while batch.len() < self.setting.batch
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
    fn estimate(&mut self, first: usize, heuristic: &mut dyn BatchHeuristic) -> Result<(), Error> {
        let (n_variables, n_new) = (self.moves.n_variables(), self.rows.len() - first);
        let mut rows = self.rows.since(first).to_vec();
        let found = estimates(heuristic, &mut rows, n_variables, n_new)?;
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

    fn bytes(&self) -> usize {
        self.rows.bytes()
            + self.nodes.capacity() * size_of::<Node>()
            + self.n_open * size_of::<(u32, u64)>()
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

    fn answer(&self, stopped: Option<StopReason>, heuristic_start: u64) -> Answer {
        let best = self.best.map(|best| self.solution(best));
        let states = self.rows.len() as u64;
        let (outcome, best_so_far) = match (stopped, best) {
            (Some(reason), best) => (Outcome::Stopped(reason), best),
            (None, Some(best)) => (Outcome::Solved(best), None),
            (None, None) => (Outcome::NoSolution { proof: None }, None),
        };
        Answer {
            outcome,
            generated: self.generated.into(),
            expanded: self.expanded.into(),
            pruned: self.duplicates.into(),
            pruned_by_machine: None,
            iterations: Vec::new(),
            levels: Vec::new(),
            best_so_far,
            heuristic_start: Some(heuristic_start),
            cycle_detection: CycleDetection::None,
            preparation: Duration::ZERO,
            elapsed: self.setting.watch.elapsed(),
            kept: Some(Kept {
                states,
                bytes_per_state: self.peak_bytes as f64 / states.max(1) as f64,
                peak_bytes: self.peak_bytes,
                duplicates: self.duplicates,
                reopened: self.reopened,
            }),
            table: None,
        }
    }
}

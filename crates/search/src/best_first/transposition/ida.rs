//! The iterations of IDA\* with a table.

use std::ops::ControlFlow;

use fsm::Machine;
use psvn_ir::RuleId;

use crate::best_first::budget::Budget;
use crate::best_first::pulse::Pulse;
use crate::best_first::report::TableCounts;
use crate::best_first::space::Space;
use crate::best_first::space::moves::Scratch;
use crate::best_first::transposition::table::{Key, Table};
use crate::heuristic::DEAD_END;
use crate::heuristic::erased::Erased;
use crate::run::limits::StopReason;
use crate::run::options::CycleDetection;
use crate::run::report::{Iteration, Outcome, Solution, SolveReport, Totals};

/// A child that waits for its turn.
#[derive(Clone, Copy)]
struct Child<S> {
    rule: u32,
    machine: S,
    cost: u64,
    estimate: u64,
}

/// A node of the path.
#[derive(Clone, Copy)]
struct Frame<S> {
    node: Child<S>,
    /// Its children on the stack: those still to come begin at `next` and end at `end`. The
    /// place of the first one is where the stack ends when the frame is left.
    first: usize,
    next: usize,
    end: usize,
    /// The least lower bound among the children so far, each with the cost of its rule.
    least: u64,
    /// The children made up to when it was entered.
    generated_before: u64,
}

/// One run.
///
/// # Correctness
/// Write d(s, q) for the least cost of a sequence that leads from state s to a goal and that the
/// machine allows from its state q. A node's *estimate* is the larger of the heuristic's and the
/// table's. All bounds in the table are at most d of their key: when a node (s, q) is left, what is
/// stored is the least, over its children (t, r) by rules of cost c, of c plus a lower bound on
/// d(t, r): the child's estimate where it was cut off, and where it was entered what came of it.
/// Where r allows all that r' allows, d(t, r) is at most d(t, r'), so that a bound for (t, r)
/// serves (t, r'). A child cut off because it closes a free cycle is charged its estimate, too; so
/// what is stored doesn't depend on the path.
///
/// Let C be the least cost of a solution, and P the first of the solutions that cost C in the order
/// of length, then of the rules' numbers. No safe machine forbids P and it has no cycle (front page
/// of this crate). The estimate of each of P's nodes is at most what P costs from there on. So an
/// iteration whose bound is C or more finds P unless it finds another solution first, and one with
/// a lower bound cuts P off at a node whose total makes the next bound C or less. The rest is as
/// for IDA\* without a table.
pub(crate) struct IdaRun<'r, 'p, 'g, M: Machine, K> {
    space: &'r Space,
    machine: &'g M,
    heuristic: Erased<'g>,
    pulse: Pulse<'r, 'p>,
    budget: Budget,
    scratch: Scratch,
    /// The packed states of the waiting children, and the rest of them.
    states: Vec<u64>,
    children: Vec<Child<M::State>>,
    frames: Vec<Frame<M::State>>,
    /// The packed states of the path.
    path: Vec<u64>,
    bound: u64,
    next_bound: Option<u64>,
    overflow: bool,
    generated: u64,
    expanded: u64,
    pruned_by_machine: u64,
    /// Which entries of the table serve a node.
    key: K,
}

impl<'r, 'p, 'g, M: Machine, K: Key<M::State>> IdaRun<'r, 'p, 'g, M, K> {
    pub(crate) fn new(
        space: &'r Space,
        machine: &'g M,
        heuristic: Erased<'g>,
        pulse: Pulse<'r, 'p>,
        budget: Budget,
        key: K,
    ) -> Self {
        Self {
            space,
            machine,
            heuristic,
            pulse,
            budget,
            scratch: space.scratch(&space.forward),
            states: Vec::new(),
            children: Vec::new(),
            frames: Vec::new(),
            path: Vec::new(),
            bound: 0,
            next_bound: None,
            overflow: false,
            generated: 0,
            expanded: 0,
            pruned_by_machine: 0,
            key,
        }
    }

    pub(crate) fn run(mut self, start: &[u64], table_bytes: usize) -> SolveReport {
        self.space.load(start, &mut self.scratch);
        let heuristic_start = self.heuristic.estimate(self.scratch.row.as_slice());
        let root = Child {
            rule: 0,
            machine: self.machine.start(),
            cost: 0,
            estimate: heuristic_start,
        };
        let mut iterations = Vec::new();
        let n_words = self.space.packing.n_words();
        let table = Table::new(n_words, table_bytes, root.machine, &mut self.budget);
        let (outcome, table) = match table {
            Ok(mut table) => {
                let outcome = self.iterate(start, root, &mut table, &mut iterations);
                (outcome, table.counts)
            }
            Err(reason) => (Err(reason), TableCounts::default()),
        };
        let (preparation, elapsed) = self.pulse.times();
        SolveReport {
            outcome: outcome.unwrap_or_else(Outcome::Stopped),
            totals: self.totals(),
            iterations,
            heuristic_start,
            table: Some(TableCounts {
                peak_bytes: self.budget.peak(),
                ..table
            }),
            preparation,
            elapsed,
            ..SolveReport::new(CycleDetection::None)
        }
    }

    fn iterate(
        &mut self,
        start: &[u64],
        root: Child<M::State>,
        table: &mut Table<M::State>,
        iterations: &mut Vec<Iteration>,
    ) -> Result<Outcome, StopReason> {
        let mut next_bound = (root.estimate != DEAD_END).then_some(root.estimate);
        while let Some(bound) = next_bound {
            let before = self.totals();
            (self.bound, self.next_bound) = (bound, None);
            self.pulse.set_bound(bound);
            let found = self.walk(start, root, table);
            let now = self.totals();
            let iteration = Iteration::new(
                bound,
                &Totals {
                    generated: now.generated - before.generated,
                    expanded: now.expanded - before.expanded,
                    pruned_by_machine: now.pruned_by_machine - before.pruned_by_machine,
                    pruned_by_cycle: 0,
                },
            );
            tracing::debug!(bound, iteration.generated, "iteration with a table");
            iterations.push(iteration);
            if let Some(solution) = found? {
                return Ok(Outcome::Solved(solution));
            }
            next_bound = self.next_bound;
        }
        if self.overflow {
            return Err(StopReason::CostOverflow);
        }
        Ok(Outcome::NoSolution)
    }

    /// What was counted so far.
    fn totals(&self) -> Totals {
        Totals {
            generated: self.generated.into(),
            expanded: self.expanded.into(),
            pruned_by_machine: self.pruned_by_machine.into(),
            pruned_by_cycle: 0,
        }
    }

    /// Walk the tree of paths within the bound.
    fn walk(
        &mut self,
        start: &[u64],
        root: Child<M::State>,
        table: &mut Table<M::State>,
    ) -> Result<Option<Solution>, StopReason> {
        let n_words = self.space.packing.n_words();
        self.frames.clear();
        self.children.clear();
        self.states.clear();
        self.path.clear();
        self.space.load(start, &mut self.scratch);
        if self.space.is_goal(&self.scratch.row) {
            return Ok(Some(Solution::default()));
        }
        self.enter(root)?;
        while let Some(frame) = self.frames.last_mut() {
            if frame.next == frame.end {
                self.leave(table);
                continue;
            }
            let place = frame.next;
            frame.next += 1;
            let mut child = self.children[place];
            let state = &self.states[place * n_words..(place + 1) * n_words];
            self.scratch.packed.copy_from_slice(state);
            // Now, and not when the child was made: its siblings may have taught us something.
            let known = table.bound(&self.key, &self.scratch.packed, child.machine);
            if known > child.estimate {
                table.counts.hits += 1;
                child.estimate = known;
                if self.is_beyond(child.cost, known) {
                    table.counts.cutoffs += 1;
                    self.charge(&child, known);
                    continue;
                }
            }
            self.space
                .packing
                .unpack(&self.scratch.packed, &mut self.scratch.row);
            if self.space.is_goal(&self.scratch.row) {
                let moves = self.frames[1..].iter().map(|frame| frame.node.rule);
                let moves: Vec<RuleId> = moves.chain([child.rule]).map(RuleId).collect();
                let cost = self.space.cost_of(&moves);
                return Ok(Some(Solution { moves, cost }));
            }
            self.enter(child)?;
        }
        Ok(None)
    }

    /// Whether a node lies beyond the bound; notes the next bound.
    fn is_beyond(&mut self, cost: u64, estimate: u64) -> bool {
        if estimate == DEAD_END {
            return true;
        }
        match cost.checked_add(estimate) {
            Some(total) if total <= self.bound => return false,
            Some(total) => {
                self.next_bound = Some(self.next_bound.map_or(total, |next| next.min(total)));
            }
            None => self.overflow = true,
        }
        true
    }

    /// Charge the path's last node with a lower bound for one of its children.
    fn charge(&mut self, child: &Child<M::State>, bound: u64) {
        if let Some(frame) = self.frames.last_mut() {
            // No bound on the cost is larger than a dead end's.
            let total = self.space.cost(child.rule).saturating_add(bound);
            frame.least = frame.least.min(total);
        }
    }

    /// Put a node on the path, whose state is in the scratch, and make its children.
    fn enter(&mut self, node: Child<M::State>) -> Result<(), StopReason> {
        self.pulse.node()?;
        self.expanded += 1;
        let first = self.children.len();
        let frame = Frame {
            node,
            first,
            next: first,
            end: first,
            least: DEAD_END,
            generated_before: self.generated,
        };
        self.budget.push(&mut self.frames, frame)?;
        for word in &self.scratch.packed {
            self.budget.push(&mut self.path, *word)?;
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        let space = self.space;
        let flow =
            space
                .forward
                .expand(&space.packing, &mut scratch, |rule, child, row| match self
                    .child(&node, rule, child, row)
                {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(reason) => ControlFlow::Break(reason),
                });
        self.scratch = scratch;
        if let Some(frame) = self.frames.last_mut() {
            frame.end = self.children.len();
        }
        match flow {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(reason),
        }
    }

    /// Make a child of the path's last node. If it is within the bound it waits for its turn.
    fn child(
        &mut self,
        parent: &Child<M::State>,
        rule: u32,
        state: &[u64],
        row: &mut [u32],
    ) -> Result<(), StopReason> {
        let Some(machine) = self.machine.next(parent.machine, rule) else {
            self.pruned_by_machine += 1;
            return Ok(());
        };
        self.pulse.child()?;
        self.generated += 1;
        self.space.packing.unpack(state, row);
        let estimate = self.heuristic.estimate(&*row);
        let by_rule = self.space.cost(rule);
        let mut child = Child {
            rule,
            machine,
            cost: 0,
            estimate,
        };
        let Some(cost) = parent.cost.checked_add(by_rule) else {
            self.overflow = true;
            self.charge(&child, estimate);
            return Ok(());
        };
        child.cost = cost;
        let closes_cycle = by_rule == 0 && self.is_on_free_path(cost, state);
        if closes_cycle || self.is_beyond(cost, estimate) {
            self.charge(&child, estimate);
            return Ok(());
        }
        self.budget.push(&mut self.children, child)?;
        for word in state {
            self.budget.push(&mut self.states, *word)?;
        }
        Ok(())
    }

    /// Whether a state stands on the path at this very cost. All nodes of that cost are at the end
    /// of the path. Cycles that cost something end by themselves, at the bound.
    fn is_on_free_path(&self, cost: u64, state: &[u64]) -> bool {
        let rows = self.path.chunks_exact(self.space.packing.n_words());
        self.frames
            .iter()
            .zip(rows)
            .rev()
            .take_while(|(frame, _)| frame.node.cost == cost)
            .any(|(_, row)| row == state)
    }

    /// Take the last node off the path and store what was learned.
    fn leave(&mut self, table: &mut Table<M::State>) {
        let n_words = self.space.packing.n_words();
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.children.truncate(frame.first);
        self.states.truncate(frame.first * n_words);
        let row = self.path.len() - n_words;
        if frame.least > frame.node.estimate {
            let effort = u32::try_from(self.generated - frame.generated_before).unwrap_or(u32::MAX);
            table.store(&self.path[row..], frame.node.machine, frame.least, effort);
        }
        self.path.truncate(row);
        let learned = frame.least.max(frame.node.estimate);
        self.charge(&frame.node, learned);
    }
}

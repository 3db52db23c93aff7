//! IDA* in batches: nodes wait on a stack, and many are taken off it at once.

use fsm::{Machine, SharedMachine};
use psvn_ir::{Game, RuleId, State};

use super::error::BlockError;
use super::heuristic::{AnyHeuristic, Failed, estimates};
use super::moves::Moves;
use super::steps::{NONE, Steps};
use crate::game::cell::Cell;
use crate::heuristic::DEAD_END;
use crate::run::deepening::{Raise, Round, Rounds, deepen};
use crate::run::limits::{StopReason, Watch};
use crate::run::options::CycleDetection;
use crate::run::report::{Outcome, Solution, SolveReport, Totals};
use crate::walk::threshold::Frontier;

/// A node on the stack; its row is on another stack.
#[derive(Clone, Copy)]
struct Node {
    g: u64,
    step: u32,
    /// The state of the machine.
    machine: Option<u32>,
}

/// A child that waits for its estimate.
struct Child {
    g: u64,
    /// The place of its parent in the batch.
    parent: u32,
    rule: RuleId,
    machine: Option<u32>,
}

/// Nodes that are taken from the stack together, and their children.
struct Batch<C> {
    nodes: Vec<Node>,
    rows: Vec<C>,
    /// For each node the row of its parent, where grandparents are left out.
    before: Vec<C>,
    children: Vec<Child>,
    child_rows: Vec<C>,
}

impl<C> Batch<C> {
    fn new() -> Self {
        Self {
            nodes: Vec::new(),
            rows: Vec::new(),
            before: Vec::new(),
            children: Vec::new(),
            child_rows: Vec::new(),
        }
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.children.capacity() * size_of::<Child>()
            + (self.rows.capacity() + self.before.capacity() + self.child_rows.capacity())
                * size_of::<C>()
    }
}

/// Move the entries of a stack from a place on into `taken`. Both buffers are reused.
fn take_from<T: Copy>(stack: &mut Vec<T>, first: usize, taken: &mut Vec<T>) {
    taken.clear();
    taken.extend_from_slice(&stack[first..]);
    stack.truncate(first);
}

/// The nodes that are left out.
#[derive(Clone, Copy)]
pub(super) struct Pruning<'m> {
    pub(super) machine: Option<&'m SharedMachine>,
    /// Whether nodes that equal their grandparent are left out.
    pub(super) parents: bool,
}

struct Ida<'a, C> {
    start: Vec<C>,
    heuristic: &'a mut AnyHeuristic<'a>,
    /// The error of the heuristic, which ended the search.
    failed: Option<BlockError<Failed>>,
    /// The number of nodes that are expanded before estimates are requested.
    batch: usize,
    moves: Moves<C>,
    pruning: Pruning<'a>,
    nodes: Vec<Node>,
    rows: Vec<C>,
    /// For each node the row of its parent, where grandparents are left out.
    before: Vec<C>,
    steps: Steps,
    /// The rules that apply to the node that is expanded.
    rules: Vec<RuleId>,
    /// The counts of this round, and whether a path was left out because its cost, or its estimated
    /// total cost, doesn't fit in 64 bits.
    counts: Totals,
    overflow: bool,
    frontier: Frontier,
}

pub(super) fn search<C: Cell>(
    game: &Game,
    start: &State,
    pruning: Pruning<'_>,
    heuristic: &mut AnyHeuristic<'_>,
    batch: usize,
    watch: &mut Watch<'_, '_>,
) -> Result<SolveReport, BlockError<Failed>> {
    let moves = Moves::<C>::new(game);
    let mut row = Moves::row(start);
    let first = estimates(heuristic, &mut row, moves.n_variables(), 1)?[0];
    let mut report = SolveReport::new(if pruning.parents {
        CycleDetection::Parent
    } else {
        CycleDetection::None
    });
    report.heuristic_start = first;
    if moves.is_goal(&row) {
        report.outcome = Outcome::Solved(Solution::default());
        return Ok(report);
    }
    if first == DEAD_END {
        report.outcome = Outcome::NoSolution;
        return Ok(report);
    }
    let mut rounds = Ida {
        start: row,
        heuristic,
        failed: None,
        batch,
        moves,
        pruning,
        nodes: Vec::new(),
        rows: Vec::new(),
        before: Vec::new(),
        steps: Steps::default(),
        rules: Vec::new(),
        counts: Totals::default(),
        overflow: false,
        frontier: Frontier::least(),
    };
    let raise = Raise::ToLeast;
    report.outcome = deepen(&mut rounds, game, first, 1, raise, &mut report, watch);
    match rounds.failed {
        Some(error) => Err(error),
        None => Ok(report),
    }
}

impl<C: Cell> Rounds for Ida<'_, C> {
    fn max_bound(&self) -> u64 {
        u64::MAX
    }

    fn round(
        &mut self,
        bound: u64,
        _best: bool,
        frontier: Frontier,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Round, StopReason> {
        (self.counts, self.overflow) = (Totals::default(), false);
        self.frontier = frontier;
        let (end, found) = match self.within(bound, watch) {
            Ok(found) => (Ok(()), found),
            Err(reason) => (Err(reason), None),
        };
        Ok(Round {
            end,
            counts: self.counts,
            levels: Vec::new(),
            overflow: self.overflow,
            found,
            frontier: std::mem::take(&mut self.frontier),
        })
    }
}

impl<C: Cell> Ida<'_, C> {
    /// Search all paths within a bound. Return the rules of the first solution.
    ///
    /// # Errors
    /// When a limit is reached, or the heuristic fails, which is an interruption to the loop over
    /// bounds.
    fn within(
        &mut self,
        bound: u64,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Option<Vec<u32>>, StopReason> {
        self.nodes = vec![Node {
            g: 0,
            step: NONE,
            machine: self.pruning.machine.map(Machine::start),
        }];
        self.rows = self.start.clone();
        self.before = if self.pruning.parents {
            self.start.clone()
        } else {
            Vec::new()
        };
        self.steps = Steps::default();
        let n_variables = self.moves.n_variables();
        let mut batch = Batch::new();
        while !self.nodes.is_empty() {
            watch.check(self.bytes() + batch.bytes())?;
            watch.poll()?;
            let before = self.counts.generated;
            let found = self.expand_all(bound, &mut batch);
            watch.note((self.counts.generated - before) as u64);
            if found.is_some() {
                return Ok(found);
            }
            let n_children = batch.children.len();
            let rows = &mut batch.child_rows;
            match estimates(self.heuristic, rows, n_variables, n_children) {
                Ok(found) => self.keep(bound, &batch, &found),
                Err(error) => {
                    self.failed = Some(error);
                    return Err(StopReason::Interrupted);
                }
            }
        }
        Ok(None)
    }

    /// Take nodes from the stack and make their children. Return the rules to one of them that is a
    /// goal state within the bound.
    fn expand_all(&mut self, bound: u64, batch: &mut Batch<C>) -> Option<Vec<u32>> {
        let n_variables = self.moves.n_variables();
        let first = self.nodes.len().saturating_sub(self.batch);
        take_from(&mut self.nodes, first, &mut batch.nodes);
        take_from(&mut self.rows, first * n_variables, &mut batch.rows);
        if self.pruning.parents {
            take_from(&mut self.before, first * n_variables, &mut batch.before);
        }
        batch.children.clear();
        batch.child_rows.clear();
        (0..batch.nodes.len()).find_map(|place| self.expand(bound, place, batch))
    }

    /// Put the children within the bound on the stack, and record the scores above it.
    fn keep(&mut self, bound: u64, batch: &Batch<C>, found: &[u64]) {
        let n_variables = self.moves.n_variables();
        let row = |place: usize| place * n_variables..(place + 1) * n_variables;
        for (place, (child, h)) in batch.children.iter().zip(found).enumerate() {
            if *h == DEAD_END {
                continue;
            }
            match child.g.checked_add(*h) {
                Some(f) if f <= bound => {
                    let parent = child.parent as usize;
                    self.nodes.push(Node {
                        g: child.g,
                        step: self.steps.add(batch.nodes[parent].step, child.rule),
                        machine: child.machine,
                    });
                    self.rows.extend_from_slice(&batch.child_rows[row(place)]);
                    if self.pruning.parents {
                        self.before.extend_from_slice(&batch.rows[row(parent)]);
                    }
                }
                Some(f) => self.frontier.beyond(f),
                None => self.overflow = true,
            }
        }
        for node in &batch.nodes {
            self.steps.release(node.step);
        }
    }

    /// Make the children of a node. Return the rules to one of them that is a goal state within the
    /// bound.
    fn expand(&mut self, bound: u64, place: usize, batch: &mut Batch<C>) -> Option<Vec<u32>> {
        let n_variables = self.moves.n_variables();
        let of_node = place * n_variables..(place + 1) * n_variables;
        let node = batch.nodes[place];
        let row = &batch.rows[of_node.clone()];
        self.counts.expanded += 1;
        self.moves.applicable(row, &mut self.rules);
        for rule in self.rules.iter().copied() {
            let mut machine = None;
            if let (Some(of), Some(state)) = (self.pruning.machine, node.machine) {
                machine = of.next(state, rule.0);
                if machine.is_none() {
                    self.counts.pruned_by_machine += 1;
                    continue;
                }
            }
            let first = batch.child_rows.len();
            let cost = self.moves.append(rule, row, &mut batch.child_rows);
            let child = &batch.child_rows[first..];
            if self.pruning.parents && node.step != NONE && child == &batch.before[of_node.clone()]
            {
                batch.child_rows.truncate(first);
                self.counts.pruned_by_cycle += 1;
                continue;
            }
            self.counts.generated += 1;
            let Some(g) = node.g.checked_add(cost) else {
                batch.child_rows.truncate(first);
                self.overflow = true;
                continue;
            };
            if g <= bound && self.moves.is_goal(child) {
                let mut rules = self.steps.path(node.step);
                rules.push(rule);
                return Some(rules.iter().map(|rule| rule.0).collect());
            }
            batch.children.push(Child {
                g,
                parent: place as u32,
                rule,
                machine,
            });
        }
        None
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + (self.rows.capacity() + self.before.capacity()) * size_of::<C>()
            + self.steps.bytes()
    }
}

//! IDA* in batches: nodes wait on a stack, and many are taken off it at once.

use std::time::{Duration, Instant};

use budget::StopReason;
use fsm::{AnyState, Machine};
use psvn_ir::{RuleId, State};
use search::{Cell, CycleDetection, Iteration, Solution};

use super::moves::Moves;
use super::steps::{NONE, Steps};
use super::{BETWEEN_REPORTS, BatchHeuristic, Setting, estimates, score};
use crate::environment::Phase;
use crate::error::Error;
use crate::machine::RuleMachine;
use crate::solve::{Answer, Outcome, PreparedPruning};

/// A node on the stack; its row is on another stack.
#[derive(Clone, Copy)]
struct Node {
    g: u64,
    step: u32,
    /// The state of the machine.
    machine: Option<AnyState>,
}

/// A child that waits for its estimate.
struct Child {
    g: u64,
    /// The place of its parent in the batch.
    parent: u32,
    rule: RuleId,
    machine: Option<AnyState>,
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

struct Ida<'a, C> {
    moves: Moves<C>,
    machine: Option<&'a RuleMachine>,
    /// Whether nodes that equal their grandparent are left out.
    parents: bool,
    nodes: Vec<Node>,
    rows: Vec<C>,
    /// For each node the row of its parent, where grandparents are left out.
    before: Vec<C>,
    steps: Steps,
    /// The rules that apply to the node that is expanded.
    rules: Vec<RuleId>,
    counts: Iteration,
    iterations: Vec<Iteration>,
    setting: &'a Setting<'a>,
}

/// How the search of a bound ended.
enum Ended {
    Solved(Solution),
    /// With the least score above the bound; `None` if there is none.
    Next(Option<u64>),
    Stopped(StopReason),
}

fn counts_of(bound: u64) -> Iteration {
    Iteration {
        bound,
        generated: 0,
        expanded: 0,
        pruned_by_machine: 0,
        pruned_by_cycle: 0,
    }
}

pub(super) fn search<C: Cell>(
    setting: &Setting<'_>,
    start: &State,
    pruning: &PreparedPruning,
    heuristic: &mut dyn BatchHeuristic,
) -> Result<Answer, Error> {
    let moves = Moves::<C>::new(setting.game);
    if moves.has_free_rules() {
        return Err(Error::usage(
            "a search along paths in batches would not end where rules cost nothing",
        )
        .with_hint("A* keeps each state once, and ends"));
    }
    if pruning.split.is_some() {
        return Err(Error::usage(
            "a search in batches takes no machine over parts of rules",
        ));
    }
    let mut row = moves.row(start)?;
    let heuristic_start = estimates(heuristic, &mut row, moves.n_variables(), 1)?[0];
    let is_solved = moves.is_goal(&row);
    let mut search = Ida {
        moves,
        machine: pruning.machine.as_deref(),
        parents: pruning.parent,
        nodes: Vec::new(),
        rows: Vec::new(),
        before: Vec::new(),
        steps: Steps::default(),
        rules: Vec::new(),
        counts: counts_of(0),
        iterations: Vec::new(),
        setting,
    };
    let outcome = match is_solved {
        true => Outcome::Solved(Solution::default()),
        false => search.run(&row, heuristic_start, heuristic)?,
    };
    Ok(search.answer(outcome, heuristic_start))
}

impl<C: Cell> Ida<'_, C> {
    fn run(
        &mut self,
        start: &[C],
        heuristic_start: u64,
        heuristic: &mut dyn BatchHeuristic,
    ) -> Result<Outcome, Error> {
        let phase = self.setting.env.begin();
        let mut bound = score(0, heuristic_start);
        loop {
            let Some(within) = bound else {
                return Ok(Outcome::NoSolution { proof: None });
            };
            self.counts = counts_of(within);
            let ended = self.within(within, start, heuristic, &phase)?;
            self.iterations.push(self.counts);
            match ended {
                Ended::Solved(solution) => return Ok(Outcome::Solved(solution)),
                Ended::Stopped(reason) => return Ok(Outcome::Stopped(reason)),
                Ended::Next(next) => bound = next,
            }
        }
    }

    /// Search all paths within a bound.
    fn within(
        &mut self,
        bound: u64,
        start: &[C],
        heuristic: &mut dyn BatchHeuristic,
        phase: &Phase,
    ) -> Result<Ended, Error> {
        self.nodes = vec![Node {
            g: 0,
            step: NONE,
            machine: self.machine.map(Machine::start),
        }];
        self.rows = start.to_vec();
        self.before = if self.parents {
            start.to_vec()
        } else {
            Vec::new()
        };
        self.steps = Steps::default();
        let done: u64 = self.iterations.iter().map(|it| it.generated).sum();
        let n_variables = self.moves.n_variables();
        let mut batch = Batch::new();
        let mut next: Option<u64> = None;
        let mut reported = Instant::now();
        while !self.nodes.is_empty() {
            let generated = done + self.counts.generated;
            let bytes = self.bytes() + batch.bytes();
            if let Err(reason) = self.setting.watch.check(generated, bytes) {
                return Ok(Ended::Stopped(reason));
            }
            if reported.elapsed() >= BETWEEN_REPORTS {
                reported = Instant::now();
                phase.show(|| format!("bound {bound}: {generated} nodes"), None);
            }
            if let Some(solution) = self.expand_all(bound, &mut batch) {
                return Ok(Ended::Solved(solution));
            }
            let n_children = batch.children.len();
            let rows = &mut batch.child_rows;
            let found = estimates(heuristic, rows, n_variables, n_children)?;
            self.keep(bound, &batch, &found, &mut next);
        }
        Ok(Ended::Next(next))
    }

    /// Take nodes from the stack and make their children. Return a solution if one of them is a
    /// goal state within the bound.
    fn expand_all(&mut self, bound: u64, batch: &mut Batch<C>) -> Option<Solution> {
        let n_variables = self.moves.n_variables();
        let first = self.nodes.len().saturating_sub(self.setting.batch);
        take_from(&mut self.nodes, first, &mut batch.nodes);
        take_from(&mut self.rows, first * n_variables, &mut batch.rows);
        if self.parents {
            take_from(&mut self.before, first * n_variables, &mut batch.before);
        }
        batch.children.clear();
        batch.child_rows.clear();
        (0..batch.nodes.len()).find_map(|place| self.expand(bound, place, batch))
    }

    /// Put the children within the bound on the stack, and find the least score above it.
    fn keep(&mut self, bound: u64, batch: &Batch<C>, found: &[u64], next: &mut Option<u64>) {
        let n_variables = self.moves.n_variables();
        let row = |place: usize| place * n_variables..(place + 1) * n_variables;
        for (place, (child, h)) in batch.children.iter().zip(found).enumerate() {
            match score(child.g, *h) {
                Some(f) if f <= bound => {
                    let parent = child.parent as usize;
                    self.nodes.push(Node {
                        g: child.g,
                        step: self.steps.add(batch.nodes[parent].step, child.rule),
                        machine: child.machine,
                    });
                    self.rows.extend_from_slice(&batch.child_rows[row(place)]);
                    if self.parents {
                        self.before.extend_from_slice(&batch.rows[row(parent)]);
                    }
                }
                Some(f) => *next = Some(next.map_or(f, |least| least.min(f))),
                None => {}
            }
        }
        for node in &batch.nodes {
            self.steps.release(node.step);
        }
    }

    /// Make the children of a node. Return a solution if one of them is a goal state within the
    /// bound.
    fn expand(&mut self, bound: u64, place: usize, batch: &mut Batch<C>) -> Option<Solution> {
        let n_variables = self.moves.n_variables();
        let of_node = place * n_variables..(place + 1) * n_variables;
        let node = batch.nodes[place];
        let row = &batch.rows[of_node.clone()];
        self.counts.expanded += 1;
        self.moves.applicable(row, &mut self.rules);
        for rule in self.rules.iter().copied() {
            let mut machine = None;
            if let (Some(of), Some(state)) = (self.machine, node.machine) {
                machine = of.next(state, rule.0);
                if machine.is_none() {
                    self.counts.pruned_by_machine += 1;
                    continue;
                }
            }
            let first = batch.child_rows.len();
            let cost = self.moves.append(rule, row, &mut batch.child_rows);
            let child = &batch.child_rows[first..];
            if self.parents && node.step != NONE && child == &batch.before[of_node.clone()] {
                batch.child_rows.truncate(first);
                self.counts.pruned_by_cycle += 1;
                continue;
            }
            self.counts.generated += 1;
            let g = node.g.saturating_add(cost);
            if g <= bound && self.moves.is_goal(child) {
                let mut moves = self.steps.path(node.step);
                moves.push(rule);
                let cost = u128::from(g);
                return Some(Solution { moves, cost });
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

    fn answer(self, outcome: Outcome, heuristic_start: u64) -> Answer {
        let sum = |count: fn(&Iteration) -> u64| -> u128 {
            self.iterations.iter().map(|it| u128::from(count(it))).sum()
        };
        let by_machine = sum(|it| it.pruned_by_machine);
        Answer {
            outcome,
            generated: sum(|it| it.generated),
            expanded: sum(|it| it.expanded),
            pruned: by_machine + sum(|it| it.pruned_by_cycle),
            pruned_by_machine: Some(by_machine),
            levels: Vec::new(),
            best_so_far: None,
            heuristic_start: Some(heuristic_start),
            cycle_detection: match self.parents {
                true => CycleDetection::Parent,
                false => CycleDetection::None,
            },
            preparation: Duration::ZERO,
            elapsed: self.setting.watch.elapsed(),
            iterations: self.iterations,
            kept: None,
            table: None,
        }
    }
}

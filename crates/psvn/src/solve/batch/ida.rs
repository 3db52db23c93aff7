//! IDA* in batches: nodes wait on a stack, and many are taken from it at once.

use std::time::{Duration, Instant};

use budget::StopReason;
use fsm::{AnyState, Machine};
use psvn_ir::{RuleId, State};
use search::{Cell, CycleDetection, Iteration, Solution};

use super::moves::Moves;
use super::{BETWEEN_REPORTS, BatchHeuristic, Setting, StateBlock, estimates, score};
use crate::environment::Phase;
use crate::error::Error;
use crate::machine::RuleMachine;
use crate::solve::{Answer, Outcome, PreparedPruning};

/// No step: where a path begins.
const NONE: u32 = u32::MAX;

/// A step of a path. Paths share their beginnings.
#[derive(Clone, Copy)]
struct Step {
    parent: u32,
    rule: RuleId,
    /// The nodes on the stack and the steps that go on from here.
    n_uses: u32,
}

/// All steps of the paths to nodes on the stack.
#[derive(Default)]
struct Steps {
    steps: Vec<Step>,
    free: Vec<u32>,
}

impl Steps {
    fn add(&mut self, parent: u32, rule: RuleId) -> u32 {
        if let Some(step) = self.steps.get_mut(parent as usize) {
            step.n_uses += 1;
        }
        let step = Step {
            parent,
            rule,
            n_uses: 1,
        };
        match self.free.pop() {
            Some(number) => {
                self.steps[number as usize] = step;
                number
            }
            None => {
                self.steps.push(step);
                (self.steps.len() - 1) as u32
            }
        }
    }

    /// One use less. Steps that nothing goes on from are free.
    fn release(&mut self, mut number: u32) {
        while let Some(step) = self.steps.get_mut(number as usize) {
            step.n_uses -= 1;
            if step.n_uses > 0 {
                return;
            }
            self.free.push(number);
            number = step.parent;
        }
    }

    /// The rules of the path that ends with a step.
    fn path(&self, mut number: u32) -> Vec<RuleId> {
        let mut rules = Vec::new();
        while let Some(step) = self.steps.get(number as usize) {
            rules.push(step.rule);
            number = step.parent;
        }
        rules.reverse();
        rules
    }
}

/// A node on the stack; its row lies on another one.
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
    parent: usize,
    rule: RuleId,
    machine: Option<AnyState>,
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

/// How a bound came to its end.
enum Ended {
    Solved(Solution),
    /// With the least score beyond the bound; `None` if there is none.
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
    let row = moves.row(start)?;
    let block = StateBlock::new(&row, moves.n_variables(), 1);
    let heuristic_start = estimates(heuristic, block)?[0];
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
        self.before = start.to_vec();
        self.steps = Steps::default();
        let done: u64 = self.iterations.iter().map(|it| it.generated).sum();
        let n_variables = self.moves.n_variables();
        let mut next: Option<u64> = None;
        let mut told = Instant::now();
        while !self.nodes.is_empty() {
            let generated = done + self.counts.generated;
            if let Err(reason) = self.setting.watch.check(generated, self.bytes()) {
                return Ok(Ended::Stopped(reason));
            }
            if told.elapsed() >= BETWEEN_REPORTS {
                told = Instant::now();
                phase.show(|| format!("bound {bound}: {generated} nodes"), None);
            }
            let first = self.nodes.len().saturating_sub(self.setting.batch);
            let batch = self.nodes.split_off(first);
            let rows = self.rows.split_off(first * n_variables);
            let before = self.before.split_off(first * n_variables);
            let mut children = Vec::new();
            let mut child_rows = Vec::new();
            for (place, node) in batch.iter().enumerate() {
                let of_node = place * n_variables..(place + 1) * n_variables;
                let (row, before) = (&rows[of_node.clone()], &before[of_node]);
                let found = self.expand(
                    bound,
                    place,
                    node,
                    row,
                    before,
                    &mut children,
                    &mut child_rows,
                );
                if let Some(solution) = found {
                    return Ok(Ended::Solved(solution));
                }
            }
            let block = StateBlock::new(&child_rows, n_variables, children.len());
            let found = estimates(heuristic, block)?;
            for (place, (child, h)) in children.iter().zip(found).enumerate() {
                match score(child.g, h) {
                    Some(f) if f <= bound => {
                        let parent = &batch[child.parent];
                        self.nodes.push(Node {
                            g: child.g,
                            step: self.steps.add(parent.step, child.rule),
                            machine: child.machine,
                        });
                        let of_child = place * n_variables..(place + 1) * n_variables;
                        self.rows.extend_from_slice(&child_rows[of_child]);
                        let of_parent =
                            child.parent * n_variables..(child.parent + 1) * n_variables;
                        self.before.extend_from_slice(&rows[of_parent]);
                    }
                    Some(f) => next = Some(next.map_or(f, |least| least.min(f))),
                    None => {}
                }
            }
            for node in &batch {
                self.steps.release(node.step);
            }
        }
        Ok(Ended::Next(next))
    }

    /// Make the children of a node; returns a solution if one of them is a goal state within the
    /// bound.
    #[expect(
        clippy::too_many_arguments,
        reason = "the stacks that it reads and writes are the caller's"
    )]
    fn expand(
        &mut self,
        bound: u64,
        place: usize,
        node: &Node,
        row: &[C],
        before: &[C],
        children: &mut Vec<Child>,
        child_rows: &mut Vec<C>,
    ) -> Option<Solution> {
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
            let first = child_rows.len();
            let cost = self.moves.append(rule, row, child_rows);
            let child = &child_rows[first..];
            if self.parents && node.step != NONE && child == before {
                child_rows.truncate(first);
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
            children.push(Child {
                g,
                parent: place,
                rule,
                machine,
            });
        }
        None
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + (self.rows.capacity() + self.before.capacity()) * size_of::<C>()
            + self.steps.steps.capacity() * size_of::<Step>()
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

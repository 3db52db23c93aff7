//! Lower bounds by a depth-first search along the words that a machine allows.
//!
//! The search is cut where the estimate reaches the bound. If it then finds no goal, each plan that
//! the machine allows costs at least the bound; and the machine allows a plan of least cost.

use crate::costs::estimates::heuristic::ProvedHeuristic;
use crate::costs::estimates::potential::Potential;
use crate::costs::estimates::table::Overflow;
use crate::costs::flaw::{CostProblem, Fault};
use crate::costs::pruning::machine::{FIRST, Machine};
use crate::costs::setting::moves::{Move, Source, Test};
use crate::costs::setting::prepared::Prepared;
use crate::costs::sums::{weigh, weight};
use crate::limits::Limits;

/// The search goes no deeper. (The verified checker must not, and both have to agree.)
const MOST_MOVES: usize = 50_000;

/// The number of states after which the limits are checked again.
const STATES_AT_ONCE: u64 = 1 << 14;

/// Check that no plan costs less than a bound. The machine and the heuristic must have been proved.
pub(crate) fn check_search(
    game: &Prepared<'_>,
    heuristic: &ProvedHeuristic<'_>,
    machine: &Machine,
    bound: u64,
    limits: &Limits,
) -> Result<(), Fault> {
    let steps: Vec<Step> = game.moves.iter().map(Step::of).collect();
    let successors = |row: &Vec<u32>| {
        let allowed = row.iter().zip(&steps).enumerate();
        let allowed = allowed.filter(|(_, (next, _))| **next != 0);
        let successor = |(rule, (next, step)): (usize, (&u32, &Step))| Successor {
            rule,
            machine: *next,
            first_test: step.first_test,
        };
        allowed.map(successor).collect()
    };
    let weigh_start = |potential: &Potential| weigh(&potential.weights, game.start);
    let search = Search {
        game,
        heuristic,
        bound,
        limits,
        successors: machine.rows.iter().map(successors).collect(),
        steps: &steps,
        state: game.start.to_vec(),
        sums: heuristic.potentials.iter().map(weigh_start).collect(),
        estimates: Vec::new(),
        path: Vec::new(),
        undo: Vec::new(),
        estimates_before: Vec::new(),
        space: Vec::new(),
        n_states: 0,
    };
    search.run()
}

/// A rule without the positions at which nothing happens.
struct Step {
    /// A position that must have a value. Most rules that don't apply fail here.
    first_test: Option<(usize, u32)>,
    tests: Vec<(usize, Test)>,
    changes: Vec<(usize, Source)>,
    cost: u64,
}

impl Step {
    fn of(it: &Move) -> Self {
        let tests = it.tests.iter().copied().enumerate();
        let tests: Vec<_> = tests.filter(|(_, test)| *test != Test::Any).collect();
        let value = |(position, test): &(usize, Test)| match *test {
            Test::Is(value) => Some((*position, value)),
            Test::Any | Test::Same(_) => None,
        };
        let changes = it.sources.iter().copied().enumerate();
        Self {
            first_test: tests.iter().find_map(value),
            tests,
            changes: changes
                .filter(|(_, source)| *source != Source::Keep)
                .collect(),
            cost: it.cost,
        }
    }
}

/// A rule that a machine allows in one of its states.
struct Successor {
    rule: usize,
    /// The next state of the machine.
    machine: u32,
    first_test: Option<(usize, u32)>,
}

/// A state on the path whose successors are being visited.
struct Node {
    /// The state of the machine.
    machine: u32,
    g: u64,
    /// The place of the next successor.
    next: usize,
    before: Mark,
}

/// What was on the path before a move: the lengths of the lists of old values and of old estimates.
#[derive(Clone, Copy)]
struct Mark {
    n_undo: usize,
    n_estimates: usize,
}

/// A depth-first search. There is one state, which moves change and then change back.
struct Search<'c> {
    game: &'c Prepared<'c>,
    heuristic: &'c ProvedHeuristic<'c>,
    bound: u64,
    limits: &'c Limits,
    steps: &'c [Step],
    /// For each state of the machine, from 1 on.
    successors: Vec<Vec<Successor>>,
    state: Vec<u32>,
    /// For each potential the sum of the state.
    sums: Vec<u64>,
    /// For each table the estimate of the state.
    estimates: Vec<u64>,
    path: Vec<Node>,
    /// Positions on the path that changed, with the values before.
    undo: Vec<(usize, u32)>,
    /// Tables on the path whose estimate may have changed, with the one before.
    estimates_before: Vec<(usize, u64)>,
    /// Overwritten by estimates.
    space: Vec<u32>,
    n_states: u64,
}

impl Search<'_> {
    fn run(mut self) -> Result<(), Fault> {
        if self.bound > 0 {
            for table in &self.heuristic.tables {
                let estimate = table.estimate(&self.state, &mut self.space)?;
                self.estimates.push(estimate);
            }
        }
        let before = self.mark();
        self.visit(FIRST, 0, before)?;
        while let Some(node) = self.path.last_mut() {
            let successors = self.successors.get(node.machine as usize - 1);
            let rest = &successors.map_or(&[][..], |all| all)[node.next..];
            let found = rest
                .iter()
                .position(|it| applies(it, self.steps, &self.state));
            let Some(at) = found else {
                let before = node.before;
                self.path.pop();
                self.take_back(before);
                continue;
            };
            node.next += at + 1;
            let (rule, machine) = (rest[at].rule, rest[at].machine);
            let g = node.g + self.steps[rule].cost;
            let before = self.mark();
            self.carry_out(rule);
            self.visit(machine, g, before)?;
        }
        Ok(())
    }

    fn mark(&self) -> Mark {
        Mark {
            n_undo: self.undo.len(),
            n_estimates: self.estimates_before.len(),
        }
    }

    /// Put the state on the path, unless all plans through it cost enough. Then take the last move
    /// back.
    fn visit(&mut self, machine: u32, g: u64, before: Mark) -> Result<(), Fault> {
        if self.n_states.is_multiple_of(STATES_AT_ONCE) {
            self.limits.check()?;
        }
        self.n_states += 1;
        if self.path.len() >= MOST_MOVES {
            return Err(CostProblem::TooDeep { most: MOST_MOVES }.into());
        }
        if g >= self.bound || g + self.estimate(before)? >= self.bound {
            self.take_back(before);
            return Ok(());
        }
        if self.game.is_goal(&self.state) {
            return Err(CostProblem::GoalFound { g }.into());
        }
        self.path.push(Node {
            machine,
            g,
            next: 0,
            before,
        });
        Ok(())
    }

    /// The estimate of the state. Only the tables in which the last move shows are asked again.
    fn estimate(&mut self, before: Mark) -> Result<u64, Overflow> {
        let changes = &self.undo[before.n_undo..];
        for (index, table) in self.heuristic.tables.iter().enumerate() {
            let is_seen = |(position, value): &(usize, u32)| {
                table.tells_apart(*position, *value, self.state[*position])
            };
            if changes.iter().any(is_seen) {
                let estimate = table.estimate(&self.state, &mut self.space)?;
                let old = std::mem::replace(&mut self.estimates[index], estimate);
                self.estimates_before.push((index, old));
            }
        }
        let potentials = self.heuristic.potentials.iter().zip(&self.sums);
        let by_potential = potentials.map(|(it, sum)| it.of_sum(*sum)).max();
        let by_tables = self.heuristic.greatest_sum(&self.estimates);
        Ok(by_potential.unwrap_or(0).max(by_tables))
    }

    fn carry_out(&mut self, rule: usize) {
        let before = self.undo.len();
        for (position, source) in &self.steps[rule].changes {
            let value = match *source {
                Source::Keep => self.state[*position],
                Source::Put(value) => value,
                Source::From(other) => self.state[other],
            };
            self.undo.push((*position, value));
        }
        self.exchange(before);
    }

    /// Take back what was changed since then.
    fn take_back(&mut self, before: Mark) {
        self.exchange(before.n_undo);
        self.undo.truncate(before.n_undo);
        for (index, old) in self.estimates_before.drain(before.n_estimates..) {
            self.estimates[index] = old;
        }
    }

    /// Exchange the values of the state with those in the list from an index on.
    fn exchange(&mut self, from: usize) {
        for (position, value) in &mut self.undo[from..] {
            std::mem::swap(value, &mut self.state[*position]);
            for (potential, sum) in self.heuristic.potentials.iter().zip(&mut self.sums) {
                let weights = &potential.weights[*position];
                *sum += u64::from(weight(weights, self.state[*position]));
                *sum -= u64::from(weight(weights, *value));
            }
        }
    }
}

fn applies(successor: &Successor, steps: &[Step], state: &[u32]) -> bool {
    let passes_first = |(position, value): (usize, u32)| state[position] == value;
    successor.first_test.is_none_or(passes_first)
        && steps[successor.rule].tests.iter().all(|(position, test)| {
            let value = state[*position];
            match *test {
                Test::Any => true,
                Test::Is(wanted) => value == wanted,
                Test::Same(other) => value == state[other],
            }
        })
}

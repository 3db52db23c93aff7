//! Lower bounds by a depth-first search along the words that a machine allows.
//!
//! The search is cut where the estimate reaches the bound. If it then finds no goal, each plan that
//! the machine allows costs at least the bound; and the machine allows a plan of least cost.

use super::flaw::{CostProblem, Fault};
use super::heuristic::ProvedHeuristic;
use super::machine::{FIRST, Machine};
use super::moves::{Source, Test};
use super::prepared::Prepared;
use super::sums::{weigh, weight};
use crate::limits::Limits;

/// The search goes no deeper. (The verified checker must not, and both have to agree.)
const MOST_MOVES: usize = 100_000;

/// The number of states after which the limits are checked again.
const STATES_AT_ONCE: u64 = 1 << 14;

/// Check that no plan costs less than a bound. The machine and the heuristic must have been proved.
pub(super) fn check_search(
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
    let weigh_start = |potential: &super::potential::Potential| weigh(&potential.weights, game.start);
    let search = Search {
        game,
        heuristic,
        bound,
        limits,
        successors: machine.rows.iter().map(successors).collect(),
        steps: &steps,
        state: game.start.to_vec(),
        sums: heuristic.potentials.iter().map(weigh_start).collect(),
        path: Vec::new(),
        undo: Vec::new(),
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
    fn of(it: &super::moves::Move) -> Self {
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
            changes: changes.filter(|(_, source)| *source != Source::Keep).collect(),
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
    /// The length of the list of old values before the state was reached.
    n_undo: usize,
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
    path: Vec<Node>,
    /// Positions on the path that changed, with the values before.
    undo: Vec<(usize, u32)>,
    /// Overwritten by estimates.
    space: Vec<u32>,
    n_states: u64,
}

impl Search<'_> {
    fn run(mut self) -> Result<(), Fault> {
        self.visit(FIRST, 0, 0)?;
        while let Some(node) = self.path.last_mut() {
            let successors = self.successors.get(node.machine as usize - 1);
            let rest = &successors.map_or(&[][..], |all| all)[node.next..];
            let found = rest.iter().position(|it| applies(it, self.steps, &self.state));
            let Some(at) = found else {
                let n_undo = node.n_undo;
                self.path.pop();
                self.take_back(n_undo);
                continue;
            };
            node.next += at + 1;
            let (rule, machine) = (rest[at].rule, rest[at].machine);
            let g = node.g + self.steps[rule].cost;
            let n_undo = self.undo.len();
            self.carry_out(rule);
            self.visit(machine, g, n_undo)?;
        }
        Ok(())
    }

    /// Put the state on the path, unless all plans through it cost enough. Then take the last move
    /// back.
    fn visit(&mut self, machine: u32, g: u64, n_undo: usize) -> Result<(), Fault> {
        if self.n_states.is_multiple_of(STATES_AT_ONCE) {
            self.limits.check()?;
        }
        self.n_states += 1;
        if self.path.len() >= MOST_MOVES {
            return Err(CostProblem::TooDeep { most: MOST_MOVES }.into());
        }
        if g >= self.bound || g + self.estimate()? >= self.bound {
            self.take_back(n_undo);
            return Ok(());
        }
        if self.game.is_goal(&self.state) {
            return Err(CostProblem::GoalFound { g }.into());
        }
        self.path.push(Node {
            machine,
            g,
            next: 0,
            n_undo,
        });
        Ok(())
    }

    fn estimate(&mut self) -> Result<u64, Fault> {
        let potentials = self.heuristic.potentials.iter().zip(&self.sums);
        let by_potential = potentials.map(|(it, sum)| it.of_sum(*sum)).max();
        let by_tables = self.heuristic.estimate_by_tables(&self.state, &mut self.space)?;
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

    /// Take back what was changed since the list of old values had this length.
    fn take_back(&mut self, n_undo: usize) {
        self.exchange(n_undo);
        self.undo.truncate(n_undo);
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

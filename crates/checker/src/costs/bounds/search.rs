//! Lower bounds by a depth-first search along the words that a machine allows.
//!
//! The search is cut where the estimate reaches the bound. If it then finds no goal, each plan that
//! the machine allows costs at least the bound; and the machine allows a plan of least cost.

use crate::costs::bounds::position::{Mark, Position};
use crate::costs::estimates::heuristic::ProvedHeuristic;
use crate::costs::flaw::{CostProblem, Fault};
use crate::costs::pruning::machine::{FIRST, Machine};
use crate::costs::setting::dispatch::Dispatch;
use crate::costs::setting::prepared::Prepared;
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
    let search = Search {
        game,
        machine,
        bound,
        limits,
        moves: Dispatch::new(game.moves.iter(), None),
        position: Position::new(heuristic, game.start),
        path: Vec::new(),
        open: Vec::new(),
        n_states: 0,
    };
    search.run()
}

/// A state on the path whose successors are being visited.
struct Node {
    /// The state of the machine.
    machine: u32,
    g: u64,
    /// The number of moves that were open before.
    n_open: usize,
    before: Mark,
}

/// A depth-first search. There is one state, which moves change and then change back.
struct Search<'c> {
    game: &'c Prepared<'c>,
    machine: &'c Machine,
    bound: u64,
    limits: &'c Limits,
    moves: Dispatch,
    position: Position<'c>,
    path: Vec<Node>,
    /// The moves from states on the path that have not been made, by their numbers.
    open: Vec<usize>,
    n_states: u64,
}

impl Search<'_> {
    fn run(mut self) -> Result<(), Fault> {
        let before = self.position.mark();
        self.visit(FIRST, 0, before)?;
        while let Some(node) = self.path.last() {
            if self.open.len() == node.n_open {
                self.position.take_back(node.before);
                self.path.pop();
                continue;
            }
            let rule = self.open.pop().expect("some moves are open");
            let step = self.moves.step(rule);
            let (g, machine) = (node.g + step.cost, self.machine.row(node.machine)[rule]);
            let before = self.position.mark();
            self.position.carry_out(step);
            self.visit(machine, g, before)?;
        }
        Ok(())
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
        if g >= self.bound || g + self.position.estimate(before) >= self.bound {
            self.position.take_back(before);
            return Ok(());
        }
        let state = &self.position.state;
        if self.game.is_goal(state) {
            return Err(CostProblem::GoalFound { g }.into());
        }
        let n_open = self.open.len();
        let row = self.machine.row(machine);
        let is_clean = |rule: &usize| row.get(*rule).is_some_and(|next| *next != 0);
        let rules = self.moves.allowed(state).map(|(rule, _)| rule);
        self.open.extend(rules.filter(is_clean));
        self.path.push(Node {
            machine,
            g,
            n_open,
            before,
        });
        Ok(())
    }
}

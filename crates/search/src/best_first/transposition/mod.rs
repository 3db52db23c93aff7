//! IDA\* with a transposition table that is safe beside move pruning.

mod ida;
mod inclusion;
mod table;

use std::sync::Arc;
use std::time::Duration;

use fsm::{Machine, SharedMachine, Unrestricted};
use psvn_ir::{Game, State};

use crate::best_first::budget::Budget;
use crate::best_first::pulse::Pulse;
use crate::best_first::space::Space;
use crate::game::compiled::StateMismatch;
use crate::heuristic::Heuristic;
use crate::heuristic::erased::Erased;
use crate::run::limits::{Limits, Progress, ProgressFn, Watch};
use crate::run::report::{Iteration, Outcome, Solution};

use inclusion::Inclusions;
use table::{Exact, Key};

/// The bytes of the table, unless said otherwise: 64 MiB.
const DEFAULT_TABLE_BYTES: usize = 64 << 20;

/// What happened at the transposition table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TableCounts {
    /// Nodes that were looked up.
    pub lookups: u64,
    /// Those for which the table held more than the heuristic's estimate.
    pub hits: u64,
    /// Those that were cut off for it.
    pub cutoffs: u64,
    /// Bounds that were written, improvements of stored ones included.
    pub stores: u64,
    /// Writes that displaced the bound of another node.
    pub replacements: u64,
    /// The bounds that the table has room for.
    pub capacity: u64,
    /// The bytes that the table takes.
    pub bytes: usize,
}

/// What a search with a transposition table reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranspositionReport {
    /// The answer: a solution of least cost, or what [`Run::ida_star`](crate::Run::ida_star)
    /// says otherwise.
    pub outcome: Outcome,
    /// Children that were made, over all iterations.
    pub generated: u64,
    /// Nodes whose children were made.
    pub expanded: u64,
    /// Would-be children that the machine forbade.
    pub pruned_by_machine: u64,
    /// The iterations in order; the last one may be partial.
    pub iterations: Vec<Iteration>,
    /// The heuristic value of the start state.
    pub heuristic_start: u64,
    /// What happened at the table.
    pub table: TableCounts,
    /// The most memory that table and path took at a time, in bytes.
    pub peak_bytes: usize,
    /// The time that it took.
    pub elapsed: Duration,
}

impl TranspositionReport {
    /// The solution, if there is one.
    pub fn solution(&self) -> Option<&Solution> {
        match &self.outcome {
            Outcome::Solved(solution) => Some(solution),
            _ => None,
        }
    }

    /// Whether there is a solution.
    pub fn solved(&self) -> bool {
        self.solution().is_some()
    }
}

/// IDA\* with a transposition table of bounded size (Reinefeld & Marsland 1994), beside any
/// machine.
///
/// The table's entries are found by the state *and* the machine's state: what may follow a node
/// depends on just these two, so that what was learned below one node holds for every other one
/// with the same two. It also holds for machine states that allow less: in machines that are not
/// too large, an entry serves all machine states whose words its own one allows. With the state
/// alone as the key, solutions would be lost; [`UnsafeCombination`](crate::UnsafeCombination) has
/// the reason, and the front page of this crate the example.
///
/// ```
/// use search::{TranspositionSearch, ZeroHeuristic};
///
/// let game = psvn_ir::load("
///     4  4 4 4 4
///     A B C D => B A C D
///     A B C D => A C B D
///     A B C D => A B D C
///     GOAL 0 1 2 3
/// ").game.expect("a game without errors");
/// let start = game.parse_state("3 2 1 0")?;
/// let mut search = TranspositionSearch::new(&game).table_bytes(1 << 16);
/// let report = search.ida_star(&start, &ZeroHeuristic)?;
/// assert_eq!(report.solution().map(|solution| solution.cost), Some(6));
/// assert!(report.table.cutoffs > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TranspositionSearch<'a> {
    space: Arc<Space>,
    machine: SharedMachine,
    table_bytes: usize,
    limits: Limits,
    progress: Option<Box<ProgressFn<'a>>>,
}

impl TranspositionSearch<'_> {
    /// A search without a machine and limits, with a table of 64 MiB.
    pub fn new(game: &Game) -> Self {
        Self {
            space: Arc::new(Space::new(game)),
            machine: SharedMachine::new(Unrestricted),
            table_bytes: DEFAULT_TABLE_BYTES,
            limits: Limits::default(),
            progress: None,
        }
    }
}

impl<'a> TranspositionSearch<'a> {
    /// In a space that was compiled before, beside a machine.
    pub(crate) fn with(
        space: Arc<Space>,
        machine: SharedMachine,
        limits: Limits,
        progress: Option<Box<ProgressFn<'a>>>,
    ) -> Self {
        Self {
            space,
            machine,
            table_bytes: DEFAULT_TABLE_BYTES,
            limits,
            progress,
        }
    }

    /// Run beside this machine. What
    /// [`SearcherBuilder::machine`](crate::SearcherBuilder::machine) says holds here too.
    pub fn machine(mut self, machine: impl Machine + Send + 'static) -> Self {
        self.machine = SharedMachine::new(machine);
        self
    }

    /// The most bytes for the table. With 0 there is none. A table and a path that together take
    /// more than [`Limits::memory`] stop the search.
    pub fn table_bytes(mut self, bytes: usize) -> Self {
        self.table_bytes = bytes;
        self
    }

    /// Stop at these limits. They hold for each run by itself.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Call this with the progress about ten times a second.
    pub fn on_progress(mut self, progress: impl FnMut(&Progress) + 'a) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// Look for a solution of least cost. The heuristic must be admissible; it need not be
    /// consistent. Rules that cost nothing are no trouble: free moves back to a state of the path
    /// are left out.
    ///
    /// Without a solution it ends when no path was cut off by the bound; in a game whose rules all
    /// cost something that may never happen: give it limits.
    ///
    /// # Errors
    /// When the start state is none of the game.
    pub fn ida_star(
        &mut self,
        start: &State,
        heuristic: &impl Heuristic,
    ) -> Result<TranspositionReport, StateMismatch> {
        self.search(start, Erased(heuristic))
    }

    fn search(
        &mut self,
        start: &State,
        heuristic: Erased<'_>,
    ) -> Result<TranspositionReport, StateMismatch> {
        let start = self.space.pack(start)?;
        let inclusions = Inclusions::new(&self.machine, self.space.costs.len());
        let pass = Pass {
            space: &self.space,
            start: &start,
            heuristic,
            table_bytes: self.table_bytes,
        };
        let watch = Watch::new(&self.limits, self.progress.as_mut());
        Ok(match &inclusions {
            Some(inclusions) => pass.run(inclusions, inclusions, watch),
            None => pass.run(&self.machine, Exact, watch),
        })
    }
}

/// One search, whatever its machine and key.
struct Pass<'s> {
    space: &'s Space,
    start: &'s [u64],
    heuristic: Erased<'s>,
    table_bytes: usize,
}

impl Pass<'_> {
    fn run<M: Machine>(
        &self,
        machine: &M,
        key: impl Key<M::State>,
        watch: Watch<'_, '_>,
    ) -> TranspositionReport {
        let budget = Budget::new(watch.limits().memory);
        let pulse = Pulse::new(watch);
        let run = ida::IdaRun::new(self.space, machine, self.heuristic, pulse, budget, key);
        run.run(self.start, self.table_bytes)
    }
}

#[cfg(test)]
mod tests {
    use fsm::WordAutomaton;

    use super::table::StateOnly;
    use super::*;
    use crate::heuristic::ZeroHeuristic;

    /// A search with any key.
    fn run<M: Machine>(
        game: &Game,
        start: &State,
        machine: &M,
        key: impl Key<M::State>,
        table_bytes: usize,
    ) -> TranspositionReport {
        let space = Space::new(game);
        let pass = Pass {
            space: &space,
            start: &space.pack(start).unwrap(),
            heuristic: Erased(&ZeroHeuristic),
            table_bytes,
        };
        pass.run(machine, key, Watch::new(&Limits::default(), None))
    }

    /// Figure 1 of Burch & Holte 2011: the machine forbids R1 R3 in favor of R2 R3, and R1 comes
    /// first in the search. Both lead to the state from which R3 leads to the goal.
    #[test]
    fn the_naive_key_loses_the_only_solution_and_ours_does_not() {
        let text = domains::generate_reference("ghi").unwrap();
        let game = psvn_ir::load(&text).game.unwrap();
        let automaton = WordAutomaton::forbidding(3, &[vec![0_u32, 2]]).unwrap();
        let machine = automaton.build().unwrap();
        let start = game.parse_state("0 0 0 0").unwrap();
        let mut search = TranspositionSearch::new(&game)
            .machine(machine.clone())
            .table_bytes(1 << 12);
        let naive = run(&game, &start, &machine, StateOnly, 1 << 12);
        assert_eq!(naive.outcome, Outcome::NoSolution);
        assert!(naive.table.cutoffs > 0);
        let ours = search.ida_star(&start, &ZeroHeuristic).unwrap();
        let solution = ours.solution().unwrap();
        let labels = solution.moves.iter().map(|id| &*game.rule(*id).label);
        assert_eq!(labels.collect::<Vec<_>>(), ["R2", "R3"]);
        // Without a machine there is one machine state, and the keys are the same.
        let mut search = TranspositionSearch::new(&game).table_bytes(1 << 12);
        let naive = run(&game, &start, &Unrestricted, StateOnly, 1 << 12);
        assert!(naive.solved());
        assert!(search.ida_star(&start, &ZeroHeuristic).unwrap().solved());
    }

    /// Beside a machine with many states, entries of machine states that allow more spare work.
    #[test]
    fn inclusion_is_stronger_than_equality() {
        let text = domains::generate_reference("pancake:7").unwrap();
        let game = psvn_ir::load(&text).game.unwrap();
        let rules: Vec<_> = game.rules().iter().map(|r| r.canonical.clone()).collect();
        let options = move_prune::Options::up_to(4);
        let analysis = move_prune::analyze(game.n_variables(), &rules, &options, |_| {});
        let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
        let machine = WordAutomaton::forbidding(rules.len() as u32, &words)
            .and_then(|automaton| automaton.build())
            .unwrap();
        let (mut by_inclusion, mut by_equality) = (0, 0);
        for start in ["5 2 7 1 4 6 3", "2 4 6 1 3 5 7", "7 3 1 5 2 6 4"] {
            let start = game.parse_state(start).unwrap();
            let mut search = TranspositionSearch::new(&game)
                .machine(machine.clone())
                .table_bytes(1 << 20);
            let exact = run(&game, &start, &machine, Exact, 1 << 20);
            let ours = search.ida_star(&start, &ZeroHeuristic).unwrap();
            let cost = |report: &TranspositionReport| report.solution().map(|it| it.cost);
            assert_eq!(cost(&ours), cost(&exact));
            by_inclusion += ours.expanded;
            by_equality += exact.expanded;
        }
        // The two differ by some percent here.
        assert!(
            by_inclusion * 100 < by_equality * 98,
            "{by_inclusion} {by_equality}"
        );
    }
}

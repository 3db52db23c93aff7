//! IDA\* with a transposition table that is safe beside move pruning.

mod ida;
pub(crate) mod inclusion;
mod table;

use fsm::Machine;
use psvn_ir::State;

use crate::best_first::budget::Budget;
use crate::best_first::pulse::Pulse;
use crate::best_first::space::Space;
use crate::front::run::Run;
use crate::game::compiled::StateMismatch;
use crate::heuristic::erased::Erased;
use crate::run::limits::Watch;
use crate::run::options::CycleDetection;
use crate::run::report::SolveReport;

use table::{Exact, Key};

/// The bytes of a transposition table, unless its user says otherwise: 64 MiB.
pub const DEFAULT_TABLE_BYTES: usize = 64 << 20;

/// Search by IDA\* with a table of at most this many bytes (see [`Run::transposition_table`]).
///
/// Without a solution it ends when no path was cut off by the bound. Free moves back to a state of
/// the path are left out.
///
/// # Errors
/// When the start state is none of the game.
pub(crate) fn ida_star(
    run: &mut Run<'_>,
    start: &State,
    heuristic: Erased<'_>,
    table_bytes: usize,
) -> Result<SolveReport, StateMismatch> {
    let prepared = &*run.prepared;
    prepared.game.check(start)?;
    let mut watch = Watch::new(&run.limits, run.progress.as_mut());
    let made = prepared.space(&mut watch);
    let made = made.and_then(|space| Ok((space, prepared.inclusions(&mut watch)?)));
    let (space, inclusions) = match made {
        Ok(made) => made,
        Err(reason) => {
            let mut report = SolveReport::stopped(CycleDetection::None, reason);
            (report.preparation, report.elapsed) = watch.times();
            return Ok(report);
        }
    };
    let pass = Pass {
        space,
        start: &space.pack(start)?,
        heuristic,
        table_bytes,
    };
    Ok(match inclusions {
        Some(inclusions) => pass.run(inclusions, inclusions, watch),
        None => pass.run(&prepared.machine, Exact, watch),
    })
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
    ) -> SolveReport {
        let budget = Budget::new(watch.limits().memory);
        let pulse = Pulse::new(watch);
        let run = ida::IdaRun::new(self.space, machine, self.heuristic, pulse, budget, key);
        run.run(self.start, self.table_bytes)
    }
}

#[cfg(test)]
mod tests {
    use fsm::{Unrestricted, WordAutomaton};
    use psvn_ir::Game;

    use super::table::StateOnly;
    use super::*;
    use crate::front::searcher::Searcher;
    use crate::game::compiled::CompiledGame;
    use crate::heuristic::ZeroHeuristic;
    use crate::run::limits::Limits;
    use crate::run::report::Outcome;

    /// A search with any key.
    fn run<M: Machine>(
        game: &Game,
        start: &State,
        machine: &M,
        key: impl Key<M::State>,
        table_bytes: usize,
    ) -> SolveReport {
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
        let compiled = CompiledGame::new(&game);
        let searcher = Searcher::builder(&compiled)
            .machine(machine.clone())
            .build();
        let mut search = searcher.run().transposition_table(1 << 12);
        let naive = run(&game, &start, &machine, StateOnly, 1 << 12);
        assert_eq!(naive.outcome, Outcome::NoSolution);
        assert!(naive.table.unwrap().cutoffs > 0);
        let ours = search.ida_star(&start, &ZeroHeuristic).unwrap();
        let solution = ours.solution().unwrap();
        let labels = solution.moves.iter().map(|id| &*game.rule(*id).label);
        assert_eq!(labels.collect::<Vec<_>>(), ["R2", "R3"]);
        // Without a machine there is one machine state, and the keys are the same.
        let searcher = Searcher::builder(&compiled).build();
        let mut search = searcher.run().transposition_table(1 << 12);
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
        let compiled = CompiledGame::new(&game);
        let searcher = Searcher::builder(&compiled)
            .machine(machine.clone())
            .build();
        let (mut by_inclusion, mut by_equality) = (0, 0);
        for start in ["5 2 7 1 4 6 3", "2 4 6 1 3 5 7", "7 3 1 5 2 6 4"] {
            let start = game.parse_state(start).unwrap();
            let mut search = searcher.run().transposition_table(1 << 20);
            let exact = run(&game, &start, &machine, Exact, 1 << 20);
            let ours = search.ida_star(&start, &ZeroHeuristic).unwrap();
            let cost = |report: &SolveReport| report.solution().map(|it| it.cost);
            assert_eq!(cost(&ours), cost(&exact));
            by_inclusion += ours.totals.expanded;
            by_equality += exact.totals.expanded;
        }
        // The two differ by some percent here.
        assert!(
            by_inclusion * 100 < by_equality * 98,
            "{by_inclusion} {by_equality}"
        );
    }
}

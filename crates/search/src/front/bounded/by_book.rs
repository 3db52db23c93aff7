//! Searches bounded by cost without a plan.

use fsm::SharedMachine;
use psvn_ir::{Game, State};

use crate::game::cell::{Block, Cell};
use crate::game::compiled::{Compiled, CompiledGame, StateMismatch, with_width};
use crate::heuristic::weight::Weight;
use crate::heuristic::wide::in_wide_cells;
use crate::heuristic::{DEAD_END, Heuristic};
use crate::interpreter::engine::Engine;
use crate::interpreter::learning::{LearnToCost, n_words};
use crate::interpreter::tasks::{FindToCost, GoalsToCost, Weighted};
use crate::run::deepening::{Raise, Round, Rounds, deepen};
use crate::run::limits::{StopReason, Watch};
use crate::run::options::CycleDetection;
use crate::run::report::{LevelCount, Outcome, Solution, SolveReport};
use crate::transposition::counts::TableCounts;
use crate::transposition::learner::{Learner, Lesson};
use crate::transposition::setup::{OwnTable, TableSetup};
use crate::walk::threshold::Frontier;

/// How bounds are raised and nodes are pruned.
pub(crate) struct ByBook<'s> {
    pub(crate) game: &'s CompiledGame,
    pub(crate) machine: &'s SharedMachine,
    pub(crate) cycles: CycleDetection,
    pub(crate) weight: Weight,
    pub(crate) raise: Raise,
    /// The transposition table, if there is one.
    pub(crate) table: Option<TableSetup<'s>>,
}

impl ByBook<'_> {
    /// Look for a solution of least cost, or of at most the weight times the least cost.
    ///
    /// # Errors
    /// When the start is not a state of the game.
    pub(crate) fn run(
        &self,
        start: &State,
        heuristic: &dyn Heuristic,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Result<SolveReport, StopReason>, StateMismatch> {
        with_width!(self.game, game => {
            let row = game.pack(start)?;
            let cells = &row.as_flattened()[..game.n_variables()];
            let mut report = SolveReport::new(self.cycles);
            report.heuristic_start = in_wide_cells(cells, |state| heuristic.estimate(state));
            let heuristic = Weighted { heuristic, weight: self.weight };
            let first = heuristic.estimate(cells);
            if first == DEAD_END {
                report.outcome = Outcome::NoSolution;
            } else if self.game.game().is_goal(start.values()) {
                report.add_iteration(first, &[LevelCount::ROOT]);
                report.outcome = Outcome::Solved(Solution::default());
            } else {
                let result = self.deepen(game, &row, heuristic, first, &mut report, watch);
                return Ok(result.map(|()| report));
            }
            Ok(Ok(report))
        })
    }

    /// Raise the bound from its first value on.
    fn deepen<C: Cell>(
        &self,
        game: &Compiled<C>,
        start: &[Block<C>],
        heuristic: Weighted<'_>,
        first: u64,
        report: &mut SolveReport,
        watch: &mut Watch<'_, '_>,
    ) -> Result<(), StopReason> {
        let source: &Game = self.game.game();
        let n_words = n_words(start.as_flattened());
        let table = self
            .table
            .map(|it| it.make(n_words, source, 1, watch))
            .transpose()?;
        let mut rounds = BookRounds {
            walker: match &table {
                None => Walker::Plain(Engine::new(game, self.machine, self.cycles)),
                Some(table) => Walker::Learning(
                    Engine::new(game, self.machine, self.cycles),
                    table.learner(),
                ),
            },
            start,
            game,
            heuristic,
        };
        report.outcome = deepen(&mut rounds, source, first, 1, self.raise, report, watch);
        report.table = table
            .as_ref()
            .map(|table| rounds.walker.table_counts(table));
        if let Some(table) = table {
            table.release(watch);
        }
        Ok(())
    }
}

/// The interpreter, with or without a transposition table.
enum Walker<'g, 't, C> {
    Plain(Engine<'g, C, u64>),
    Learning(Engine<'g, C, Lesson>, Learner<'t>),
}

impl<C: Cell> Walker<'_, '_, C> {
    fn table_counts(&self, table: &OwnTable<'_>) -> TableCounts {
        match self {
            Walker::Plain(_) => table.counts(&TableCounts::default()),
            Walker::Learning(engine, learner) => table.counts(&TableCounts {
                peak_bytes: engine.bytes(),
                ..learner.counts
            }),
        }
    }
}

/// Rounds by the interpreter.
struct BookRounds<'g, 't, C> {
    walker: Walker<'g, 't, C>,
    start: &'g [Block<C>],
    game: &'g Compiled<C>,
    heuristic: Weighted<'g>,
}

impl<C: Cell> Rounds for BookRounds<'_, '_, C> {
    fn max_bound(&self) -> u64 {
        u64::MAX
    }

    fn round(
        &mut self,
        bound: u64,
        best: bool,
        frontier: Frontier,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Round, StopReason> {
        let mut find = FindToCost {
            game: self.game,
            heuristic: self.heuristic,
            bound,
            goals: if best {
                GoalsToCost::Best
            } else {
                GoalsToCost::First
            },
            frontier,
            overflow: false,
        };
        Ok(match &mut self.walker {
            Walker::Plain(engine) => {
                let end = engine.walk(self.start, &mut find, watch);
                let (best, levels) = (engine.take_best(), engine.levels());
                Round::of_walk(end, best, levels, find.overflow, find.frontier)
            }
            Walker::Learning(engine, learner) => {
                let mut task = LearnToCost {
                    find,
                    learner,
                    words: Vec::new(),
                };
                let end = engine.walk(self.start, &mut task, watch);
                let find = task.find;
                let (best, levels) = (engine.take_best(), engine.levels());
                Round::of_walk(end, best, levels, find.overflow, find.frontier)
            }
        })
    }
}

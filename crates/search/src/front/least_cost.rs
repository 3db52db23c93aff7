//! Entry points of the searches for solutions of least cost: IDA\*, WIDA\*, IDA\*_CR, and branch
//! and bound.

use psvn_ir::State;

use crate::front::bounded::by_book::ByBook;
use crate::front::bounded::by_cost::ByCost;
use crate::front::prepared::Prepared;
use crate::front::run::Run;
use crate::game::compiled::StateMismatch;
use crate::heuristic::Heuristic;
use crate::heuristic::weight::Weight;
use crate::run::deepening::Raise;
use crate::run::limits::{StopReason, Watch};
use crate::run::options::{CycleDetection, FirstBound, Options, Part};
use crate::run::report::{Outcome, SolveReport};
use crate::transposition::keys::Keys;
use crate::transposition::setup::TableSetup;

impl<'p> Run<'p> {
    /// Look for a solution of least cost: IDA* (Korf 1985). The first bound is the estimate for
    /// the start state, and each next one the least estimated total cost that exceeded the last
    /// one.
    ///
    /// Nodes are estimated and tested for the goal when they are generated. Those beyond the bound
    /// count as generated.
    ///
    /// In a game with rules that cost nothing, paths within a bound could be infinite, so
    /// [`CycleDetection::Path`] is used whatever was set. It is safe with every safe machine (see
    /// the crate documentation).
    ///
    /// Without a solution the search ends when the bound cut off no path. In a game whose rules all
    /// cost something, this happens only with [`CycleDetection::Path`] or if the tree is finite:
    /// set limits.
    ///
    /// Like all searches bounded by cost, it may use a [transposition
    /// table](Self::transposition_table).
    ///
    /// # Errors
    /// When the start is not a state of the game.
    pub fn ida_star(
        &mut self,
        start: &State,
        heuristic: &dyn Heuristic,
    ) -> Result<SolveReport, StateMismatch> {
        self.wida_star(start, heuristic, Weight::ONE)
    }

    /// Look for a solution by IDA* with nodes estimated at g + w h (WIDA*; Korf 1993 calls it
    /// iterative deepening with weighted evaluation). It costs at most w times the least cost for a
    /// weight w of 1 or more, and is usually found much faster. Weights below 1 find the least
    /// cost.
    ///
    /// Bounds are reported rounded down. Everything else is as for [`ida_star`](Self::ida_star).
    ///
    /// # Errors
    /// When the start is not a state of the game.
    pub fn wida_star(
        &mut self,
        start: &State,
        heuristic: &dyn Heuristic,
        weight: Weight,
    ) -> Result<SolveReport, StateMismatch> {
        // Optimality. Let c be the least cost of a solution, and P the first of the solutions that
        // cost c in the order of length, then of the rules' numbers. No safe machine forbids P, and
        // P has no cycle (crate documentation). Every node of P is estimated at c or less in total,
        // because the heuristic is admissible. So an iteration whose bound is c or more finds P
        // unless it finds another solution first, and one with a lower bound cuts P off at a node
        // that makes the next bound c or less: by induction no bound exceeds c. A goal node is
        // reported only if its total, which is at least its cost, is within the bound; so it costs
        // c. The same argument shows that an iteration which cuts nothing off proves that there is
        // no P.
        self.search_to_cost(start, heuristic, weight, Raise::ToLeast)
    }

    /// Look for a solution of least cost as [`ida_star`](Self::ida_star), a few bounds at a time.
    /// If a part pauses, it ends with [`Outcome::Stopped`] by [`StopReason::Nodes`], and reports
    /// the [bound](SolveReport::next_bound) with which the next part continues.
    ///
    /// The next part may run in another searcher of the same game, such as one with a machine that
    /// forbids more: a completed bound proves that no solution costs less than the next bound,
    /// whatever safe machine was used. No transposition table is kept between parts.
    ///
    /// ```
    /// use search::{CompiledGame, Part, Searcher, ZeroHeuristic};
    ///
    /// let game = psvn_ir::load("
    ///     4  4 4 4 4
    ///     A B C D => B A C D
    ///     A B C D => A C B D
    ///     A B C D => A B D C
    ///     GOAL 0 1 2 3
    /// ").game.expect("a game without errors");
    /// let start = game.parse_state("3 2 1 0")?;
    /// let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
    /// let part = |first_bound, pause_above| Part { first_bound, last_generated: 0, pause_above };
    /// let first = searcher.run().ida_star_part(&start, &ZeroHeuristic, part(0, 10))?;
    /// let next = first.next_bound.expect("more bounds");
    /// let rest = searcher.run().ida_star_part(&start, &ZeroHeuristic, part(next, u64::MAX))?;
    /// assert_eq!(rest.solution().map(|solution| solution.cost), Some(6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the start is not a state of the game.
    pub fn ida_star_part(
        &mut self,
        start: &State,
        heuristic: &dyn Heuristic,
        part: Part,
    ) -> Result<SolveReport, StateMismatch> {
        self.search_to_cost(start, heuristic, Weight::ONE, Raise::InParts(part))
    }

    /// Look for a solution of least cost by IDA*_CR (Sarkar, Chakrabarti, Ghose & De Sarkar 1991,
    /// "Reducing reexpansions in iterative-deepening search by controlling cutoff bounds"). If
    /// there are many different estimated total costs, each iteration of IDA\* expands few new
    /// nodes. Here each bound is raised so far that about `growth` times as many nodes are
    /// expanded, by a count of the nodes beyond the last bound. A solution within a bound need not
    /// be one of least cost then, so the last iteration continues to its end as a branch and bound.
    ///
    /// With a growth of 1 or less the bounds are those of IDA\*. Everything else is as for
    /// [`ida_star`](Self::ida_star). If the search is stopped in its last iteration, the report may
    /// have a [best solution so far](SolveReport::best_so_far). Uses one thread.
    ///
    /// # Errors
    /// When the start is not a state of the game.
    pub fn ida_star_cr(
        &mut self,
        start: &State,
        heuristic: &dyn Heuristic,
        growth: Weight,
    ) -> Result<SolveReport, StateMismatch> {
        self.search_to_cost(start, heuristic, Weight::ONE, Raise::By(growth))
    }

    /// Look for a solution of least cost by budgeted tree search (Helmert, Lattimore, Lelis, Orseau
    /// & Sturtevant 2019, "Iterative budgeted exponential search").
    ///
    /// As [`ida_star`](Self::ida_star), but where an iteration makes less than twice the nodes of
    /// the one before, the next bound is found by trial, such that it makes twice to eight times as
    /// many. All iterations together make O(N log C) nodes, where N are those of the last iteration
    /// of IDA\* and C is the least cost; IDA\* may make N². Unlike
    /// [`ida_star_cr`](Self::ida_star_cr) it doesn't depend on guesses. If the search is stopped,
    /// the report may have a [best solution so far](SolveReport::best_so_far). A transposition
    /// table isn't used.
    ///
    /// # Errors
    /// When the start is not a state of the game.
    pub fn budgeted_tree_search(
        &mut self,
        start: &State,
        heuristic: &dyn Heuristic,
    ) -> Result<SolveReport, StateMismatch> {
        let (mut passes, mut watch) = self.passes();
        passes.options.table_bytes = None;
        passes.run(start, heuristic, Weight::ONE, Raise::Budgeted, &mut watch)
    }

    /// Look for a solution of least cost by depth-first branch and bound: search everything within
    /// a first bound once; each solution lowers the bound below its own cost.
    ///
    /// If there is no solution within a [`FirstBound::Cost`], the search ends with
    /// [`Outcome::NotWithinCost`], or with [`Outcome::NoSolution`] if no node was beyond the bound.
    /// If it is stopped, the report may have a [best solution so far](SolveReport::best_so_far).
    /// Free rules and machines are treated as in [`ida_star`](Self::ida_star). The search for the
    /// best solution uses one thread.
    ///
    /// # Errors
    /// When the start is not a state of the game.
    pub fn branch_and_bound(
        &mut self,
        start: &State,
        heuristic: &dyn Heuristic,
        first_bound: FirstBound,
    ) -> Result<SolveReport, StateMismatch> {
        self.improve(start, heuristic, first_bound)
    }

    /// Run one pass of a search for a solution.
    fn search_to_cost(
        &mut self,
        start: &State,
        heuristic: &dyn Heuristic,
        weight: Weight,
        raise: Raise,
    ) -> Result<SolveReport, StateMismatch> {
        let (passes, mut watch) = self.passes();
        passes.run(start, heuristic, weight, raise, &mut watch)
    }

    /// Branch and bound.
    fn improve(
        &mut self,
        start: &State,
        heuristic: &dyn Heuristic,
        first_bound: FirstBound,
    ) -> Result<SolveReport, StateMismatch> {
        // Optimality. As long as the best solution so far costs more than the least cost c, the
        // bound is c or more, unless the first bound was less. So the solution P (see `wida_star`)
        // is not cut off, and the walk reaches it if it doesn't find another solution that costs c.
        let (passes, mut watch) = self.passes();
        let weight = match first_bound {
            FirstBound::Cost(cost) => {
                let raise = Raise::Never(cost);
                return passes.run(start, heuristic, Weight::ONE, raise, &mut watch);
            }
            FirstBound::Weighted(weight) => weight,
        };
        let first = passes.run(start, heuristic, weight, Raise::ToLeast, &mut watch)?;
        let Outcome::Solved(solution) = &first.outcome else {
            if watch.only_prepares() {
                passes.run(start, heuristic, Weight::ONE, Raise::Never(0), &mut watch)?;
                let (preparation, elapsed) = watch.times();
                return Ok(SolveReport {
                    preparation,
                    elapsed,
                    ..first
                });
            }
            return Ok(first);
        };
        let Some(below) = solution.cost.checked_sub(1) else {
            return Ok(first);
        };
        let known = solution.clone();
        let raise = Raise::Never(u64::try_from(below).unwrap_or(u64::MAX));
        let mut report = passes.run(start, heuristic, Weight::ONE, raise, &mut watch)?;
        report.put_before(first);
        match &report.outcome {
            Outcome::Solved(_) => {}
            Outcome::Stopped(_) => {
                report.best_so_far.get_or_insert(known);
            }
            Outcome::NoSolution
            | Outcome::NotWithinDepth
            | Outcome::NotWithinCost
            | Outcome::NotFound => {
                report.outcome = Outcome::Solved(known);
            }
        }
        Ok(report)
    }

    /// Make the passes of one search, and its watch.
    fn passes(&mut self) -> (Passes<'_>, Watch<'_, 'p>) {
        let passes = Passes {
            prepared: &self.prepared,
            cycles: self.prepared.cycle_detection_by_cost(),
            options: self.options,
        };
        let watch = Watch::new(&self.limits, self.progress.as_mut());
        (passes, watch.handed_out_by(self.hand_out))
    }
}

/// Runs searches bounded by cost, by a plan if there is one.
struct Passes<'s> {
    prepared: &'s Prepared,
    cycles: CycleDetection,
    options: Options,
}

impl Passes<'_> {
    fn run(
        &self,
        start: &State,
        heuristic: &dyn Heuristic,
        weight: Weight,
        raise: Raise,
        watch: &mut Watch<'_, '_>,
    ) -> Result<SolveReport, StateMismatch> {
        let game = &self.prepared.game;
        game.check(start)?;
        let found = match self.prepared.plan(watch) {
            Err(reason) => Err(reason),
            Ok(planned) => match (self.table(watch), planned) {
                (Err(reason), _) => Err(reason),
                (Ok(table), None) => {
                    let search = ByBook {
                        game,
                        machine: &self.prepared.machine,
                        cycles: self.cycles,
                        weight,
                        raise,
                        table,
                    };
                    search.run(start, heuristic, watch)?
                }
                (Ok(table), Some(planned)) => {
                    let by_cost = ByCost {
                        cycles: self.cycles,
                        weight,
                        raise,
                        options: self.options,
                        table,
                        heuristic_rules: self.prepared.part_of.as_deref(),
                    };
                    by_cost.run(game, planned, start, heuristic, watch)
                }
            },
        };
        let mut report = found.unwrap_or_else(|reason| SolveReport::stopped(self.cycles, reason));
        if self.options.table_bytes.is_some() {
            report.table.get_or_insert_default();
        }
        if let Some(rules) = &self.prepared.part_of {
            report.name_rules(rules);
        }
        (report.preparation, report.elapsed) = watch.times();
        Ok(report)
    }

    /// Return the transposition table that was requested.
    fn table(&self, watch: &mut Watch<'_, '_>) -> Result<Option<TableSetup<'_>>, StopReason> {
        let Some(bytes) = self.options.table_bytes else {
            return Ok(None);
        };
        let inclusions = self.prepared.inclusions(watch)?;
        let keys = inclusions.map_or(Keys::Exact(&self.prepared.machine), Keys::Inclusion);
        Ok(Some(TableSetup { bytes, keys }))
    }
}

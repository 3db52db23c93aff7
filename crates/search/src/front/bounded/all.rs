//! All solutions within a cost.

use std::ops::ControlFlow;

use psvn_ir::{RuleId, State};

use crate::front::planned::{AnyPlanned, Planned, with_planned};
use crate::front::prepared::Prepared;
use crate::front::run::Run;
use crate::game::compiled::{StateMismatch, with_width};
use crate::game::packed::Form;
use crate::heuristic::Heuristic;
use crate::heuristic::weight::Weight;
use crate::interpreter::engine::Engine;
use crate::interpreter::tasks::{FindToCost, GoalsToCost, Weighted};
use crate::kernel::HasKernels;
use crate::plan::Plan;
use crate::run::limits::{StopReason, Watch};
use crate::run::options::CycleDetection;
use crate::run::report::{Enumeration, Totals};
use crate::transposition::learner::Lesson;
use crate::walk::cost::{CostEstimator, CostStart, CostTask, CostWalk, Wanted};
use crate::walk::evaluator::{PlainEstimator, Question};
use crate::walk::outcome::{End, OnGoal};
use crate::walk::threshold::Frontier;

impl Run<'_> {
    /// Find all solutions that cost at most `bound`, in the order of their rules, and pass the
    /// rules of each to `found`, which may end the search. A solution ends at the first goal that
    /// it reaches. In a game with rules that cost nothing, solutions that reach a state twice are
    /// left out: there may be infinitely many.
    ///
    /// With the least cost as the bound, these are all optimal solutions, if the machine forbids
    /// only sequences for which there is one that costs *less*. A machine that prunes one of two
    /// sequences of the same cost leaves out solutions, and this crate can't detect that.
    ///
    /// Takes one thread and no transposition table. Finding a solution of least cost first, by any
    /// search, and then all of that cost takes about as long as two last iterations of IDA\*.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use search::{CompiledGame, Searcher, ZeroHeuristic};
    ///
    /// let game = psvn_ir::load("
    ///     3  3 3 3
    ///     A B C => B A C  LABEL left
    ///     A B C => A C B  LABEL right
    ///     GOAL 0 1 2
    /// ").game.expect("a game without errors");
    /// let start = game.parse_state("2 1 0")?;
    /// let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
    /// let mut solutions = Vec::new();
    /// let found = searcher.run().all_within(&start, &ZeroHeuristic, 3, &mut |rules| {
    ///     solutions.push(rules.iter().map(|rule| rule.0).collect::<Vec<_>>());
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert!(found.is_complete);
    /// assert_eq!(solutions, [[0, 1, 0], [1, 0, 1]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the start is not a state of the game.
    pub fn all_within(
        &mut self,
        start: &State,
        heuristic: &dyn Heuristic,
        bound: u64,
        found: &mut (dyn FnMut(&[RuleId]) -> ControlFlow<()> + Send + Sync),
    ) -> Result<Enumeration, StateMismatch> {
        let prepared = &*self.prepared;
        prepared.game.check(start)?;
        let mut watch = Watch::new(&self.limits, self.progress.as_mut());
        watch.bound = bound;
        let mut is_ended = false;
        let part_of = prepared.part_of.as_deref();
        let mut on_goal = |rules: &[u32]| {
            let whole = |rule: &u32| part_of.map_or(RuleId(*rule), |rules| rules[*rule as usize]);
            let rules: Vec<RuleId> = rules.iter().map(whole).collect();
            let next = found(&rules);
            is_ended = next.is_break();
            next
        };
        let search = All {
            prepared,
            heuristic,
            bound,
            cycles: prepared.cycle_detection_by_cost(),
        };
        let walked = if prepared.game.game().is_goal(start.values()) {
            // The solution without a move ends here, as all others would.
            let _ = on_goal(&[]);
            Ok(Totals::default())
        } else {
            match prepared.plan(&mut watch) {
                Err(reason) => Err(reason),
                Ok(Some(planned)) => search.by_plan(planned, start, &mut on_goal, &mut watch),
                Ok(None) => search.by_book(start, &mut on_goal, &mut watch)?,
            }
        };
        let (preparation, elapsed) = watch.times();
        Ok(Enumeration {
            is_complete: walked.is_ok() && !is_ended,
            stopped: walked.as_ref().err().copied(),
            totals: walked.unwrap_or_default(),
            preparation,
            elapsed,
        })
    }
}

/// A search for all solutions within a cost.
#[derive(Clone, Copy)]
struct All<'s> {
    prepared: &'s Prepared,
    heuristic: &'s dyn Heuristic,
    bound: u64,
    cycles: CycleDetection,
}

impl All<'_> {
    fn by_plan(
        self,
        planned: &AnyPlanned,
        start: &State,
        on_goal: OnGoal<'_>,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Totals, StopReason> {
        with_planned!(planned, planned => self.by_plan_of(planned, start, on_goal, watch))
    }

    fn by_plan_of<F: Form<Packed: HasKernels>>(
        self,
        planned: &Planned<F>,
        start: &State,
        on_goal: OnGoal<'_>,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Totals, StopReason> {
        let game = &self.prepared.game;
        let (form, plan) = (&*planned.form, &planned.plan);
        let packed = form.pack(start.values());
        let sums = match self.heuristic.properties().value_sums {
            Some(sums) => planned.sum_estimator(game, sums, Weight::ONE, watch)?,
            None => None,
        };
        match sums {
            Some(sums) => self.walk(plan, &*sums, packed, on_goal, watch),
            None => {
                let question = Question {
                    heuristic: self.heuristic,
                    weight: Weight::ONE,
                    is_exact: false,
                    rules: self.prepared.part_of.as_deref(),
                };
                let plain = PlainEstimator::new(form, plan, game.branches(), question);
                self.walk(plan, &plain, packed, on_goal, watch)
            }
        }
    }

    fn walk<R: HasKernels, E: CostEstimator<R>>(
        self,
        plan: &Plan<R>,
        estimator: &E,
        packed: R,
        on_goal: OnGoal<'_>,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Totals, StopReason> {
        if self.bound > E::MAX_BOUND {
            return Err(StopReason::CostOverflow);
        }
        // A dead end has no estimate, and no solution.
        let Some((total, kept)) = estimator.root(&packed).filter(|it| it.0 <= self.bound) else {
            return Ok(Totals::default());
        };
        let start = CostStart {
            siblings: None,
            packed,
            kept,
            plan_state: Plan::<R>::ROOT,
            total,
            parent: None,
            lesson: Lesson::default(),
        };
        let task = CostTask {
            bound: self.bound,
            wanted: Wanted::AllGoals,
            cycles: self.cycles,
            count_forbidden: false,
            count_depths: false,
        };
        let mut walk = CostWalk::new(plan, estimator, None);
        walk.on_goal = Some(on_goal);
        let instructions = self.prepared.options.instructions;
        let mut beyond = Frontier::least();
        walk.walk(instructions, &start, &task, &mut beyond, watch)?;
        Ok(walk.counts)
    }

    fn by_book(
        self,
        start: &State,
        on_goal: OnGoal<'_>,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Result<Totals, StopReason>, StateMismatch> {
        with_width!(self.prepared.game, game => {
            let row = game.pack(start)?;
            let mut task = FindToCost {
                game,
                heuristic: Weighted { heuristic: self.heuristic, weight: Weight::ONE },
                bound: self.bound,
                goals: GoalsToCost::All,
                frontier: Frontier::least(),
                overflow: false,
            };
            let mut engine = Engine::new(game, &self.prepared.machine, self.cycles);
            engine.on_goal = Some(on_goal);
            if let End::Stopped(reason) = engine.walk(&row, &mut task, watch) {
                return Ok(Err(reason));
            }
            let mut totals = Totals::default();
            engine.levels().iter().for_each(|level| totals.add(level));
            // The root is not a child.
            totals.generated = totals.generated.saturating_sub(1);
            Ok(Ok(totals))
        })
    }
}

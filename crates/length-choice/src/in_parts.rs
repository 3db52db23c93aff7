//! IDA* in parts: between two bounds it may change its machine, or begin to use a transposition
//! table.

use std::sync::Arc;

use advisor::Steps;
use advisor::lengths::{
    AnalyzedLengths, Confidence, EarlierSearches, Potential, SearchForecast, moves_counted_within,
    moves_made,
};
use analyses::AnalyzeError;
use fsm::RuleMachine;
use heuristic_choice::steps_of_node;
use rule_splits::SplitGame;
use search::{Limits, Searcher, SolveReport};

use crate::bounds::Bounds;
use crate::deepening::surroundings::{AnalysisKey, Pruned, Surroundings};
use crate::deepening::{Deepening, LongerAnalysis};
use crate::pruned::PrunedSequences;
use crate::setting::{SearchError, Setting};

impl Setting<'_> {
    /// Search with machines for longer sequences once these pay, where the pruning allows it. With
    /// a transposition table the search keeps its machine. Return also the sequences that the
    /// machines after the first one leave out.
    ///
    /// # Errors
    /// When the start isn't a state of the game, or a machine can't be made for another reason than
    /// its size.
    pub fn search(self) -> Result<(SolveReport, Vec<PrunedSequences>), SearchError> {
        match &self.pruning.deepening {
            Some(deepening) => SearchInParts::new(self, deepening).run(),
            None => {
                let first = self.searches.first();
                Ok((Bounds::new(self).search_all(first)?, Vec::new()))
            }
        }
    }
}

/// The machine that a search uses now.
struct CurrentMachine {
    prepared: Searcher,
    /// The key of its analysis; `None` for the one that searches begin with.
    analysis: Option<AnalysisKey>,
    machine: Option<Arc<RuleMachine>>,
    split: Option<Arc<SplitGame>>,
}

impl CurrentMachine {
    fn pruned(&self) -> Option<Pruned<'_>> {
        Some(Pruned {
            analysis: self.analysis,
            machine: self.machine.as_deref()?,
            split: self.split.as_deref(),
        })
    }
}

/// What was counted around the start.
#[derive(Default)]
struct Counted {
    surroundings: Arc<Surroundings>,
    /// What longer sequences than those of the machine in use could prune.
    potential: Potential,
    /// The moves that the count could make; 0 if nothing was counted.
    moves: u64,
}

/// A search that is under way.
struct SearchInParts<'s> {
    setting: Setting<'s>,
    deepening: &'s Deepening,
    bounds: Bounds<'s>,
    steps_of_node: Steps,
    /// The mean cost of a rule, at least 1.
    cost_of_move: f64,
    current: CurrentMachine,
    /// What is known after the analyses so far.
    known: AnalyzedLengths,
    /// The steps of these analyses, and of counting.
    invested: Steps,
    /// The least factor by which the next bound grows, where the machine has just changed.
    least_growth: f64,
    counted: Counted,
    confidence: Confidence,
    /// The searches of earlier runs that this one may still count on.
    earlier: EarlierSearches,
    /// The nodes generated before the last analysis that this search made.
    before_analysis: Option<u128>,
    /// The steps of counting since then.
    counting: Steps,
    later_sequences: Vec<PrunedSequences>,
}

impl<'s> SearchInParts<'s> {
    fn new(setting: Setting<'s>, deepening: &'s Deepening) -> Self {
        let rules = setting.game.rules();
        let costs = rules.iter().map(|rule| rule.canonical.cost() as f64);
        Self {
            deepening,
            bounds: Bounds::new(setting.clone()),
            steps_of_node: steps_of_node(setting.estimate),
            cost_of_move: (costs.sum::<f64>() / rules.len().max(1) as f64).max(1.0),
            current: CurrentMachine {
                prepared: setting.searches.first().clone(),
                analysis: None,
                machine: setting.pruning.machine.clone(),
                split: setting.pruning.split.clone(),
            },
            known: deepening.first().clone(),
            invested: 0.0,
            least_growth: 1.0,
            counted: Counted::default(),
            confidence: Confidence::default(),
            earlier: deepening.earlier_searches(),
            before_analysis: None,
            counting: 0.0,
            later_sequences: Vec::new(),
            setting,
        }
    }

    fn run(mut self) -> Result<(SolveReport, Vec<PrunedSequences>), SearchError> {
        loop {
            let pause = if self.bounds.has_table() {
                u64::MAX
            } else {
                self.deepening
                    .pause_above(&self.known, self.steps_of_node, &self.earlier)
            };
            let Some(bound) = self.bounds.search(&self.current.prepared, pause)? else {
                return Ok(self.finish());
            };
            let is_early = self.bounds.generated() <= u128::from(pause);
            if self.bounds.try_table(&self.current.prepared) || is_early {
                continue;
            }
            self.consider_longer(bound)?;
        }
    }

    /// Compare longer sequences before the search of a bound, if that pays.
    fn consider_longer(&mut self, bound: u64) -> Result<(), AnalyzeError> {
        let limits = self.limits_of_analysis();
        let mut forecast = self.forecast(bound);
        self.count(&mut forecast, &limits);
        let (game, host) = (self.setting.game, self.setting.host);
        let longer = self
            .deepening
            .longer(&self.known, &mut forecast, game, &limits, host)?;
        self.invested = forecast.invested;
        self.least_growth = 1.0;
        if let Some(longer) = longer {
            self.compare(&longer, bound, &forecast, &limits);
        }
        Ok(())
    }

    /// The limits of an analysis: it may take half of the time that is left.
    fn limits_of_analysis(&self) -> Limits {
        self.setting.host.limits(&Limits {
            nodes: None,
            time: self.bounds.left().time.map(|time| time / 2),
            ..self.setting.limits_of_analyses.clone()
        })
    }

    /// The search as it stands before a bound.
    fn forecast(&self, bound: u64) -> SearchForecast {
        let iterations = self.bounds.finished().map_or(&[][..], |it| &it.iterations);
        let nodes = |back: usize| {
            let number = iterations.len().checked_sub(back);
            number.map_or(0, |number| iterations[number].generated)
        };
        SearchForecast {
            last_nodes: nodes(1),
            nodes_before: nodes(2),
            least_growth: self.least_growth,
            generated: self.bounds.generated() as f64,
            invested: self.invested,
            moves: bound as f64 / self.cost_of_move,
            steps_of_node: self.steps_of_node,
            n_starts: self.deepening.n_starts(),
            earlier: self.earlier,
            potential: self.counted.potential.clone(),
            confidence: self.confidence,
        }
    }

    /// Count sequences around the start, if more can be counted than before.
    fn count(&mut self, forecast: &mut SearchForecast, limits: &Limits) {
        let moves = moves_counted_within(forecast.steps_for_counting());
        let shows_more = self.counted.moves == 0 || !self.known.is_seen(&self.counted.potential);
        if !shows_more || moves / 2 < self.counted.moves {
            return;
        }
        let Some(pruned) = self.current.pruned() else {
            return;
        };
        let game = self.setting.game;
        let extent = (moves, self.known.least_too_long(forecast));
        let (surroundings, is_new) =
            self.deepening
                .surroundings(game, self.setting.start, pruned, extent, limits);
        let potential = surroundings.potential(game, pruned, limits);
        if is_new {
            self.counting += surroundings.steps();
        }
        forecast.invested += surroundings.steps() / forecast.searches_sharing();
        forecast.potential = potential.clone();
        self.counted = Counted {
            surroundings,
            potential,
            moves,
        };
    }

    /// Count the sequences that the machine of an analysis allows around the start.
    fn potential_after(&self, longer: &LongerAnalysis, limits: &Limits) -> Option<Potential> {
        let surroundings = &self.counted.surroundings;
        Some(surroundings.potential(self.setting.game, longer.pruned()?, limits))
    }

    /// Continue with the machine of an analysis from a bound on if it prunes more, and learn from
    /// it in any case.
    fn compare(
        &mut self,
        longer: &LongerAnalysis,
        bound: u64,
        forecast: &SearchForecast,
        limits: &Limits,
    ) {
        if longer.is_new() {
            // What earlier runs searched has paid for it.
            self.earlier = EarlierSearches::default();
        }
        if longer.is_first_use() {
            self.before_analysis = Some(self.bounds.generated());
            self.counting = 0.0;
        }
        let found = longer.known_after(&self.known);
        let before = self.counted.potential.clone();
        let mut after = None;
        let is_better = if found.is_shorter_in_parts(&self.known) {
            after = self.potential_after(longer, limits);
            after
                .as_ref()
                .is_some_and(|it| it.prunes_more_than(&before))
        } else {
            found.prunes_more_than(&self.known)
        };
        let machine = longer.machine.as_ref().filter(|_| is_better);
        let after = match machine {
            Some(_) => after.or_else(|| self.potential_after(longer, limits)),
            None => Some(before.clone()),
        };
        let after = after.unwrap_or_default();
        if let Some(machine) = machine {
            self.report(longer, after.part_of(&before), bound, forecast);
            self.least_growth = found.growth_since(&self.known, forecast.growth());
            self.current = CurrentMachine {
                prepared: self.with_longer(longer, machine),
                analysis: Some(longer.key()),
                machine: Some(Arc::clone(machine)),
                split: longer.split.clone(),
            };
        }
        // No analysis may reach the possible gain.
        let learned = (&after, &found);
        self.confidence.learn((&before, &self.known), learned);
        self.invested += longer.steps;
        self.known = if machine.is_some() {
            found
        } else {
            self.known.after_in_vain(&found)
        };
        self.counted.potential = after;
    }

    fn with_longer(&self, longer: &LongerAnalysis, machine: &Arc<RuleMachine>) -> Searcher {
        let setting = &self.setting;
        let known = &setting.pruning.known;
        let searches = setting.searches;
        searches.with_longer(setting.game, known, longer, machine)
    }

    /// Report that the search continues with the machine of an analysis. `left` is the part of the
    /// sequences around the start that it leaves.
    fn report(
        &mut self,
        longer: &LongerAnalysis,
        left: Option<f64>,
        bound: u64,
        forecast: &SearchForecast,
    ) {
        let (game, host) = (self.setting.game, self.setting.host);
        self.deepening.note(longer, game, host);
        let words = longer.words(&self.known, left, bound);
        if forecast.is_long() {
            host.note(words);
        } else {
            host.detail(&|| words.clone());
        }
        self.later_sequences.push(longer.sequences(bound));
    }

    /// Record the search for later runs. Return its report, and the sequences that machines after
    /// the first one left out.
    fn finish(self) -> (SolveReport, Vec<PrunedSequences>) {
        let report = self.bounds.into_report();
        let last = report.iterations.last();
        let moves = last.map_or(0.0, |last| {
            let allowed = last.bound as f64 / self.cost_of_move;
            moves_made(allowed, last.generated as f64, &self.counted.potential)
        });
        let nodes = report.totals.generated - self.before_analysis.unwrap_or(0);
        let search = EarlierSearches {
            steps: nodes as f64 * self.steps_of_node,
            moves,
            counting: self.counting,
        };
        let (game, host) = (self.setting.game, self.setting.host);
        let since_analysis = self.before_analysis.is_some();
        self.deepening.record(search, since_analysis, game, host);
        // The last machine is unused where a limit stopped the search before its bound.
        let last_bound = last.map(|last| last.bound);
        let mut later_sequences = self.later_sequences;
        later_sequences.retain(|it| it.from_bound <= last_bound);
        (report, later_sequences)
    }
}

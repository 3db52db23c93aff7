//! All solutions of least cost.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use abstraction::Symmetry;
use analyses::{Assumptions, AssumptionsSource, SplitRequest, budget};
use length_choice::{PreparedPruning, Searches};
use move_prune::Order;
use psvn_ir::{RuleId, State};
use redundancy::{SearchFor, ignored};
use search::CycleDetection;

use super::Solver;
use crate::analysis::{AnalysisRequest, analyze};
use crate::error::Error;
use crate::heuristic::PreparedHeuristic;
use crate::solve::answers::AllSolutions;
use crate::solve::options::SearchOptions;
use crate::solve::pruning::PruneSpec;
use crate::text::{Parameter, message};

/// The length of the longest sequences that are pruned unless another one is set.
const USUAL_LENGTH: usize = 2;

impl Solver {
    /// Find all solutions from a start that cost as much as one of least cost, with the heuristic
    /// of the searches. Only sequences for which another one costs less are pruned, as long as the
    /// option `prune` says, or in the machine file that it names.
    ///
    /// # Errors
    /// When the machine doesn't fit in memory, or the start isn't a state of the game.
    pub(in crate::solve) fn all_solutions(
        &self,
        start: &State,
        cost: u128,
        most_listed: u64,
    ) -> Result<AllSolutions, Error> {
        let started = Instant::now();
        let searches = match self.for_all.get() {
            Some(searches) => searches,
            None => {
                let made = self.searches_for_all(start)?;
                self.for_all.get_or_init(|| made)
            }
        };
        let analyzed = started.elapsed();
        let images = if self.options.symmetries {
            Some(self.images_of_rules(start))
        } else {
            None
        };
        let mut all = AllSolutions {
            count: 0,
            count_up_to_symmetries: images.as_ref().map(|_| 0),
            listed: Vec::new(),
            stopped: None,
            generated: 0,
            elapsed: Duration::ZERO,
            preparation: Duration::ZERO,
        };
        let mut found = |rules: &[RuleId]| {
            all.count += 1;
            let is_first = images
                .as_deref()
                .is_none_or(|images| is_first(rules, images));
            if is_first {
                all.count_up_to_symmetries = all.count_up_to_symmetries.map(|n| n + 1);
                if (all.listed.len() as u64) < most_listed {
                    all.listed.push(rules.to_vec());
                }
            }
            ControlFlow::Continue(())
        };
        let show = self
            .env
            .begin()
            .of_search(|_| "all solutions of least cost".to_owned());
        let bound = u64::try_from(cost).unwrap_or(u64::MAX);
        let mut run = searches
            .first()
            .run()
            .limits(self.limits())
            .on_progress(show);
        let report = run.all_within(start, self.estimate(), bound, &mut found)?;
        all.stopped = report.stopped;
        all.generated = report.totals.generated;
        all.elapsed = report.elapsed;
        all.preparation = analyzed + report.preparation;
        Ok(all)
    }

    /// Prepare searches that leave out only what can be replaced by something cheaper.
    fn searches_for_all(&self, start: &State) -> Result<Searches, Error> {
        let game = self.game.ir();
        let with = |pruning: &PreparedPruning, cycles| Searches::new(game, pruning, cycles);
        let nothing = || PreparedPruning::nothing(self.pruning.known.clone());
        let starts = std::slice::from_ref(start);
        let length = match &self.options.prune {
            Some(PruneSpec::None) => return Ok(with(&nothing(), CycleDetection::None)),
            Some(PruneSpec::Parent) => return Ok(with(&nothing(), CycleDetection::Parent)),
            // The search for the first solution has the same machine.
            Some(PruneSpec::File(_)) => return Ok(with(&self.pruning, CycleDetection::None)),
            Some(PruneSpec::Length(length)) => *length,
            Some(PruneSpec::Auto) | None => USUAL_LENGTH,
        };
        let known = self.pruning.known.clone();
        let limits = self.env.limits(&self.options.limits);
        let request = AnalysisRequest {
            order: Order::Cost,
            assumptions: Assumptions::of(AssumptionsSource::Start, known, game),
            ignored: ignored::variables(SearchFor::Goals, game),
            split: SplitRequest::none(),
            budget: budget(limits.memory),
            ..AnalysisRequest::up_to(length)
        };
        let analysis = analyze(&self.game, &request, limits, &self.env)?;
        let named = self.game.named();
        let pruning = PreparedPruning::by_analysis(&analysis, named, starts, false, &self.env)?;
        Ok(with(&pruning, CycleDetection::None))
    }

    /// For each symmetry of the game that maps the start to itself: the rules to which it maps the
    /// rules.
    fn images_of_rules(&self, start: &State) -> Vec<Vec<RuleId>> {
        let game = self.game.ir();
        let group = self.symmetry_group().unwrap_or_default();
        let of_start = group
            .iter()
            .filter(|symmetry| symmetry.image(game, start.values()) == *start);
        of_start
            .filter_map(|symmetry: &Symmetry| symmetry.rules(game))
            .collect()
    }
}

/// Return whether none of the images of a sequence comes before it.
fn is_first(rules: &[RuleId], images: &[Vec<RuleId>]) -> bool {
    let comes_later = |image: &Vec<RuleId>| {
        let image = rules.iter().map(|rule| image[rule.index()]);
        rules.iter().copied().le(image)
    };
    images.iter().all(comes_later)
}

/// Refuse a heuristic that may estimate too high, since then the first solution may cost more than
/// another one.
pub(super) fn check_heuristic(
    options: &SearchOptions,
    heuristic: &PreparedHeuristic,
) -> Result<(), Error> {
    if options.all.is_none() || heuristic.is_admissible() {
        return Ok(());
    }
    let message = message![
        "`",
        Parameter::All,
        format!(
            "` needs the least cost, and {} may estimate too high",
            heuristic.estimate
        )
    ];
    Err(Error::usage(message).with_hint("use a heuristic that never does"))
}

//! IDA* in parts, which may change its machine between two bounds.

use std::sync::Arc;
use std::time::Instant;

use search::{Limits, Part, SolveReport};

use super::run::Run;
use crate::error::Error;
use crate::heuristic::steps_of_node;
use crate::solve::pruning::between::{Between, Past, Trust};
use crate::solve::pruning::deepening::Deepening;
use crate::solve::pruning::of_parts::{OfParts, in_rules};
use crate::solve::pruning::prospect::{Prospect, StatesNear};
use crate::solve::pruning::worth::steps_of_prospect;

impl Run<'_> {
    /// IDA*, with machines for longer sequences once these pay.
    pub(super) fn in_parts(self, deepening: &Deepening) -> Result<SolveReport, Error> {
        let Self {
            searcher,
            start,
            limits,
            hand_out,
        } = self;
        let started = Instant::now();
        let left = |report: Option<&SolveReport>| {
            let done = report.map_or(0, |report| report.totals.generated);
            let done = u64::try_from(done).unwrap_or(u64::MAX);
            Limits {
                nodes: limits.nodes.map(|nodes| nodes.saturating_sub(done)),
                time: limits.time.map(|it| it.saturating_sub(started.elapsed())),
                ..limits.clone()
            }
        };
        let estimate = &searcher.heuristic.estimate;
        let steps_of_node = steps_of_node(estimate);
        let rules = searcher.game.ir().rules();
        let cost = rules
            .iter()
            .map(|rule| rule.canonical.cost() as f64)
            .sum::<f64>();
        let cost_of_move = (cost / rules.len().max(1) as f64).max(1.0);
        let mut known = deepening.first().clone();
        let mut prepared = searcher.prepared.clone();
        let mut split = searcher.pruning.split.clone();
        let mut so_far: Option<SolveReport> = None;
        let mut spent = 0.0;
        let mut machine = searcher.pruning.machine.clone();
        let mut states = StatesNear::default();
        let mut prospect = Prospect::default();
        let mut prospect_steps = 0;
        let mut trust = Trust::FIRST;
        let mut least_growth = 1.0;
        let mut past = deepening.past();
        // The nodes generated before the last analysis that this search made.
        let mut before_analysis = None;
        loop {
            let last = so_far.as_ref();
            let done = last.map_or(0, |report| report.totals.generated);
            let pause = deepening.pause_above(&known, steps_of_node, &past);
            let pause = u128::from(pause).saturating_sub(done);
            let part = Part {
                first_bound: last.and_then(|report| report.next_bound).unwrap_or(0),
                last_generated: last
                    .and_then(|report| report.iterations.last())
                    .map_or(0, |iteration| iteration.generated),
                pause_above: u64::try_from(pause).unwrap_or(u64::MAX),
            };
            let mut run = prepared
                .run()
                .threads(searcher.env.threads())
                .count_depths(searcher.options.count_depths)
                .limits(left(last))
                .on_progress(searcher.on_progress(start));
            if let Some(hand_out) = hand_out {
                run = run.handed_out_by(hand_out);
            }
            let searched = match split.as_deref() {
                None => run.ida_star_part(start, estimate, part),
                Some(split) => run.ida_star_part(start, &OfParts::new(estimate, split), part),
            };
            let mut report =
                searched.map_err(|error| Error::input(error.to_string()).caused_by(error))?;
            if let Some(split) = &split {
                in_rules(split, &mut report);
            }
            if let Some(earlier) = so_far.take() {
                report.elapsed += earlier.elapsed;
                report.preparation += earlier.preparation;
                report.put_before(earlier);
            }
            let Some(bound) = report.next_bound else {
                let last_bound = report.iterations.last().map_or(0, |it| it.bound);
                let nodes = report.totals.generated - before_analysis.unwrap_or(0);
                let search = Past {
                    steps: nodes as f64 * steps_of_node,
                    moves: last_bound as f64 / cost_of_move,
                };
                let (game, env) = (&searcher.game, &searcher.env);
                deepening.record(search, before_analysis.is_some(), game, env);
                return Ok(report);
            };
            let nodes = |back: usize| {
                let number = report.iterations.len().checked_sub(back);
                number.map_or(0, |number| report.iterations[number].generated)
            };
            let analysis = move_prune::Limits {
                nodes: None,
                time: left(Some(&report)).time.map(|time| time / 2),
                memory: searcher.options.memory,
                interrupt: Some(Arc::clone(searcher.env.cancellation())),
            };
            let count = |states: &StatesNear, machine: &Option<_>, split: &Option<Arc<_>>| {
                let machine = machine.as_deref()?;
                let game = searcher.game.ir();
                Some(states.prospect(game, machine, split.as_deref(), &analysis))
            };
            let mut between = Between {
                last: nodes(1),
                before: nodes(2),
                least_growth,
                done: report.totals.generated as f64,
                spent,
                moves: bound as f64 / cost_of_move,
                steps_of_node,
                n_starts: deepening.n_starts(),
                past,
                prospect: prospect.clone(),
                trust,
            };
            let may_take = steps_of_prospect(between.nodes_known(), steps_of_node);
            if may_take / 2 >= prospect_steps {
                if let Some(machine) = &machine {
                    let (game, split) = (searcher.game.ir(), split.as_deref());
                    let extent = (may_take, known.least_too_long(&between));
                    states = StatesNear::find(game, start, machine, split, extent, &analysis);
                }
                prospect = count(&states, &machine, &split).unwrap_or_default();
                prospect_steps = may_take;
                between.spent += deepening.steps_of(&states);
                between.prospect = prospect.clone();
            }
            let (game, env) = (&searcher.game, &searcher.env);
            let longer = deepening.longer(&known, &mut between, game, &analysis, env)?;
            spent = between.spent;
            least_growth = 1.0;
            so_far = Some(report);
            if let Some(longer) = longer {
                if longer.is_new() {
                    // What earlier runs searched has paid for it.
                    past = Past::default();
                }
                if longer.is_first_use() {
                    before_analysis = so_far.as_ref().map(|it| it.totals.generated);
                }
                let found = longer.known_after(&known);
                let mut now = None;
                let is_better = match found.is_shorter_in_parts(&known) {
                    true => {
                        now = count(&states, &longer.machine, &longer.split);
                        now.as_ref()
                            .is_some_and(|it| it.prunes_more_than(&prospect))
                    }
                    false => found.prunes_more_than(&known),
                };
                let machine_after = longer.machine.as_ref().filter(|_| is_better);
                let now = match machine_after {
                    Some(_) => now
                        .or_else(|| count(&states, &longer.machine, &longer.split))
                        .unwrap_or_default(),
                    None => prospect.clone(),
                };
                if let Some(longer_machine) = machine_after {
                    deepening.note(&longer, game, env);
                    let words = longer.words(&known, now.part_of(&prospect), bound);
                    match between.is_worth_a_word() {
                        true => env.note(words),
                        false => env.detail(|| words),
                    }
                    least_growth = found.growth_since(&known, between.growth());
                    prepared = searcher.with_longer(&longer, longer_machine);
                    split.clone_from(&longer.split);
                    machine = Some(Arc::clone(longer_machine));
                }
                // No analysis may reach the possible gain.
                trust.learn((&prospect, &known), (&now, &found));
                prospect = now;
                spent += longer.steps;
                known = match machine_after {
                    Some(_) => found,
                    None => known.after_in_vain(&found),
                };
            }
        }
    }
}

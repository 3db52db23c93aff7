//! IDA* in parts: between two bounds it may change its machine, or begin to use a transposition
//! table.

use std::sync::Arc;

use search::{Limits, SolveReport};

use super::bounds::{Bounds, With};
use super::run::Run;
use crate::error::Error;
use crate::heuristic::steps_of_node;
use crate::solve::answers::PrunedSequences;
use crate::solve::pruning::between::{Between, Past, Trust, moves_made};
use crate::solve::pruning::deepening::{Deepening, Longer};
use crate::solve::pruning::near::{Near, Pruned};
use crate::solve::pruning::prospect::Prospect;
use crate::solve::pruning::worth::moves_of_prospect;

impl Run<'_> {
    /// IDA*, with machines for longer sequences once these pay. With a transposition table it keeps
    /// its machine. Return also the sequences that the machines after the first one leave out.
    pub(super) fn in_parts(
        self,
        deepening: &Deepening,
    ) -> Result<(SolveReport, Vec<PrunedSequences>), Error> {
        let (searcher, start) = (self.searcher, self.start);
        let mut bounds = Bounds::new(self);
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
        let mut spent = 0.0;
        let mut machine = searcher.pruning.machine.clone();
        let mut made_by = None;
        let mut near = Arc::<Near>::default();
        let mut prospect = Prospect::default();
        let mut prospect_steps = 0;
        let mut trust = Trust::FIRST;
        let mut least_growth = 1.0;
        let mut past = deepening.past();
        // The nodes generated before the last analysis that this search made.
        let mut before_analysis = None;
        let mut later_sequences = Vec::new();
        // The steps of counting since then.
        let mut looked = 0.0;
        loop {
            let pause = if bounds.has_table() {
                u64::MAX
            } else {
                deepening.pause_above(&known, steps_of_node, &past)
            };
            let with = With {
                prepared: &prepared,
                split: split.as_deref(),
            };
            let Some(bound) = bounds.search(with, pause)? else {
                let report = bounds.into_report();
                let last = report.iterations.last();
                let moves = last.map_or(0.0, |last| {
                    let allowed = last.bound as f64 / cost_of_move;
                    moves_made(allowed, last.generated as f64, &prospect)
                });
                let nodes = report.totals.generated - before_analysis.unwrap_or(0);
                let search = Past {
                    steps: nodes as f64 * steps_of_node,
                    moves,
                    looked,
                };
                let (game, env) = (&searcher.game, &searcher.env);
                deepening.record(search, before_analysis.is_some(), game, env);
                // The last machine is unused where a limit stopped the search before its bound.
                let is_used = |it: &PrunedSequences| {
                    it.from_bound <= report.iterations.last().map(|last| last.bound)
                };
                later_sequences.retain(is_used);
                return Ok((report, later_sequences));
            };
            let generated = bounds.generated();
            if bounds.try_table(with) || generated <= u128::from(pause) {
                continue;
            }
            let iterations = bounds.finished().map_or(&[][..], |it| &it.iterations);
            let nodes = |back: usize| {
                let number = iterations.len().checked_sub(back);
                number.map_or(0, |number| iterations[number].generated)
            };
            let analysis = searcher.env.limits(&Limits {
                nodes: None,
                time: bounds.left().time.map(|time| time / 2),
                ..searcher.options.limits.clone()
            });
            let game = searcher.game.ir();
            let count = |near: &Near, longer: &Longer| {
                let pruned = longer.pruned()?;
                Some(near.prospect(game, pruned, &analysis))
            };
            let mut between = Between {
                last: nodes(1),
                before: nodes(2),
                least_growth,
                done: generated as f64,
                spent,
                moves: bound as f64 / cost_of_move,
                steps_of_node,
                n_starts: deepening.n_starts(),
                past,
                prospect: prospect.clone(),
                trust,
            };
            let may_take = moves_of_prospect(between.steps_to_look());
            let is_blind = prospect_steps == 0 || !known.is_seen(&prospect);
            if let Some(machine) = machine.as_deref()
                && is_blind
                && may_take / 2 >= prospect_steps
            {
                let pruned = Pruned {
                    made_by,
                    machine,
                    split: split.as_deref(),
                };
                let extent = (may_take, known.least_too_long(&between));
                let is_new;
                (near, is_new) = deepening.near(game, start, pruned, extent, &analysis);
                prospect = near.prospect(game, pruned, &analysis);
                prospect_steps = may_take;
                if is_new {
                    looked += near.steps();
                }
                between.spent += near.steps() / between.lookers();
                between.prospect = prospect.clone();
            }
            let (game, env) = (&searcher.game, &searcher.env);
            let longer = deepening.longer(&known, &mut between, game, &analysis, env)?;
            spent = between.spent;
            least_growth = 1.0;
            if let Some(longer) = longer {
                if longer.is_new() {
                    // What earlier runs searched has paid for it.
                    past = Past::default();
                }
                if longer.is_first_use() {
                    before_analysis = Some(generated);
                    looked = 0.0;
                }
                let found = longer.known_after(&known);
                let mut now = None;
                let is_better = if found.is_shorter_in_parts(&known) {
                    now = count(&near, &longer);
                    now.as_ref()
                        .is_some_and(|it| it.prunes_more_than(&prospect))
                } else {
                    found.prunes_more_than(&known)
                };
                let machine_after = longer.machine.as_ref().filter(|_| is_better);
                let now = match machine_after {
                    Some(_) => now.or_else(|| count(&near, &longer)).unwrap_or_default(),
                    None => prospect.clone(),
                };
                if let Some(longer_machine) = machine_after {
                    deepening.note(&longer, game, env);
                    let words = longer.words(&known, now.part_of(&prospect), bound);
                    if between.is_worth_a_word() {
                        env.note(words)
                    } else {
                        env.detail(|| words)
                    }
                    later_sequences.push(longer.sequences(bound));
                    least_growth = found.growth_since(&known, between.growth());
                    prepared = searcher.with_longer(&longer, longer_machine);
                    made_by = Some(longer.key());
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

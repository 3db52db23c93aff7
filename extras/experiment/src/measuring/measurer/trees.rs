//! Counts of trees.

use std::time::Duration;

use fsm::SharedMachine;
use psvn::Error;
use psvn::analysis::SearchFor;
use psvn::analysis::admits;
use psvn::solve::{PruneSpec, Pruned, PrunedCycles, Purpose, prepare_pruning, pruning_setting};
use psvn_ir::State;
use search::{
    Bound, CompiledGame, CompleteLevels, CycleDetection, Limits, Searcher, StateMismatch,
};

use super::measured::{Preparation, counted_tree, finish, parsed};
use super::{LoadedDomain, Measurer};
use crate::measuring::cpu_time;
use crate::measuring::method::TreeOptions;
use crate::{Measure, Measured};

impl Measurer<'_> {
    pub(super) fn tree(
        &self,
        options: &TreeOptions,
        domain: &LoadedDomain,
        body: &mut dyn FnMut(&Measure<'_>),
    ) -> Result<(), Error> {
        if options.prune == PruneSpec::Auto {
            return Err(Error::usage(
                "the count of a tree takes a length to prune: only searches can find out which length pays",
            ));
        }
        let named = &domain.named;
        let prepare = || {
            prepare_pruning(
                &options.prune,
                named,
                Purpose {
                    starts: &domain.starts,
                    bounded_by_moves: true,
                    within_invariants: options.within_invariants,
                    search_for: SearchFor::States,
                    split: options.split_choice(),
                },
                self.env.limits(&Limits {
                    nodes: None,
                    ..options.limits.clone()
                }),
                self.env,
            )
        };
        let details = format!("{} starts", domain.starts.len());
        let prunings = &domain.shared.prunings;
        let (pruning, is_reused) = prunings.get(&setting_of_tree(options), &details, prepare)?;
        let preparation = Preparation {
            all: pruning.analysis,
            reused: if is_reused {
                pruning.analysis
            } else {
                Duration::ZERO
            },
        };
        let pruned = Pruned {
            sequences: pruning.sequences.iter().cloned().collect(),
            cycles: pruning.parent.then_some(PrunedCycles::Parent),
            table: false,
        };
        let compiled = CompiledGame::new(match &pruning.split {
            Some(split) => split.game(),
            None => named.ir(),
        });
        let machine = pruning.machine.clone().map(SharedMachine::new);
        // The limit on a cell's time is for its count and for all that it needs.
        let limits = self.env.limits(&Limits {
            time: options
                .limits
                .time
                .map(|most| most.saturating_sub(pruning.analysis)),
            ..options.limits.clone()
        });
        let threads = self.env.threads();
        body(&|instance| {
            let instance = parsed(instance?, named);
            if limits.time == Some(Duration::ZERO) {
                let stopped = Ok(Some(Measured::stopped_while_preparing()));
                return finish(stopped, None, preparation, self.env.terms());
            }
            let search = Searcher::builder(&compiled)
                .invariants(admits(&pruning.known))
                .cycle_detection(if pruning.parent {
                    CycleDetection::Parent
                } else {
                    CycleDetection::None
                });
            let searcher = match &machine {
                Some(machine) => search.machine(machine.clone()).build(),
                None => search.build(),
            };
            let counted = count(&searcher, threads, &limits, &instance.state, options.depth);
            let (count, spent) = match counted {
                Ok(counted) => counted,
                Err(error) => return Some(Measured::failed(error.to_string())),
            };
            finish(
                Ok(counted_tree(&count).map(|counted| Measured {
                    pruning: Some(pruned.clone()),
                    ..counted
                })),
                spent.filter(|_| threads == 1),
                preparation,
                self.env.terms(),
            )
        });
        Ok(())
    }
}

/// The settings that decide a tree's preparations, as text.
pub(super) fn setting_of_tree(options: &TreeOptions) -> String {
    let split = options.split_choice();
    let setting = pruning_setting(&options.prune, split, true, &options.limits);
    if options.within_invariants {
        setting
    } else {
        format!("{setting}, in all states")
    }
}

/// Count a tree, and measure the processor time: that of the walk that counts all of it, or of all
/// walks where a limit stops them. The plan of the search is made before.
fn count(
    searcher: &Searcher,
    threads: usize,
    limits: &Limits,
    start: &State,
    depth: u64,
) -> Result<(CompleteLevels, Option<Duration>), StateMismatch> {
    let mut search = searcher
        .run()
        .threads(threads)
        .count_forbidden(false)
        .limits(limits.clone());
    search.count_tree(start, Bound::Depth(0))?;
    let first = cpu_time::of_thread();
    let mut last = first;
    let count = search.count_levels(start, depth, &mut || last = cpu_time::of_thread())?;
    let before = match count.tree.stopped {
        None => last,
        Some(_) => first,
    };
    let spent = cpu_time::of_thread()
        .zip(before)
        .map(|(after, before)| after - before);
    Ok((count, spent))
}

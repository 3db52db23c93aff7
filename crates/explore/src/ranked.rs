//! States by rank, two bits for each.

use std::sync::Mutex;
use std::time::Instant;

use budget::{Progress, StopReason};
use pattern_databases::{BuildError, WholeSpace};
use psvn_ir::{Game, State};

use crate::options::Options;
use crate::report::{ExploreError, Layer, Report, StoredAs};

/// Return the states of a game by rank, if all ranks fit the memory and, with automatic storage,
/// most ranks are likely to be states.
pub(crate) fn space<'g>(
    game: &'g Game,
    options: &Options<'_>,
    must: bool,
) -> Result<Option<WholeSpace<'g>>, ExploreError> {
    let not_ranked = |error: BuildError| match must {
        true => Err(ExploreError::NotRanked(error.to_string())),
        false => Ok(None),
    };
    let space = match WholeSpace::new(game, &build_options(options)) {
        Ok(space) => space,
        Err(error) => return not_ranked(error),
    };
    let needed = space.bytes();
    let limit = options.budget.limits().memory;
    if limit.is_some_and(|limit| needed > limit as u128) {
        let limit = limit.unwrap_or_default() as u64;
        return not_ranked(BuildError::Memory { needed, limit });
    }
    if needed > 1 << 40 {
        return not_ranked(BuildError::OutOfMemory(needed));
    }
    Ok((must || space.is_dense()).then_some(space))
}

fn build_options<'a>(options: &Options<'_>) -> pattern_databases::Options<'a> {
    pattern_databases::Options {
        budget: options.budget.clone(),
        ..pattern_databases::Options::default()
    }
}

/// The layers found so far.
struct Layers {
    sizes: Vec<u64>,
    total: u64,
}

/// Find all layers.
pub(crate) fn explore(
    mut space: WholeSpace<'_>,
    options: &Options<'_>,
    started: Instant,
) -> Result<Report, ExploreError> {
    let layers = Mutex::new(Layers {
        sizes: Vec::new(),
        total: 0,
    });
    let ranks = u64::try_from(space.n_ranks()).unwrap_or(u64::MAX);
    let stored_as = StoredAs::Ranks {
        ranks,
        ranking: space.describe(),
    };
    let peak_bytes = u64::try_from(space.bytes()).unwrap_or(u64::MAX);
    let on_progress = |progress: &Progress| {
        let mut layers = layers
            .lock()
            .expect("no thread panics while it holds the layers");
        let states = progress.done - layers.total;
        layers.sizes.push(states);
        layers.total = progress.done;
        if let Some(on_layer) = options.on_layer {
            on_layer(&Layer {
                distance: layers.sizes.len() as u64 - 1,
                states,
                total: layers.total,
                orbits: None,
                elapsed: options.budget.elapsed(),
            });
        }
        if let Some(on_progress) = options.on_progress {
            on_progress(&Progress {
                level: layers.sizes.len() as u64,
                done: layers.total,
                total: Some(ranks),
                elapsed: options.budget.elapsed(),
                bytes: usize::try_from(peak_bytes).ok(),
            });
        }
    };
    let mut build_options = build_options(options);
    build_options.progress = Some(&on_progress);
    let (mut farthest, mut waiting): (Vec<State>, Vec<State>) = Default::default();
    let mut nodes = None;
    let mut is_whole = true;
    let (n_listed, last) = (options.farthest, options.depth);
    let result = space.count(&build_options, n_listed, last, &mut |first| {
        // A layer is complete when it was expanded, so its states are known one layer earlier.
        farthest = std::mem::replace(&mut waiting, first);
        let layers = layers
            .lock()
            .expect("no thread panics while it holds the layers");
        if options.budget.nodes_left(layers.total).is_err() {
            nodes = Some(StopReason::Nodes);
            is_whole = false;
        }
        is_whole
    });
    let stopped = match result {
        Ok(()) => nodes,
        Err(BuildError::Stopped(reason)) => Some(reason),
        Err(error) => return Err(ExploreError::NotRanked(error.to_string())),
    };
    let layers = layers
        .into_inner()
        .expect("no thread panics while it holds the layers");
    if is_whole && stopped.is_none() {
        farthest = waiting;
    }
    // It isn't known whether there are states beyond the greatest requested distance.
    if last.is_some_and(|last| layers.sizes.len() as u64 > last) {
        is_whole = false;
    }
    Ok(Report {
        layers: layers.sizes,
        orbits: None,
        is_whole: is_whole && stopped.is_none(),
        stopped,
        beyond: 0,
        generated: layers.total,
        farthest,
        peak_bytes,
        stored_as,
        elapsed: started.elapsed(),
    })
}

//! States by rank, two bits for each.

use std::borrow::Cow;
use std::sync::Mutex;
use std::time::Instant;

use budget::{Progress, StopReason};
use pattern_databases::{BuildError, EachFound, FoundBefore, LayersBefore, WholeSpace};
use psvn_ir::{Game, State};
use search::PackedStates;

use crate::expansion::Expansion;
use crate::memory::{self, EachState, Successor};
use crate::options::{Options, Storage};
use crate::origin::Origin;
use crate::report::{ExploreError, Layer, Report, StoredAs};

/// A table of at most this many bytes is swept in less than a millisecond, so it pays even for few
/// states.
const SMALL: u128 = 1 << 20;

/// Packed states give way to a table of ranks once they take a share of its bytes. A table is swept
/// for each layer, which takes as long as to find some hundredth of its ranks as packed states; and
/// the later it takes over, the more states have to be ranked then. With a greater share a game
/// whose layers stay small would take much more memory than its layers do.
const SHARE_OF_TABLE: u128 = 8;

/// An origin in a form that ranks can number.
pub(crate) struct RankedOrigin<'o> {
    /// The game whose goal states are the origin.
    pub(crate) game: &'o Game,
    /// The states at distance 0.
    pub(crate) roots: &'o [Vec<u64>],
    pub(crate) states: &'o PackedStates,
}

/// Return the game whose goals are the origin, if each move can be undone. Ranks number the states
/// that can be reached from the goals, and only then these are the states that lead to them.
pub(crate) fn game_of<'g>(
    origin: &Origin,
    game: &'g Game,
    can_be_undone: bool,
) -> Result<Cow<'g, Game>, ExploreError> {
    match origin {
        _ if !can_be_undone => Err(ExploreError::NotRanked(
            "a move can't be undone, so not all states have a rank".to_owned(),
        )),
        Origin::Goals => Ok(Cow::Borrowed(game)),
        Origin::States(starts) => Ok(Cow::Owned(game.with_goal_states(starts))),
    }
}

/// Return the states of an exploration by rank, if all of them have one, and all ranks fit the
/// memory; with automatic storage also only if most ranks are likely to be states.
pub(crate) fn space<'g>(
    origin: &RankedOrigin<'g>,
    options: &Options<'_>,
) -> Result<WholeSpace<'g>, ExploreError> {
    let not_ranked = |error: BuildError| ExploreError::NotRanked(error.to_string());
    let space = WholeSpace::new(origin.game, &build_options(options)).map_err(not_ranked)?;
    let needed = space.bytes();
    let limit = options.budget.limits().memory;
    if limit.is_some_and(|limit| needed > limit as u128) {
        let limit = limit.unwrap_or_default() as u64;
        return Err(not_ranked(BuildError::Memory { needed, limit }));
    }
    if needed > 1 << 40 {
        return Err(not_ranked(BuildError::OutOfMemory(needed)));
    }
    if options.storage == Storage::Automatic && !space.is_dense() {
        let reason = "most ranks may not be states".to_owned();
        return Err(ExploreError::NotRanked(reason));
    }
    let mut roots = origin.roots.iter().map(|root| origin.states.unpack(root));
    match roots.find(|root| space.rank_of(root).is_none()) {
        Some(root) => Err(ExploreError::NotRanked(format!(
            "the state {}, at distance 0, has no rank",
            origin.game.format_state(root.values())
        ))),
        None => Ok(space),
    }
}

/// Return whether a table pays from the first state on.
pub(crate) fn pays_at_once(space: &WholeSpace<'_>, options: &Options<'_>) -> bool {
    options.storage == Storage::Ranked || space.bytes() <= SMALL
}

/// Takes over from an exploration in memory once its layers take a good part of a table of ranks.
pub(crate) struct ByRank<'r, 'g> {
    space: WholeSpace<'g>,
    options: &'r Options<'r>,
    started: Instant,
    /// The result, once it has taken over.
    pub(crate) report: Option<Result<Report, ExploreError>>,
}

impl<'r, 'g> ByRank<'r, 'g> {
    pub(crate) fn new(space: WholeSpace<'g>, options: &'r Options<'r>, started: Instant) -> Self {
        Self {
            space,
            options,
            started,
            report: None,
        }
    }
}

impl Successor for ByRank<'_, '_> {
    /// The states in memory are those of three layers while the next one is found. It is expected
    /// to grow as the last one did. Both storages hold the last two layers for a moment, so this is
    /// the last chance where another layer wouldn't leave room for the table.
    fn takes_over(&self, expansion: &Expansion<'_>, width: usize) -> bool {
        let [.., before, last] = expansion.layers[..] else {
            return false;
        };
        let left = self.space.n_ranks() - u128::from(expansion.layers.iter().sum::<u64>());
        let growth = last as f64 / before as f64;
        let next = ((last as f64 * growth) as u64).min(u64::try_from(left).unwrap_or(u64::MAX));
        let kept = before.saturating_add(last);
        let [now, soon] =
            [kept, kept.saturating_add(next)].map(|states| memory::least_bytes(width, states));
        let table = self.space.bytes();
        let limit = self.options.budget.limits().memory;
        let fits = |bytes: u128| limit.is_none_or(|limit| bytes + table <= limit as u128);
        let depth = expansion.layers.len() as u64;
        let is_next_last = self.options.depth == Some(depth);
        fits(now) && (soon > table / SHARE_OF_TABLE || !fits(soon) && !is_next_last)
    }

    fn take_over(&mut self, expansion: &Expansion<'_>, states: &dyn Fn(EachState<'_>)) {
        let layers = &expansion.layers[..];
        tracing::info!(layers = layers.len(), "states by rank from here on");
        let before = Before {
            layers,
            generated: expansion.generated(),
            peak_bytes: expansion.peak(),
            each: &|each| {
                states(&|words, is_last| {
                    let found = if is_last {
                        FoundBefore::Last
                    } else {
                        FoundBefore::Older
                    };
                    each(&expansion.states.unpack(words), found);
                });
            },
        };
        let report = explore(&mut self.space, self.options, self.started, &before);
        self.report = Some(report);
    }
}

fn build_options<'a>(options: &Options<'_>) -> pattern_databases::Options<'a> {
    pattern_databases::Options {
        budget: options.budget.clone(),
        ..pattern_databases::Options::default()
    }
}

/// What was found before ranks are used.
pub(crate) struct Before<'b> {
    /// The sizes of complete layers.
    layers: &'b [u64],
    generated: u64,
    peak_bytes: u64,
    /// Calls its argument with the states of the last two layers.
    each: &'b dyn Fn(EachFound<'_>),
}

impl Before<'_> {
    /// Nothing was found before.
    pub(crate) const NOTHING: Before<'static> = Before {
        layers: &[],
        generated: 0,
        peak_bytes: 0,
        each: &|_| (),
    };

    /// Return the sizes of the layers that aren't counted again: all but the last one, whose
    /// neighbors aren't known yet.
    fn older(&self) -> &[u64] {
        self.layers.split_last().map_or(&[], |(_, older)| older)
    }

    /// Return the last two layers; `None` if there are no layers.
    fn last_two(&self) -> Option<LayersBefore<'_>> {
        (!self.layers.is_empty()).then_some(LayersBefore {
            distance: self.older().len() as u64,
            n_before: self.older().iter().sum(),
            each: self.each,
        })
    }

    /// Return the number of generated states, given how many have been found. Each is counted once
    /// by rank; those found before have their own count.
    fn generated(&self, total: u64) -> u64 {
        match self.layers {
            [] => total,
            layers => self.generated + total.saturating_sub(layers.iter().sum()),
        }
    }
}

/// The layers found so far.
struct Layers {
    sizes: Vec<u64>,
    total: u64,
}

impl Layers {
    /// Add a complete layer, and report it unless it is one of the first `n_reported`.
    fn add(&mut self, total: u64, n_reported: usize, options: &Options<'_>) {
        let states = total - self.total;
        self.sizes.push(states);
        self.total = total;
        if let Some(on_layer) = options.on_layer.filter(|_| self.sizes.len() > n_reported) {
            on_layer(&Layer {
                distance: self.sizes.len() as u64 - 1,
                states,
                total,
                orbits: None,
                goals: None,
                elapsed: options.budget.elapsed(),
            });
        }
    }
}

/// The first states of the last layers.
#[derive(Default)]
struct FirstStates {
    /// Those of the last complete layer.
    complete: Vec<State>,
    /// Those of the layer that is expanded next.
    waiting: Vec<State>,
}

/// Find all layers, or those after the ones that were found before.
pub(crate) fn explore(
    space: &mut WholeSpace<'_>,
    options: &Options<'_>,
    started: Instant,
    before: &Before<'_>,
) -> Result<Report, ExploreError> {
    let layers = Mutex::new(Layers {
        sizes: before.older().to_vec(),
        total: before.older().iter().sum(),
    });
    let lock = || {
        let layers = layers.lock();
        layers.expect("no thread panics while it holds the layers")
    };
    let ranks = u64::try_from(space.n_ranks()).unwrap_or(u64::MAX);
    let stored_as = StoredAs::Ranks {
        ranks,
        ranking: space.describe(),
        layers_before: before.layers.len() as u64,
    };
    let table_bytes = u64::try_from(space.bytes()).unwrap_or(u64::MAX);
    let on_progress = |progress: &Progress| {
        let mut layers = lock();
        layers.add(progress.done, before.layers.len(), options);
        if let Some(on_progress) = options.on_progress {
            on_progress(&Progress {
                level: layers.sizes.len() as u64,
                done: layers.total,
                total: Some(ranks),
                elapsed: options.budget.elapsed(),
                bytes: usize::try_from(table_bytes).ok(),
            });
        }
    };
    let mut build_options = build_options(options);
    build_options.progress = Some(&on_progress);
    let (mut first, mut limit) = (FirstStates::default(), None);
    let mut goes_on = |states| {
        // A layer is complete when it was expanded, so its states are known one layer earlier.
        first.complete = std::mem::replace(&mut first.waiting, states);
        let generated = before.generated(lock().total);
        if options.budget.nodes_left(generated).is_err() {
            limit = Some(StopReason::Nodes);
        }
        limit.is_none()
    };
    let (n_listed, last) = (options.farthest, options.depth);
    let last_two = before.last_two();
    let result = space.count(
        last_two.as_ref(),
        &build_options,
        n_listed,
        last,
        &mut goes_on,
    );
    let stopped = match result {
        Ok(()) => limit,
        Err(BuildError::Stopped(reason)) => Some(reason),
        Err(error) => return Err(ExploreError::NotRanked(error.to_string())),
    };
    let Layers { mut sizes, total } = layers
        .into_inner()
        .expect("no thread panics while it holds the layers");
    let mut farthest = first.complete;
    if sizes.len() < before.layers.len() {
        // A layer that was complete before stays so.
        sizes = before.layers.to_vec();
        farthest = first.waiting;
    } else if stopped.is_none() {
        farthest = first.waiting;
    }
    // It isn't known whether there are states beyond the greatest requested distance.
    let is_deepest = last.is_some_and(|last| sizes.len() as u64 > last);
    Ok(Report {
        layers: sizes,
        orbits: None,
        is_whole: stopped.is_none() && !is_deepest,
        stopped,
        beyond: 0,
        generated: before.generated(total),
        farthest,
        peak_bytes: table_bytes.max(before.peak_bytes),
        stored_as,
        elapsed: started.elapsed(),
    })
}

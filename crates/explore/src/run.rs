//! One exploration, from the choice of a storage to the report.

use std::time::Instant;

use psvn_ir::Game;
use search::PackedStates;

use crate::disk::width_for;
use crate::expansion::Expansion;
use crate::memory::{End, Successor};
use crate::options::{Options, Storage};
use crate::origin::Origin;
use crate::ranked::{Before, ByRank, RankedOrigin};
use crate::report::{ExploreError, Report, StoredAs};
use crate::reversible::moves_can_be_undone;
use crate::symmetric::Images;
use crate::{disk, memory, ranked};

/// Count the states of a game by their distance in moves from the exploration's origin.
///
/// Counts don't depend on the storage or the number of threads, which are those of the rayon pool
/// in which the call runs. From the goals, all states that satisfy a goal condition are at distance
/// 0, whether they are reachable or not.
///
/// # Errors
/// If there are no origin states, states are too wide, the requested storage isn't possible, or a
/// file fails. A limit isn't an error: the report says that it was reached.
pub fn explore(
    game: &Game,
    origin: &Origin,
    options: &Options<'_>,
) -> Result<Report, ExploreError> {
    let started = Instant::now();
    let _span = tracing::info_span!("explore").entered();
    let states = PackedStates::new(game);
    let roots = origin.packed(game, &states, options.budget.limits().memory)?;
    let forgets = moves_can_be_undone(game);
    let images = match (options.symmetries, &options.storage) {
        (false, _) => None,
        (true, Storage::Automatic | Storage::Memory | Storage::Disk(_)) => {
            let starts = match origin {
                Origin::Goals => None,
                Origin::States(starts) => Some(&**starts),
            };
            Some(Images::new(game, starts, &states)?)
        }
        (true, Storage::Ranked) => return Err(ExploreError::RankedSymmetries),
    };
    let is_possible = matches!(origin, Origin::States(_))
        && matches!(options.storage, Storage::Automatic | Storage::Memory)
        && images.is_none();
    if options.seeks_goals && !is_possible {
        return Err(ExploreError::GoalsNotCounted);
    }
    let ranked_game;
    let mut by_rank = None;
    let may_be_ranked = images.is_none() && !options.seeks_goals;
    if may_be_ranked && matches!(options.storage, Storage::Automatic | Storage::Ranked) {
        let space = match ranked::game_of(origin, game, forgets) {
            Ok(game) => {
                ranked_game = game;
                let origin = RankedOrigin {
                    game: &ranked_game,
                    roots: &roots,
                    states: &states,
                };
                ranked::space(&origin, options)
            }
            Err(error) => Err(error),
        };
        match space {
            Ok(mut space) if ranked::pays_at_once(&space, options) => {
                return ranked::explore(&mut space, options, started, &Before::NOTHING);
            }
            Err(error) if options.storage == Storage::Ranked => return Err(error),
            space => by_rank = space.ok().map(|space| ByRank::new(space, options, started)),
        }
    }
    let mut expansion = Expansion::new(
        &states,
        origin.direction(),
        forgets,
        images.as_ref(),
        options,
    );
    if options.seeks_goals {
        expansion.seek_goals(game);
    }
    let job = Job {
        game,
        origin,
        roots: &roots,
        options,
        started,
    };
    job.run(width_for(states.n_words())?, expansion, by_rank)
}

struct Job<'j> {
    game: &'j Game,
    origin: &'j Origin,
    roots: &'j [Vec<u64>],
    options: &'j Options<'j>,
    started: Instant,
}

impl Job<'_> {
    /// Explore states that are kept in `width` words, or by rank once many are found.
    fn run(
        self,
        width: usize,
        mut expansion: Expansion<'_>,
        mut by_rank: Option<ByRank<'_, '_>>,
    ) -> Result<Report, ExploreError> {
        let states = expansion.states;
        let forgets = expansion.forgets;
        let (beyond, is_whole, farthest, stored_as) = match &self.options.storage {
            Storage::Disk(path) => {
                let of = (self.game, self.origin);
                let found = disk::explore(&mut expansion, of, self.roots, path)?;
                let stored_as = StoredAs::Disk {
                    bytes_of_state: 8 * width,
                    forgets,
                    symmetries: expansion.images.map_or(1, Images::n_symmetries),
                    ranking: found.ranking,
                    read: found.read,
                    written: found.written,
                    resumed_from: found.resumed_from,
                };
                let farthest = found.farthest.chunks_exact(states.n_words());
                let farthest = farthest.map(|state| states.unpack(state)).collect();
                (0, found.is_whole, farthest, stored_as)
            }
            _ => {
                let successor = by_rank.as_mut().map(|it| it as &mut dyn Successor);
                let end = memory::explore(&mut expansion, width, self.roots, successor);
                let (beyond, is_whole, farthest) = match end {
                    End::Explored {
                        beyond,
                        is_whole,
                        farthest,
                    } => (beyond, is_whole, farthest),
                    End::HandedOver => {
                        let report = by_rank.and_then(|it| it.report);
                        return report.expect("the successor explored the rest");
                    }
                };
                let stored_as = StoredAs::Packed {
                    bytes_of_state: 8 * width,
                    forgets,
                    symmetries: expansion.images.map_or(1, Images::n_symmetries),
                };
                let unpack = |state: &[u64]| states.unpack(&state[..states.n_words()]);
                let farthest = farthest.chunks_exact(width).map(unpack).collect();
                (beyond, is_whole, farthest, stored_as)
            }
        };
        Ok(Report {
            stopped: expansion.reason(),
            is_whole,
            beyond,
            generated: expansion.generated(),
            farthest,
            peak_bytes: expansion.peak(),
            stored_as,
            elapsed: self.started.elapsed(),
            orbits: expansion.orbits,
            layers: expansion.layers,
        })
    }
}

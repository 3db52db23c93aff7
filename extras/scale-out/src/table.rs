//! Pattern databases that several processes build together.

use std::sync::Arc;
use std::time::Instant;

use explore::{ExploreError, Options, Report, moves_can_be_undone};
use pattern_databases::{PatternDatabase, TablePlan};
use psvn_ir::Game;
use sha2::{Digest, Sha256};

use crate::error::ClusterError;
use crate::identity::{Identity, Terms};
use crate::member::Member;
use crate::run::Call;
use crate::work::Space;

/// Build a pattern database together with other processes that call this with the same plan and
/// addresses. The call returns in all processes when the build ends; the first one gets the table,
/// unless a limit was reached. The table equals the one that a single process builds.
///
/// Ranks are explored as [`explore()`](crate::explore()) explores states, and a layer is a
/// distance. Each complete layer is a checkpoint in the folders of the members, from which the same
/// call continues. At the end, the first process has the whole table in memory, in addition to what
/// the options allow.
///
/// # Errors
/// If the processes don't connect, one is lost, no goal has a rank, or a file fails. A limit is no
/// error: the report says that it was reached.
pub fn build_table(
    game: &Game,
    plan: &Arc<TablePlan>,
    member: Member,
    options: &Options<'_>,
) -> Result<(Report, Option<PatternDatabase>), ClusterError> {
    let started = Instant::now();
    let _span = tracing::info_span!("table", process = member.process).entered();
    member.check()?;
    let roots: Vec<Vec<u64>> = plan
        .goal_ranks()
        .into_iter()
        .map(|rank| vec![rank])
        .collect();
    if roots.is_empty() {
        return Err(ExploreError::NoStart.into());
    }
    let digest = Sha256::digest(plan.name().as_bytes());
    let identity = Identity {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        game: game.content_hash().to_string(),
        direction: "table".to_owned(),
        roots: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        codes: "ranks".to_owned(),
        words: 1,
        forgets: moves_can_be_undone(plan.abstract_game()),
        processes: member.processes(),
        threads: member.threads,
    };
    let terms = Terms {
        identity,
        depth: None,
        farthest: 0,
    };
    let space = Space::Ranks(Arc::clone(plan));
    let call = Call::meet(member, terms, space, roots, options, started)?;
    let found = call.run()?;
    let finish = |distances| plan.finish(game, distances);
    Ok((found.report, found.distances.map(finish)))
}

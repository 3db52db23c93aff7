//! Pattern databases that several processes build together.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use budget::{Limits, Watch};
use explore::Options;
use pattern_databases::BuildError;
use scale_out::Member;
use sha2::{Digest, Sha256};

use super::{DEFAULT_MEMORY, folder_of, in_words};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;
use crate::heuristic::{Pattern, PatternTables, TableOptions, table_errors};

/// Build the table of a pattern together with other processes that call this with the same game and
/// pattern. The first one gets the table, and writes the file if there is an output; the others get
/// nothing. The table is the one that [`PatternTables::build`] makes.
///
/// Each process has the threads of the environment. Layers are files in the member's folder;
/// building continues after the complete layers in the folders.
///
/// # Errors
/// When costs are to be shared, the table is larger than a limit allows, the processes don't
/// connect, one is lost, a file fails, or a limit was reached.
pub fn build_table(
    game: &Game,
    pattern: &Pattern,
    output: Option<&Path>,
    options: TableOptions,
    mut member: Member,
    env: &Environment,
) -> Result<Option<PatternTables>, Error> {
    let started = Instant::now();
    let output = output.filter(|_| member.process == 0);
    let plan = PatternTables::plan_one(game.named(), pattern, output, options.clone(), env)?;
    member.threads = env.threads();
    let processes = member.processes();
    let shown = env.begin();
    let unit = plan.unit();
    let on_progress = |progress: &budget::Progress| {
        let message = || {
            let of = progress.total.unwrap_or_default();
            let (distance, done) = (progress.level.saturating_mul(unit), progress.done);
            format!("distance {distance}: {done} of {of} ranks expanded by {processes} processes")
        };
        shown.show(message, None);
    };
    let limits = env.limits(&Limits {
        nodes: None,
        memory: options.limits.memory.or(Some(DEFAULT_MEMORY)),
        ..options.limits.clone()
    });
    let together = Options {
        budget: Watch::since(limits, started),
        on_progress: Some(&on_progress),
        ..Options::default()
    };
    let found = scale_out::build_table(game.ir(), &Arc::new(plan), member, &together);
    let (report, table) = found.map_err(in_words)?;
    if let Some(reason) = report.stopped {
        return Err(table_errors::of_building(BuildError::Stopped(reason)));
    }
    table
        .map(|table| {
            PatternTables::of_one(game.ir(), pattern, table, output, options, env, started)
        })
        .transpose()
        .map_err(Error::from)
}

/// Return the folder in the cache for the layers of this table: the same for the same table, and
/// another one for any other. `None` without a cache.
pub fn table_folder(
    game: &Game,
    pattern: &Pattern,
    processes: usize,
    env: &Environment,
) -> Option<PathBuf> {
    let mut hash = Sha256::new();
    hash.update(game.ir().content_hash().to_string());
    hash.update(format!(
        "{:?}\ntable of {:?}",
        game.ir().goals(),
        pattern.abstraction
    ));
    folder_of(hash, processes, env)
}

//! An analysis: made as it is requested, or read from the cache.

use std::sync::Arc;
use std::time::{Duration, Instant};

use budget::Choice;
use budget::amounts::format_seconds;
use container::cache::{Key, Lookup};
use container::files::reason;
use fsm::{MachineFile, OpenFile};
use host::{Host, HostExt};
use move_prune::{Limits, SharedWords};
use psvn_ir::Game;
use rule_splits::Splits;

use crate::choices::{Letters, MaxLength, SplitChoice};
use crate::engine;
use crate::error::AnalyzeError;
use crate::request::AnalysisRequest;
use crate::summary::{Computed, Summary};

/// The result of an analysis: which sequences of rules are redundant (Burch & Holte 2011, "Move
/// Pruning"), and a machine that forbids them.
///
/// A search with the machine still reaches every state at its least cost (a goal state, if the
/// analysis is for goals), from all starts that satisfy the assumptions in the machine file.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The figures.
    pub summary: Summary,
    /// The machine, with a certificate for each redundant word; `None` if it would be too large to
    /// be built.
    pub machine: Option<MachineFile>,
    /// Whether the result was read from the cache.
    pub from_cache: bool,
}

/// Analyze a game, or read the result of an earlier analysis from the cache.
///
/// The work grows with the number of kept sequences, which grows by about the branching factor with
/// each length; set limits for lengths that weren't tried before.
///
/// # Errors
/// When the request contradicts the game, or a machine doesn't fit in memory. If a limit stops the
/// analysis, the result covers the lengths that were completed, and its summary names the limit.
pub fn analyze(
    game: &Game,
    request: &AnalysisRequest,
    limits: Limits,
    host: &dyn Host,
) -> Result<Arc<Analysis>, AnalyzeError> {
    analyze_sharing(game, request, limits, None, host)
}

/// What analyses for one search share.
#[derive(Clone, Copy, Debug)]
pub struct Sharing<'w> {
    /// The comparisons of whole rules.
    pub words: &'w SharedWords,
    /// By how much less work than elsewhere is enough for a result to be stored in the cache.
    pub divisor: u32,
}

/// The same, where requests that differ only in their lengths and splits may share the comparison
/// of whole rules.
pub(crate) fn analyze_sharing(
    game: &Game,
    request: &AnalysisRequest,
    limits: Limits,
    sharing: Option<Sharing<'_>>,
    host: &dyn Host,
) -> Result<Arc<Analysis>, AnalyzeError> {
    // The length of `auto` depends on the limits and on time.
    let key = match request.max_length {
        MaxLength::Auto => None,
        MaxLength::Length(length) => Some(request.key(length, game, host)),
    };
    if let Some(analysis) = key.as_ref().and_then(|key| look_up(key, host)) {
        note_missing_splits(request, &analysis.summary, host);
        return Ok(Arc::new(analysis));
    }
    let limits = host.limits(&Limits {
        interrupt: None,
        ..limits
    });
    let words = sharing.map(|it| it.words);
    let started = Instant::now();
    let _span = tracing::info_span!(
        "analyze",
        length = ?request.max_length,
        letters = request.letters.name()
    )
    .entered();
    let Computed {
        mut summary,
        file,
        is_settled,
    } = host.compute(|| match request.letters {
        Letters::Rules => engine::rules::compute(game, request, limits, words, host),
        Letters::Labels => engine::operators::compute(game, request, limits, host),
    })?;
    let elapsed = started.elapsed();
    summary.seconds = elapsed.as_secs_f64();
    note_missing_splits(request, &summary, host);
    // A larger budget wouldn't have changed this, so the budget isn't part of the key.
    let is_whole = file.is_some() && summary.branching_factor.is_some();
    let is_complete = is_settled && is_whole && summary.stopped.is_none();
    let divisor = sharing.map_or(1, |it| it.divisor);
    if let (Some(key), Some(file)) = (&key, &file)
        && is_complete
        && host.cache().is_worth_keeping(elapsed * divisor)
    {
        keep(key, &summary, file, host);
    }
    Ok(Arc::new(Analysis {
        summary,
        machine: file,
        from_cache: false,
    }))
}

/// Report that splits which were requested aren't made.
fn note_missing_splits(request: &AnalysisRequest, summary: &Summary, host: &dyn Host) {
    let missing = summary.splits.as_ref().and_then(Splits::why_missing);
    if let Some(reason) = missing.filter(|_| request.split.choice == SplitChoice::All) {
        host.note(format!("no rule is split, because {reason}"));
    }
}

/// A result of an earlier analysis.
fn look_up(key: &Key, host: &dyn Host) -> Option<Analysis> {
    let (path, reason) = match host.cache().get(key) {
        Lookup::Missing => return None,
        Lookup::Unusable { path, reason } => (path.display().to_string(), reason),
        Lookup::Found(entry) => match stored(&entry.summary, entry.bytes) {
            Ok(analysis) => {
                host.detail(&|| {
                    let seconds = analysis.summary.seconds.max(0.0);
                    format!(
                        "the result comes from the cache; it took {} to find",
                        format_seconds(Duration::from_secs_f64(seconds))
                    )
                });
                return Some(analysis);
            }
            Err(reason) => ("a kept result".to_owned(), reason),
        },
    };
    host.note(format!(
        "{path} in the cache can't be used, and is replaced: {reason}"
    ));
    None
}

/// An analysis from a cache entry, or the entry's fault.
fn stored(summary: &str, machine: Vec<u8>) -> Result<Analysis, String> {
    let summary: Summary = serde_json::from_str(summary).map_err(|error| error.to_string())?;
    let machine = OpenFile::from_bytes(machine).and_then(|file| file.to_machine_file());
    Ok(Analysis {
        summary,
        machine: Some(machine.map_err(|error| error.to_string())?),
        from_cache: true,
    })
}

/// Keep a result. Failure to keep it isn't an error.
fn keep(key: &Key, summary: &Summary, machine: &MachineFile, host: &dyn Host) {
    let kept = serde_json::to_string(summary)
        .map_err(std::io::Error::from)
        .and_then(|summary| host.cache().put(key, summary, machine.to_bytes()));
    if let Err(error) = kept {
        host.detail(&|| format!("the result can't be kept in the cache: {}", reason(&error)));
    }
}

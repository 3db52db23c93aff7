//! `psvn cache`: the results of earlier analyses and the tables of heuristics that are kept.

use std::io::Write;
use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use crate::args::CacheArgs;
use psvn::store::KeptFile;
use psvn::store::read;

use crate::args::CacheAction;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;
use psvn::text::units::{count, format_bytes};

/// The cache.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Report {
    /// The folder.
    path: String,
    /// The number of analyses in it.
    results: usize,
    /// The number of pattern databases in it.
    tables: usize,
    /// The bytes of all its files.
    bytes: u64,
    /// The bytes that they may take before the oldest are removed.
    most_bytes: u64,
}

pub(crate) fn run(args: &CacheArgs, cx: &mut Context) -> Result<Exit, Failure> {
    cx.refuse_csv("cache")?;
    let Some(folder) = cx.env.cache().folder().map(Path::to_owned) else {
        return Err(Failure::usage("results are not kept: there is no cache"));
    };
    let failed = |error: std::io::Error| {
        let reason = read::reason(&error);
        Failure::input(format!("the cache in `{}`: {reason}", folder.display()))
    };
    let bytes = |files: &[KeptFile]| files.iter().map(|file| file.bytes).sum::<u64>();
    if args.action == Some(CacheAction::Clear) {
        let removed = cx.env.cache().clear().map_err(failed)?;
        if cx.format == Format::Text {
            let (n, bytes) = (count(removed.len(), "file"), bytes(&removed));
            writeln!(cx.out, "{n} removed, {}", format_bytes(u128::from(bytes)))?;
            return Ok(Exit::Done);
        }
    }
    let files = cx.env.cache().files().map_err(failed)?;
    let report = Report {
        path: folder.display().to_string(),
        results: files.iter().filter(|file| !file.is_table).count(),
        tables: files.iter().filter(|file| file.is_table).count(),
        bytes: bytes(&files),
        most_bytes: cx.env.cache().most_bytes(),
    };
    if cx.format == Format::Json {
        cx.out.json(&report)?;
        return Ok(Exit::Done);
    }
    match args.action {
        Some(CacheAction::Path) => writeln!(cx.out, "{}", folder.display())?,
        Some(CacheAction::Size) => writeln!(cx.out, "{}", report.bytes)?,
        Some(CacheAction::Clear) | None => writeln!(
            cx.out,
            "{}: {}, {}, {} of at most {}",
            folder.display(),
            count(report.results, "result"),
            count(report.tables, "table"),
            format_bytes(u128::from(report.bytes)),
            format_bytes(u128::from(report.most_bytes)),
        )?,
    }
    Ok(Exit::Done)
}

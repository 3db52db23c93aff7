//! The cache that the environment describes.
//!
//! | variable | meaning | unless set |
//! |---|---|---|
//! | `PSVN_CACHE_DIR` | the folder; empty for no cache | `psvn` in the user's cache folder |
//! | `PSVN_CACHE_SIZE` | the bytes that may be kept, such as `500M` | `2G` |
//! | `PSVN_CACHE_MIN_TIME` | results that took less are not kept | `200ms` |

use std::path::PathBuf;

use etcetera::BaseStrategy;
use psvn::Cache;
use psvn::text::units::{parse_bytes, parse_duration};

/// The cache that the environment describes, and the errors in the description.
pub(crate) fn from_environment() -> (Cache, Vec<String>) {
    let mut problems = Vec::new();
    let folder = match std::env::var_os("PSVN_CACHE_DIR") {
        Some(folder) if folder.is_empty() => None,
        Some(folder) => Some(PathBuf::from(folder)),
        None => etcetera::base_strategy::choose_native_strategy()
            .ok()
            .map(|strategy| strategy.cache_dir().join("psvn")),
    };
    let mut cache = folder.map_or_else(Cache::none, Cache::in_folder);
    if let Some(bytes) = setting("PSVN_CACHE_SIZE", parse_bytes, &mut problems) {
        cache = cache.with_size(bytes as u64);
    }
    if let Some(time) = setting("PSVN_CACHE_MIN_TIME", parse_duration, &mut problems) {
        cache = cache.with_least_time(time);
    }
    (cache, problems)
}

/// A setting from the environment, if there is a valid one.
fn setting<T>(
    name: &str,
    parse: fn(&str) -> Result<T, String>,
    problems: &mut Vec<String>,
) -> Option<T> {
    let value = std::env::var_os(name)?;
    match parse(&value.to_string_lossy()) {
        Ok(value) => Some(value),
        Err(problem) => {
            problems.push(format!("{name} is ignored: {problem}"));
            None
        }
    }
}

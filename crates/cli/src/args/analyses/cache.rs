//! The arguments of `psvn cache`.

use clap::{Args, ValueEnum};

#[derive(Args, Debug)]
#[command(after_help = "\
Analyses and tables of heuristics that took more than 0.2 s are kept, by the content of the game and
all options that change them, up to 2 GiB; those unused for the longest time are removed first.
These environment variables change this: PSVN_CACHE_DIR (empty for no cache), PSVN_CACHE_SIZE,
PSVN_CACHE_MIN_TIME.

Examples:
  psvn cache            describe it
  psvn cache clear      remove all of it
  psvn analyze --no-cache gen:rubik:3 -L 5")]
pub(crate) struct CacheArgs {
    /// What to do: print the folder, print the bytes in it, or remove all results; without it,
    /// describe the cache
    #[arg(
        value_enum,
        hide_possible_values = true,
        value_name = "path|size|clear"
    )]
    pub(crate) action: Option<CacheAction>,
}

/// What `psvn cache` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CacheAction {
    /// Print where results are kept
    Path,
    /// Print how many bytes they take
    Size,
    /// Remove them
    Clear,
}

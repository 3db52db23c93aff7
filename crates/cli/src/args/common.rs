//! The options that all commands understand.

use clap::{ArgAction, Args};

use crate::args::number::{number, number_in};
use crate::output::FormatChoice;
use crate::output::log::ColorChoice;
use crate::output::progress::ProgressMode;

/// What all commands understand.
#[derive(Args, Debug)]
pub(crate) struct Common {
    /// The form of the data on standard output
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        value_name = "text|json|csv",
        help_heading = "Common options"
    )]
    pub(crate) format: FormatChoice,
    /// Print more; twice for debugging
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = "Common options")]
    pub(crate) verbose: u8,
    /// Print nothing but errors and the data itself
    #[arg(
        short,
        long,
        global = true,
        conflicts_with = "verbose",
        help_heading = "Common options"
    )]
    pub(crate) quiet: bool,
    /// When to show progress on standard error; `auto` means on a terminal
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        value_name = "auto|always|never",
        help_heading = "Common options"
    )]
    pub(crate) progress: ProgressMode,
    /// When to color what goes to standard error; `auto` means on a terminal, unless NO_COLOR is
    /// set, and always if CLICOLOR_FORCE is
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        value_name = "auto|always|never",
        help_heading = "Common options"
    )]
    pub(crate) color: ColorChoice,
    /// The most threads to use. Without it, analyses use one for each processor, and searches use
    /// one, so that they count the same each time
    #[arg(
        long,
        global = true,
        value_name = "N",
        value_parser = number_in(1..=1024_u32),
        help_heading = "Common options"
    )]
    pub(crate) threads: Option<u32>,
    /// The seed of random choices, such as those of `analyze --rule-order optimize`
    #[arg(
        long,
        global = true,
        value_name = "N",
        default_value_t = 1,
        help_heading = "Common options",
        value_parser = number::<u64>,
    )]
    pub(crate) seed: u64,
    /// Don't use the cache, which `psvn cache` describes
    #[arg(long, global = true, help_heading = "Common options")]
    pub(crate) no_cache: bool,
}

//! The arguments of a command that this program was built without.

use std::ffi::OsString;

use clap::Args;

/// Anything: the command only says that it is missing.
#[derive(Args, Debug)]
pub(crate) struct MissingArgs {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

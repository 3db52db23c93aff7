//! The arguments of the commands about the text of a game and its rules.

mod abstracts;
mod export;
mod import;
mod rules;
mod texts;

pub(crate) use self::abstracts::AbstractArgs;
pub(crate) use self::export::{ExportArgs, Language};
pub(crate) use self::import::{ImportArgs, ImportFormat};
pub(crate) use self::rules::{ComposeArgs, ShowArgs};
pub(crate) use self::texts::{CheckArgs, FmtArgs, GenArgs};

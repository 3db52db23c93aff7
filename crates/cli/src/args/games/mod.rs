//! The arguments of the commands about the text of a game and its rules.

mod abstracts;
mod export;
#[cfg(feature = "formats")]
mod import;
mod new;
mod rules;
mod texts;

pub(crate) use self::abstracts::AbstractArgs;
pub(crate) use self::export::{ExportArgs, Language};
#[cfg(feature = "formats")]
pub(crate) use self::import::{ImportArgs, ImportFormat};
pub(crate) use self::new::{NewArgs, NewKind};
pub(crate) use self::rules::{ComposeArgs, ShowArgs};
#[cfg(feature = "domains")]
pub(crate) use self::texts::GenArgs;
pub(crate) use self::texts::{CheckArgs, FmtArgs};

//! Commands about the text of a game and its rules.

pub(super) mod abstracts;
pub(super) mod check;
pub(super) mod compose;
pub(super) mod export;
pub(super) mod fmt;
#[cfg(feature = "domains")]
pub(super) mod r#gen;
#[cfg(feature = "formats")]
pub(super) mod import;
pub(super) mod new;
pub(super) mod show;

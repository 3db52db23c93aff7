//! The arguments of the commands about redundant sequences and machines.

mod analyze;
mod cache;
mod explain;
mod machines;
mod transfer;

pub(crate) use self::analyze::AnalyzeArgs;
pub(crate) use self::cache::{CacheAction, CacheArgs};
pub(crate) use self::explain::ExplainArgs;
pub(crate) use self::machines::{CertifyArgs, FsmArgs, VerifyArgs, WordListArgs};
pub(crate) use self::transfer::TransferArgs;

//! Analyses: which sequences of rules are redundant, and the machine that forbids them.
//!
//! `move-prune` compares sequences, `rule-splits` splits rules and finds orders of rules, `fsm`
//! builds machines. This crate does it all as one [`AnalysisRequest`] says, within limits, and
//! keeps the result in the cache of its [`Host`](host::Host). An [`Analysis`] is the same when it
//! comes from there.
//!
//! | question | answer |
//! |---|---|
//! | which sequences are redundant, and which machine forbids them? | [`analyze`] |
//! | which ones does a search leave out? | [`Redundant`] |
//! | which does an analysis by rule find, without a machine? | [`analyze_rules`] |
//! | how much more could the machine prune? | [`compare_with_ideal`] |
//! | what does a machine file hold? | [`MachineDescription`] |
//! | which machine do its words make for another game? | [`transfer`] |
//!
//! # What this crate doesn't know
//! Texts, options and files of users: whoever asks opens machine files and reads states. How long
//! the sequences should be that a search leaves out is decided by others.

mod analysis;
mod assumptions;
mod choices;
mod engine;
mod error;
mod files;
mod ideal;
mod redundant;
mod report;
mod request;
mod summary;

pub use crate::analysis::{Analysis, Sharing, analyze};
pub use crate::assumptions::{Assumptions, AssumptionsSource};
pub use crate::choices::{Letters, MachineKind, MaxLength, Method, RuleOrderChoice, SplitChoice};
pub use crate::engine::machines::{MachineSizes, Size, budget, time_before};
pub use crate::engine::task::{Task, analyze_rules};
pub use crate::error::AnalyzeError;
pub use crate::files::description::MachineDescription;
pub use crate::files::transfer::{
    Transfer, TransferReport, TransferRequest, limits_of_proofs, transfer,
};
pub use crate::ideal::{
    Ideal, IdealDepth, IdealDifference, IdealGrowth, IdealRequest, compare_with_ideal,
};
pub use crate::redundant::{Redundant, RedundantKeys};
pub use crate::report::{AnalysisReport, RejectedReport};
pub use crate::request::{AnalysisRequest, SplitRequest, operators_in};
pub use crate::summary::{Level, Rejected, RejectedFor, Summary};

//! The arguments of the commands that search, and of those about instances and solutions.

mod explore;
mod pdb;
mod plans;
mod solve;
mod tree;
mod units;

pub(crate) use self::explore::{ExploreArgs, StorageChoice};
pub(crate) use self::pdb::PdbArgs;
pub(crate) use self::plans::{ApplyArgs, CheckPlanArgs, GenInstancesArgs};
pub(crate) use self::solve::SolveArgs;
pub(crate) use self::tree::{TreeArgs, TreeAssume, TreePrune};
pub(crate) use self::units::{JoinArgs, UnitsArgs, WorkArgs};

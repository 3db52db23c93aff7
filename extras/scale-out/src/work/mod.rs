//! The work of one worker: its share of each layer, in step with all others.

mod candidates;
mod checkpoint;
mod flow;
mod going;
mod job;
mod own;
mod parcel;
mod schedule;
mod share;
mod space;
mod time;

pub(crate) use crate::work::job::{Job, News, Outcome};
pub(crate) use crate::work::own::work;
pub(crate) use crate::work::space::Space;

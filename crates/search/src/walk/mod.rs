//! Walking the tree below a state, by a plan.

pub(crate) mod cost;
pub(crate) mod cycles;
pub(crate) mod depth;
pub(crate) mod evaluator;
pub(crate) mod interleaved;
pub(crate) mod leaves;
pub(crate) mod outcome;
pub(crate) mod parallel;
pub(crate) mod stack;
pub(crate) mod steps;
pub(crate) mod threshold;

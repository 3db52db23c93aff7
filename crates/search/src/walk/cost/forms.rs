//! The forms in which the walk is compiled for each kind of estimator.
//!
//! A form is compiled for each packed state and family of instructions, which takes more compile
//! time than any other code of this crate. So an estimator has only the forms that make it much
//! faster.

use crate::game::packed::Form;
use crate::kernel::{HasKernels, Instructions};
use crate::run::limits::StopReason;
use crate::walk::cost::job::{WalkJob, Walking};
use crate::walk::evaluator::{Estimator, PlainEstimator, SumEstimator};

/// An estimator for which walks are compiled.
pub(crate) trait CostEstimator<R: HasKernels>: Estimator<R> {
    /// Run a walk. `is_usual` says that it neither looks for the best solution, nor counts a tree,
    /// nor compares with whole paths, nor counts nodes beyond the bound.
    fn run(
        instructions: Instructions,
        walking: Walking<'_, '_, '_, '_, R, Self>,
        is_usual: bool,
    ) -> Result<(), StopReason>
    where
        Self: Sized;
}

/// The steps of a sum are so quick that a narrow form pays. There is no form with a transposition
/// table.
impl<R: HasKernels> CostEstimator<R> for SumEstimator<R> {
    fn run(
        instructions: Instructions,
        walking: Walking<'_, '_, '_, '_, R, Self>,
        is_usual: bool,
    ) -> Result<(), StopReason> {
        let (narrow, full) = (WalkJob::<_, false, false>, WalkJob::<_, true, false>);
        if is_usual {
            R::with_narrow(instructions, walking, narrow, full)
        } else {
            R::with_avx2_at_most(instructions, full(walking))
        }
    }
}

/// Calls of the heuristic take most of the time, so a narrow form doesn't pay.
impl<F: Form<Packed: HasKernels>> CostEstimator<F::Packed> for PlainEstimator<'_, F> {
    fn run(
        instructions: Instructions,
        walking: Walking<'_, '_, '_, '_, F::Packed, Self>,
        _is_usual: bool,
    ) -> Result<(), StopReason> {
        let (full, learning) = (WalkJob::<_, true, false>, WalkJob::<_, true, true>);
        if walking.walk.learner.is_some() {
            F::Packed::with_avx2_at_most(instructions, learning(walking))
        } else {
            F::Packed::with_narrow_avx2_at_most(instructions, walking, full, learning)
        }
    }
}

//! The forms of the walk for each kind of estimator.

use crate::game::packed::Form;
use crate::kernel::{HasKernels, Instructions};
use crate::run::limits::StopReason;
use crate::walk::cost::job::{WalkJob, Walking};
use crate::walk::cost::lessons::{Lessons, Nothing};
use crate::walk::evaluator::{Estimator, PlainEstimator, SumEstimator};

/// An estimator that walks use.
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
        if is_usual {
            R::with_kernel(instructions, WalkJob::<_, Nothing, false>::new(walking))
        } else {
            R::with_avx2_at_most(instructions, WalkJob::<_, Nothing, true>::new(walking))
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
        if walking.walk.learner.is_some() {
            F::Packed::with_avx2_at_most(
                instructions,
                WalkJob::<_, Lessons<'_>, true>::new(walking),
            )
        } else {
            F::Packed::with_avx2_at_most(instructions, WalkJob::<_, Nothing, true>::new(walking))
        }
    }
}

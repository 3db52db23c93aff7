//! Abstractions together with the sums of their estimates.

use super::sums::PartitionedSums;
use super::transition_system::TransitionSystem;
use crate::effort::Effort;
use crate::estimates::abstractions::operators::{Operators, walks};
use crate::refusal::Refusal;

/// Finds the abstract state of a state.
pub(crate) trait Abstraction {
    /// Return the number of the abstract state.
    fn of(&self, state: &[u32]) -> u32;
}

/// Abstractions that share the costs of operators; those that estimate nothing are left out.
#[derive(Clone, Debug)]
pub(crate) struct Summed<A> {
    abstractions: Box<[A]>,
    sums: PartitionedSums,
}

impl<A: Abstraction> Summed<A> {
    /// Share the costs for the sake of starts, and of states on the way from them.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new(
        mut abstractions: Vec<A>,
        systems: &[TransitionSystem],
        operators: &Operators,
        starts: &[Vec<u32>],
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        let find = |state: &Vec<u32>| abstractions.iter().map(|it| it.of(state)).collect();
        let samples = walks::of_sharing(operators, starts);
        let found: Vec<Vec<u32>> = starts.iter().map(find).collect();
        let samples: Vec<Vec<u32>> = samples.iter().map(find).collect();
        let mut sums = PartitionedSums::new(systems, &operators.costs, &found, &samples, effort)?;
        let mut is_used = sums.leave_out_zeros().into_iter();
        abstractions.retain(|_| is_used.next().unwrap_or(true));
        Ok(Self {
            abstractions: abstractions.into(),
            sums,
        })
    }

    pub(crate) fn abstractions(&self) -> &[A] {
        &self.abstractions
    }

    /// Return the number of orders whose sums are compared.
    pub(crate) fn n_orders(&self) -> usize {
        self.sums.n_orders()
    }

    /// Return the bytes of the estimates, without those of the abstractions.
    pub(crate) fn n_bytes(&self) -> usize {
        self.sums.n_bytes()
    }

    /// Return the greatest sum for a state; [`search::DEAD_END`] if an abstraction has no way from
    /// it.
    #[inline]
    pub(crate) fn estimate(&self, state: &[u32]) -> u64 {
        self.sums
            .greatest(self.abstractions.iter().map(|it| it.of(state)))
    }
}

//! Estimates of packed states.

use psvn_ir::{Value, VarId};

use crate::best_first::space::Space;
use crate::best_first::space::packed::Field;
use crate::heuristic::erased::Erased;

/// Variables are read together up to this many bits.
const MOST_BITS: u32 = 8;

/// The maximum bits of a variable whose numbers are listed.
const MOST_OF_ONE: usize = 1 << 12;

/// Estimates states. If the estimate is a sum over the variables, it is looked up by the bits of
/// several variables at a time.
pub(super) struct Estimates<'h> {
    heuristic: Erased<'h>,
    sums: Option<Sums>,
    row: Vec<u32>,
}

struct Sums {
    /// Runs of variables, with the places of the sums of their values.
    runs: Vec<(Field, usize)>,
    sums: Vec<u32>,
}

impl Sums {
    /// Return `None` if the estimate isn't a sum over the variables, or has too many numbers.
    fn new(space: &Space, heuristic: Erased<'_>) -> Option<Self> {
        let of_values = heuristic.0.value_sums()?;
        let runs = space.packing.runs(MOST_BITS);
        if runs.iter().any(|run| run.field.n_values() > MOST_OF_ONE)
            || of_values.largest() > u64::from(u32::MAX)
        {
            return None;
        }
        let mut sums = Self {
            runs: Vec::with_capacity(runs.len()),
            sums: Vec::new(),
        };
        for run in runs {
            let begin = sums.sums.len();
            sums.runs.push((run.field, begin));
            sums.sums.resize(begin + run.field.n_values(), 0);
            space.packing.values_of_run(&run, |bits, values| {
                let numbers = values.iter().map(|(position, value)| {
                    of_values.number(VarId::from_index(*position), Value(*value))
                });
                sums.sums[begin + bits] = numbers.sum();
            });
        }
        Some(sums)
    }
}

impl<'h> Estimates<'h> {
    pub(super) fn new(space: &Space, heuristic: Erased<'h>) -> Self {
        Self {
            heuristic,
            sums: Sums::new(space, heuristic),
            row: vec![0; space.n_variables()],
        }
    }

    /// Estimate a packed state.
    #[inline]
    pub(super) fn of(&mut self, space: &Space, state: &[u64]) -> u64 {
        if let Some(sums) = &self.sums {
            let runs = sums.runs.iter();
            if let [state] = state {
                let numbers = runs.map(|(field, begin)| {
                    u64::from(sums.sums[begin + field.read_one_word(*state) as usize])
                });
                return numbers.sum();
            }
            let numbers = runs.map(|(field, begin)| {
                u64::from(sums.sums[begin + field.read(state) as usize])
            });
            return numbers.sum();
        }
        space.packing.unpack(state, &mut self.row);
        self.heuristic.estimate(self.row.as_slice())
    }
}

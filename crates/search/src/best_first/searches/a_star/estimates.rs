//! Estimates of packed states.

use psvn_ir::{Value, VarId};

use crate::best_first::space::Space;
use crate::best_first::space::packed::{DigitRun, Field};
use crate::heuristic::ranked::RankedTable;
use crate::heuristic::{DEAD_END, Heuristic};

/// The maximum number of bits of variables that are read together.
const MOST_BITS: u32 = 8;

/// The maximum number of values of a variable whose numbers are listed.
const MOST_VALUES: usize = 1 << 12;

/// Estimator of packed states. Sums over the variables, and ranks that are such sums, are looked up
/// by the bits of several variables at a time.
pub(crate) struct Estimates<'h> {
    heuristic: &'h dyn Heuristic,
    sums: Option<Sums>,
    ranked: Option<Ranked<'h>>,
    row: Vec<u32>,
}

/// A sum over the variables of a number that depends on the variable and its value.
struct Sums {
    /// Runs of variables, with the places of the sums of their values.
    runs: Vec<(Field, usize)>,
    sums: Vec<u64>,
}

impl Sums {
    /// Return `None` if there are too many numbers.
    fn new(space: &Space, number: impl Fn(usize, u32) -> u64) -> Option<Self> {
        let runs = space.packing.runs(MOST_BITS);
        let is_large = |run: &DigitRun| run.field.n_values() > MOST_VALUES;
        if runs.iter().any(is_large) {
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
                let numbers = values
                    .iter()
                    .map(|(position, value)| number(*position, *value));
                sums.sums[begin + bits] = numbers.sum();
            });
            // The bits of a run without numbers need not be read.
            if sums.sums[begin..].iter().all(|sum| *sum == 0) {
                sums.sums.truncate(begin);
                sums.runs.pop();
            }
        }
        Some(sums)
    }

    #[inline(always)]
    fn of(&self, state: &[u64]) -> u64 {
        let runs = self.runs.iter();
        if let [state] = state {
            let numbers =
                runs.map(|(field, begin)| self.sums[begin + field.read_one_word(*state) as usize]);
            return numbers.sum();
        }
        let numbers = runs.map(|(field, begin)| self.sums[begin + field.read(state) as usize]);
        numbers.sum()
    }
}

/// The maximum over lists of the sums of entries of tables.
struct Ranked<'h> {
    lists: Vec<Vec<(&'h dyn RankedTable, Sums)>>,
}

impl<'h> Ranked<'h> {
    fn new(space: &Space, tables: Vec<Vec<&'h dyn RankedTable>>) -> Option<Self> {
        let with_ranks = |table: &'h dyn RankedTable| {
            let mut of_value = vec![Vec::new(); space.n_variables()];
            for (variable, numbers) in table.numbers()? {
                of_value[variable.index()] = numbers;
            }
            let number = |variable: usize, value: u32| {
                let numbers: &Vec<u64> = &of_value[variable];
                numbers.get(value as usize).copied().unwrap_or(0)
            };
            Some((table, Sums::new(space, number)?))
        };
        let lists = tables
            .into_iter()
            .map(|list| list.into_iter().map(with_ranks).collect());
        Some(Self {
            lists: lists.collect::<Option<_>>()?,
        })
    }

    #[inline]
    fn of(&self, state: &[u64]) -> u64 {
        let sum = |list: &Vec<(&dyn RankedTable, Sums)>| {
            let entries = list.iter().map(|(table, ranks)| table.at(ranks.of(state)));
            entries.fold(0_u64, |sum, entry| match entry {
                DEAD_END => DEAD_END,
                entry => sum.saturating_add(entry),
            })
        };
        self.lists.iter().map(sum).max().unwrap_or(0)
    }
}

impl<'h> Estimates<'h> {
    pub(crate) fn new(space: &Space, heuristic: &'h dyn Heuristic) -> Self {
        let properties = heuristic.properties();
        let sums = properties.value_sums.and_then(|sums| {
            Sums::new(space, |variable, value| {
                u64::from(sums.number(VarId::from_index(variable), Value(value)))
            })
        });
        let ranked_tables = properties.ranked_tables.filter(|_| sums.is_none());
        Self {
            ranked: ranked_tables.and_then(|tables| Ranked::new(space, tables)),
            heuristic,
            sums,
            row: vec![0; space.n_variables()],
        }
    }

    /// Prefetch what the estimate of a state will read.
    #[inline]
    pub(crate) fn fetch(&self, state: &[u64]) {
        if let Some(ranked) = &self.ranked {
            for (table, ranks) in ranked.lists.iter().flatten() {
                table.fetch(ranks.of(state));
            }
        }
    }

    /// Estimate a packed state.
    #[inline]
    pub(crate) fn of(&mut self, space: &Space, state: &[u64]) -> u64 {
        if let Some(sums) = &self.sums {
            return sums.of(state);
        }
        if let Some(ranked) = &self.ranked {
            return ranked.of(state);
        }
        space.packing.unpack(state, &mut self.row);
        self.heuristic.estimate(self.row.as_slice())
    }
}

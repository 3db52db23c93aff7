//! The abstract state of a state, by a cascade of tables.

use std::sync::Arc;

/// The number of an abstract state that was left out: from its states no goal can be reached, or
/// they break an invariant.
pub(super) const GONE: u32 = u32::MAX;

/// How the state of a factor follows from the values of its variables. Copies share the tables of
/// the factors of a product.
#[derive(Clone, Debug)]
pub(super) enum Cascade {
    /// By value of a variable.
    Variable { var: u32, table: Vec<u32> },
    /// By the states of two factors: those of the second are next to each other.
    Product {
        factors: Arc<[Cascade; 2]>,
        width: u32,
        table: Vec<u32>,
    },
}

impl Cascade {
    fn table(&self) -> &Vec<u32> {
        match self {
            Self::Variable { table, .. } | Self::Product { table, .. } => table,
        }
    }

    /// States become others.
    pub(super) fn map(&mut self, map: &[u32]) {
        let (Self::Variable { table, .. } | Self::Product { table, .. }) = self;
        for state in table {
            if *state != GONE {
                *state = map[*state as usize];
            }
        }
    }

    /// Return whether some states have no abstract state.
    pub(super) fn has_gaps(&self) -> bool {
        let of_factors = match self {
            Self::Variable { .. } => false,
            Self::Product { factors, .. } => factors.iter().any(Self::has_gaps),
        };
        of_factors || self.table().contains(&GONE)
    }

    pub(super) fn n_bytes(&self) -> usize {
        let of_factors = match self {
            Self::Variable { .. } => 0,
            Self::Product { factors, .. } => factors.iter().map(Self::n_bytes).sum(),
        };
        of_factors + size_of_val(&**self.table())
    }

    /// Return how many states are held while one is found.
    fn n_held(&self) -> usize {
        match self {
            Self::Variable { .. } => 1,
            Self::Product { factors, .. } => {
                let [one, other] = [0, 1].map(|number: usize| factors[number].n_held());
                if one == other {
                    one + 1
                } else {
                    one.max(other)
                }
            }
        }
    }
}

/// A step to find the state of a factor.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Look up the value of a variable.
    Variable { var: u32 },
    /// Look up the last two states, the last but one and the last one with these factors.
    Product { before: u32, last: u32 },
}

/// The most states that are held at once: each one more takes twice as many variables.
const MAX_HELD: usize = 32;

/// A cascade as a list of steps.
#[derive(Clone, Debug)]
pub(super) struct Lookups {
    /// The steps, and where their tables begin.
    steps: Box<[(Step, u32)]>,
    tables: Box<[u32]>,
}

impl Lookups {
    pub(super) fn new(cascade: &Cascade) -> Self {
        let (mut steps, mut tables) = (Vec::new(), Vec::new());
        put_steps(cascade, &mut steps, &mut tables);
        debug_assert!(cascade.n_held() <= MAX_HELD);
        Self {
            steps: steps.into(),
            tables: tables.into(),
        }
    }

    pub(super) fn n_bytes(&self) -> usize {
        size_of_val(&*self.steps) + size_of_val(&*self.tables)
    }

    /// Return the abstract state of a state, unless it is [`GONE`].
    #[inline]
    pub(super) fn of(&self, state: &[u32]) -> Option<u32> {
        let mut held = [0; MAX_HELD];
        let mut n_held = 0;
        for (step, first) in &self.steps {
            let place = match step {
                Step::Variable { var } => state[*var as usize],
                Step::Product { before, last } => {
                    n_held -= 2;
                    held[n_held] * before + held[n_held + 1] * last
                }
            };
            let found = self.tables[(first + place) as usize];
            if found == GONE {
                return None;
            }
            held[n_held] = found;
            n_held += 1;
        }
        Some(held[0])
    }
}

/// Add the steps of a cascade: first those of the factor that needs more states to be held.
fn put_steps(cascade: &Cascade, steps: &mut Vec<(Step, u32)>, tables: &mut Vec<u32>) {
    let step = match cascade {
        Cascade::Variable { var, .. } => Step::Variable { var: *var },
        Cascade::Product { factors, width, .. } => {
            let [one, other] = &**factors;
            let is_turned = other.n_held() > one.n_held();
            let order = if is_turned {
                [other, one]
            } else {
                [one, other]
            };
            for factor in order {
                put_steps(factor, steps, tables);
            }
            let [before, last] = if is_turned { [1, *width] } else { [*width, 1] };
            Step::Product { before, last }
        }
    };
    steps.push((step, tables.len() as u32));
    tables.extend_from_slice(cascade.table());
}

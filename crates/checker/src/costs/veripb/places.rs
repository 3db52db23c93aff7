//! Where in a formula what is said.

/// For each variable the number of the first constraint about it.
pub(super) type Firsts = Vec<u64>;

/// The numbers of a formula's constraints.
#[derive(Default)]
pub(super) struct Places {
    /// That a variable has a value at step 0, and in the constraint after it, that it has at most
    /// one.
    pub(super) values: Firsts,
    pub(super) step: StepPlaces,
    /// What each goal tests.
    pub(super) goals: Vec<Firsts>,
}

/// The numbers of the constraints of the first step. Each later step has as many.
#[derive(Default)]
pub(super) struct StepPlaces {
    pub(super) first: u64,
    pub(super) size: u64,
    /// What each rule tests.
    pub(super) tests: Vec<Firsts>,
    /// What each rule changes.
    pub(super) changes: Vec<Firsts>,
    /// That a variable is kept: a constraint for each value.
    pub(super) frames: Firsts,
}

impl Places {
    /// That a variable has a value, and that it has at most one.
    pub(super) fn one_value(&self, step: u64, variable: usize) -> [u64; 2] {
        let has_one = self.values[variable] + 2 * self.values.len() as u64 * step;
        [has_one, has_one + 1]
    }

    /// The first constraint for what a rule tests.
    pub(super) fn test(&self, step: u64, rule: usize, variable: usize) -> u64 {
        self.step.tests[rule][variable] + self.step.size * step
    }

    /// The first constraint for what a rule changes.
    pub(super) fn change(&self, step: u64, rule: usize, variable: usize) -> u64 {
        self.step.changes[rule][variable] + self.step.size * step
    }

    /// The first constraint that a variable is kept.
    pub(super) fn frame(&self, step: u64, variable: usize) -> u64 {
        self.step.frames[variable] + self.step.size * step
    }
}

//! That a potential is a lower bound, step by step: what is left to pay after a step is at least
//! the sum of the state's weights, less the base.
//!
//! At a goal the sum is at most the base. From there backward the falls of the sum are added up: in
//! no step does it fall by more than the step costs. Both are proved by contradiction, goal by goal
//! and rule by rule.

use crate::costs::estimates::potential::Potential;
use crate::costs::setting::moves::{Source, Test};
use crate::costs::sums::weight;
use crate::costs::veripb::derivation::Derivation;
use crate::costs::veripb::failure::ExportFailure;
use crate::costs::veripb::names::Fact;
use crate::costs::veripb::script::{AtLeast, Sum};

impl Derivation<'_> {
    /// Derive for all steps what is left at least, and return the numbers of the constraints.
    pub(super) fn floors(&mut self, potential: &Potential) -> Result<Vec<u64>, ExportFailure> {
        let mut floor = self.floor_of_goals(potential)?;
        let mut floors = vec![floor];
        for step in (0..self.question.n_steps).rev() {
            self.limits.check()?;
            let fall = self.greatest_fall(potential, step)?;
            floor = self.add_up([floor, fall])?;
            floors.push(floor);
        }
        floors.reverse();
        Ok(floors)
    }

    /// The sum of the last state is at most the base.
    fn floor_of_goals(&mut self, potential: &Potential) -> Result<u64, ExportFailure> {
        let (question, places) = (self.question, &self.formula.places);
        let step = question.n_steps;
        let claim = AtLeast::new(self.weighed(potential, step, -1), -(potential.base as i64));
        let negation = self.suppose_not(&claim)?;
        for (goal, tests) in question.game.goals.iter().enumerate() {
            let mut sum = Sum::default();
            sum.add(negation, 1);
            for (variable, test) in tests.iter().enumerate() {
                let tested = (*test, places.goals[goal][variable]);
                let lost = |value| -weight_of(potential, variable, value);
                self.add_least(&mut sum, (step, variable), tested, lost);
            }
            self.script.constraint(&sum)?;
            self.derive(&AtLeast::one([!Fact::Goal { goal }]))?;
        }
        self.conclude()
    }

    /// The sum falls in a step by no more than the step costs.
    fn greatest_fall(&mut self, potential: &Potential, step: u64) -> Result<u64, ExportFailure> {
        let question = self.question;
        let rules = question.game.moves.iter().enumerate();
        let costs = rules
            .clone()
            .map(|(rule, it)| (it.cost as i64, Fact::Rule { step, rule }));
        let before = self.weighed(potential, step, -1);
        let after = self.weighed(potential, step + 1, 1);
        let claim = AtLeast::new(costs.chain(before).chain(after), 0);
        let negation = self.suppose_not(&claim)?;
        let kept = self.kept_sums(potential, step)?;
        for (rule, it) in rules {
            let mut sum = Sum::default();
            sum.add(negation, 1);
            for (variable, source) in it.sources.iter().enumerate() {
                match source {
                    Source::Keep => kept[variable].iter().for_each(|kept| sum.add(kept, 1)),
                    _ => self.add_gain(&mut sum, potential, step, (rule, variable)),
                }
            }
            for (variable, test) in it.tests.iter().enumerate() {
                let tested = (*test, self.formula.places.test(step, rule, variable));
                let change = |value| change_by(potential, &it.sources, variable, value);
                self.add_least(&mut sum, (step, variable), tested, change);
            }
            self.script.constraint(&sum)?;
            self.derive(&AtLeast::one([!Fact::Rule { step, rule }]))?;
        }
        let mut idle = Sum::default();
        idle.add(negation, 1);
        kept.iter().flatten().for_each(|kept| idle.add(kept, 1));
        self.script.constraint(&idle)?;
        self.conclude()
    }

    /// Begin a proof by contradiction, and return the number of what is supposed.
    fn suppose_not(&mut self, claim: &AtLeast) -> Result<u64, ExportFailure> {
        self.script
            .constraint(format_args!("pbc {claim} : subproof"))
    }

    /// End a proof by contradiction, and return the number of what it proves.
    fn conclude(&mut self) -> Result<u64, ExportFailure> {
        let contradiction = self.derive(&AtLeast::one([]))?;
        self.script
            .constraint(format_args!("qed : {contradiction};"))
    }

    /// The sum of a state, times a sign.
    fn weighed<'p>(
        &self,
        potential: &'p Potential,
        step: u64,
        sign: i64,
    ) -> impl Iterator<Item = (i64, Fact)> + use<'_, 'p> {
        let domains = self.question.game.domains.iter().enumerate();
        domains.flat_map(move |(variable, size)| {
            (0..*size).map(move |value| {
                let fact = Fact::Value {
                    step,
                    variable,
                    value,
                };
                (sign * weight_of(potential, variable, value), fact)
            })
        })
    }

    /// For each variable that it doesn't lose in a step in which no rule changes it; `None` if it
    /// has no weights.
    fn kept_sums(
        &mut self,
        potential: &Potential,
        step: u64,
    ) -> Result<Vec<Option<u64>>, ExportFailure> {
        let domains = self.question.game.domains.iter().enumerate();
        domains
            .map(|(variable, size)| {
                let first = self.formula.places.frame(step, variable);
                let mut sum = Sum::default();
                for value in 0..*size {
                    let weight = weight_of(potential, variable, value) as u64;
                    sum.add(first + u64::from(value), weight);
                }
                let is_needed = !sum.is_empty();
                is_needed.then(|| self.script.constraint(&sum)).transpose()
            })
            .collect()
    }

    /// What a variable has at least after a rule that changes it, as a sum of what another variable
    /// has before, or as a number.
    fn add_gain(
        &self,
        sum: &mut Sum,
        potential: &Potential,
        step: u64,
        (rule, variable): (usize, usize),
    ) {
        let game = &self.question.game;
        let first = self.formula.places.change(step, rule, variable);
        for value in 0..game.domains[variable] {
            let weight = weight_of(potential, variable, value) as u64;
            let constraint = match game.moves[rule].sources[variable] {
                Source::Put(put) => (put == value).then_some(first),
                Source::From(other) => {
                    (value < game.domains[other]).then_some(first + u64::from(value))
                }
                Source::Keep => None,
            };
            match constraint {
                Some(number) => sum.add(number, weight),
                None => {
                    let fact = Fact::Value {
                        step: step + 1,
                        variable,
                        value,
                    };
                    sum.add(fact, weight);
                }
            }
        }
    }

    /// That a number for each value of a variable is at least the least one: where a certain value
    /// is tested, the one for that. The test comes with its first constraint.
    fn add_least(
        &self,
        sum: &mut Sum,
        (step, variable): (u64, usize),
        (test, constraint): (Test, u64),
        number: impl Fn(u32) -> i64,
    ) {
        let values = 0..self.question.game.domains[variable];
        let least = values.clone().map(&number).min().unwrap_or(0);
        for value in values {
            let excess = (number(value) - least) as u64;
            if test == Test::Is(value) {
                sum.add(constraint, excess);
            } else {
                let fact = Fact::Value {
                    step,
                    variable,
                    value,
                };
                sum.add(fact, excess);
            }
        }
        let [has_one, has_one_only] = self.formula.places.one_value(step, variable);
        let number = if least > 0 { has_one } else { has_one_only };
        sum.add(number, least.unsigned_abs());
    }
}

fn weight_of(potential: &Potential, variable: usize, value: u32) -> i64 {
    weight(&potential.weights[variable], value).into()
}

/// What the sum gains less what it loses by a rule, as far as it depends on the value that a
/// variable has before.
fn change_by(potential: &Potential, sources: &[Source], variable: usize, value: u32) -> i64 {
    let is_copied = |(_, source): &(usize, &Source)| **source == Source::From(variable);
    let copies = sources.iter().enumerate().filter(is_copied);
    let gained: i64 = copies
        .map(|(copy, _)| weight_of(potential, copy, value))
        .sum();
    let is_lost = sources[variable] != Source::Keep;
    gained - i64::from(is_lost) * weight_of(potential, variable, value)
}

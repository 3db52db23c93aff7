//! "There is a plan that costs at most so much."
//!
//! There are as many steps as such a plan can have. A step uses one rule, or none and then changes
//! nothing. Nothing is said but what follows from the game, the start and the budget.

use crate::costs::setting::moves::{Move, Source, Test};
use crate::costs::veripb::failure::ExportFailure;
use crate::costs::veripb::names::{Fact, Literal, values};
use crate::costs::veripb::places::{Firsts, Places, StepPlaces};
use crate::costs::veripb::question::Question;
use crate::costs::veripb::script::{AtLeast, Script, at_most, at_most_one};

/// A formula in the format OPB.
pub(super) struct Formula {
    /// The constraints. The last one is that of the costs, if there are steps.
    pub(super) script: Script,
    pub(super) places: Places,
    n_variables: u64,
}

impl Formula {
    pub(super) fn new(question: &Question<'_>) -> Result<Self, ExportFailure> {
        let mut writer = Writer {
            question,
            script: Script::default(),
            places: Places::default(),
        };
        writer.start()?;
        for step in 0..=question.n_steps {
            writer.values(step)?;
        }
        for step in 0..question.n_steps {
            writer.step(step)?;
        }
        writer.goals()?;
        if question.n_steps > 0 {
            writer.add(&at_most(question.budget, question.costs_from(0)))?;
        }
        Ok(Self {
            script: writer.script,
            places: writer.places,
            n_variables: question.n_variables(),
        })
    }

    pub(super) fn text(&self) -> String {
        let Script {
            text,
            n_constraints,
        } = &self.script;
        let n_variables = self.n_variables;
        format!("* #variable= {n_variables} #constraint= {n_constraints}\n{text}")
    }
}

impl Question<'_> {
    /// The costs of all rules in all steps from one on.
    pub(super) fn costs_from(&self, step: u64) -> impl Iterator<Item = (u64, Fact)> {
        let rules = || self.game.moves.iter().enumerate();
        (step..self.n_steps).flat_map(move |step| {
            rules().map(move |(rule, it)| (it.cost, Fact::Rule { step, rule }))
        })
    }
}

struct Writer<'q> {
    question: &'q Question<'q>,
    script: Script,
    places: Places,
}

impl Writer<'_> {
    /// The number of the next constraint.
    fn next(&self) -> u64 {
        self.script.n_constraints + 1
    }

    fn add(&mut self, constraint: &AtLeast) -> Result<(), ExportFailure> {
        self.script
            .constraint(format_args!("{constraint} ;"))
            .map(|_| ())
    }

    /// One of the literals holds.
    fn clause(&mut self, literals: impl IntoIterator<Item = Literal>) -> Result<(), ExportFailure> {
        self.add(&AtLeast::one(literals))
    }

    fn start(&mut self) -> Result<(), ExportFailure> {
        for fact in values(0, self.question.game.start) {
            self.clause([fact.into()])?;
        }
        Ok(())
    }

    /// Each variable has one value.
    fn values(&mut self, step: u64) -> Result<(), ExportFailure> {
        for (variable, size) in self.question.game.domains.iter().enumerate() {
            let values = (0..*size).map(|value| Fact::Value {
                step,
                variable,
                value,
            });
            if step == 0 {
                self.places.values.push(self.next());
            }
            self.clause(values.clone().map(Literal::from))?;
            self.add(&at_most_one(values))?;
        }
        Ok(())
    }

    fn step(&mut self, step: u64) -> Result<(), ExportFailure> {
        let moves = &self.question.game.moves;
        let rule_of = |rule| Fact::Rule { step, rule };
        let mut places = StepPlaces {
            first: self.next(),
            ..StepPlaces::default()
        };
        self.add(&at_most_one((0..moves.len()).map(rule_of)))?;
        for (rule, it) in moves.iter().enumerate() {
            places
                .tests
                .push(self.tests(!rule_of(rule), &it.tests, step)?);
            places.changes.push(self.changes(!rule_of(rule), it, step)?);
        }
        for variable in 0..self.question.game.domains.len() {
            places.frames.push(self.next());
            let changes = |it: &Move| it.sources[variable] != Source::Keep;
            let rules = moves.iter().enumerate().filter(|(_, it)| changes(it));
            let others = rules.map(|(rule, _)| rule_of(rule).into()).collect();
            self.copy(others, (step, variable), (step + 1, variable))?;
        }
        if step == 0 {
            places.size = self.next() - places.first;
            self.places.step = places;
        }
        Ok(())
    }

    /// A state passes tests, unless a literal holds.
    fn tests(
        &mut self,
        unless: Literal,
        tests: &[Test],
        step: u64,
    ) -> Result<Firsts, ExportFailure> {
        let domains = self.question.game.domains;
        let mut firsts = Firsts::new();
        for (variable, test) in tests.iter().enumerate() {
            firsts.push(self.next());
            match *test {
                Test::Any => {}
                Test::Is(value) => {
                    let fact = Fact::Value {
                        step,
                        variable,
                        value,
                    };
                    let possible = (value < domains[variable]).then_some(fact.into());
                    self.clause([unless].into_iter().chain(possible))?;
                }
                Test::Same(other) => self.copy(vec![unless], (step, variable), (step, other))?,
            }
        }
        Ok(firsts)
    }

    /// A rule puts its values, unless a literal holds.
    fn changes(&mut self, unless: Literal, it: &Move, step: u64) -> Result<Firsts, ExportFailure> {
        let mut firsts = Firsts::new();
        for (variable, source) in it.sources.iter().enumerate() {
            firsts.push(self.next());
            match *source {
                Source::Keep => {}
                Source::Put(value) => {
                    let fact = Fact::Value {
                        step: step + 1,
                        variable,
                        value,
                    };
                    self.clause([unless, fact.into()])?;
                }
                Source::From(other) => {
                    self.copy(vec![unless], (step, other), (step + 1, variable))?;
                }
            }
        }
        Ok(firsts)
    }

    /// The value that a variable has at a step is that of another variable or step, unless one of
    /// the literals holds.
    fn copy(
        &mut self,
        unless: Vec<Literal>,
        from: (u64, usize),
        to: (u64, usize),
    ) -> Result<(), ExportFailure> {
        let domains = self.question.game.domains;
        let fact = |(step, variable), value| Fact::Value {
            step,
            variable,
            value,
        };
        for value in 0..domains[from.1] {
            let possible = (value < domains[to.1]).then_some(fact(to, value).into());
            let literals = [!fact(from, value)].into_iter().chain(possible);
            self.clause(literals.chain(unless.iter().copied()))?;
        }
        Ok(())
    }

    /// One of the goals holds in the last state.
    fn goals(&mut self) -> Result<(), ExportFailure> {
        let Question { game, n_steps, .. } = &self.question;
        for (goal, tests) in game.goals.iter().enumerate() {
            let firsts = self.tests(!Fact::Goal { goal }, tests, *n_steps)?;
            self.places.goals.push(firsts);
        }
        self.clause((0..game.goals.len()).map(|goal| Fact::Goal { goal }.into()))
    }
}

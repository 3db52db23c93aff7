//! A contradiction from "there is a plan that costs at most so much".
//!
//! Step by step it is derived that the state is one of a layer, and that no more is left to pay than
//! the layer says; in the end, that the last state is no goal. Facts of two kinds are defined for
//! that: what is left is at most a number, and the state is a certain one of the layer. A definition
//! is two constraints: the fact implies what it says, and what it says implies the fact.

use std::collections::{BTreeMap, BTreeSet};

use crate::costs::veripb::formula::Formula;
use crate::costs::veripb::layers::{Entry, Layer};
use crate::costs::veripb::names::{Fact, Literal, values};
use crate::costs::veripb::script::{AtLeast, Script, at_most};
use crate::costs::veripb::{ExportFailure, Question};
use crate::limits::Limits;

/// Return a proof that the formula of a question can't be satisfied.
pub(super) fn derive_contradiction(
    question: &Question<'_>,
    formula: &Formula,
    limits: &Limits,
) -> Result<String, ExportFailure> {
    let mut derivation = Derivation {
        question,
        limits,
        script: Script::after(&formula.script),
    };
    let n_given = formula.script.n_constraints;
    derivation.script.line("pseudo-Boolean proof version 3.0")?;
    derivation.script.line(format_args!("f {n_given};"))?;
    let mut layer = derivation.start(n_given)?;
    for _ in 0..question.n_steps {
        layer = derivation.go_on(&layer)?;
    }
    // The last layer is empty: that the state is one of it is the contradiction.
    let contradiction = derivation.script.n_constraints;
    derivation.script.line("output NONE;")?;
    derivation
        .script
        .line(format_args!("conclusion UNSAT : {contradiction};"))?;
    derivation.script.line("end pseudo-Boolean proof;")?;
    Ok(derivation.script.text)
}

struct Derivation<'q> {
    question: &'q Question<'q>,
    limits: &'q Limits,
    script: Script,
}

/// A layer whose facts are defined.
struct Defined {
    layer: Layer,
    /// The definitions of what is left.
    lefts: BTreeMap<u64, Definition>,
    /// The number of the first constraint of all definitions.
    first: u64,
}

/// The numbers of the constraints of a definition.
struct Definition {
    /// The fact implies what it says.
    says: u64,
    /// What it says implies the fact.
    follows: u64,
}

impl Derivation<'_> {
    /// Derive that the state is the start, and that no more is left than the budget, which is what
    /// the constraint `costs` says.
    fn start(&mut self, costs: u64) -> Result<Defined, ExportFailure> {
        self.check_last(self.question.game.start)?;
        let defined = self.define(Layer::first(self.question))?;
        for definition in defined.lefts.values() {
            self.add_up([costs, definition.follows])?;
        }
        self.derive_one_of(&defined.layer)?;
        Ok(defined)
    }

    /// Derive that the next state is one of the next layer.
    fn go_on(&mut self, before: &Defined) -> Result<Defined, ExportFailure> {
        let after = self.define(before.layer.next(self.question, self.limits)?)?;
        let first_helper = self.script.n_constraints + 1;
        self.compare_lefts(before, &after)?;
        for (state, entry) in &before.layer.entries {
            self.limits.check()?;
            self.leave(state, *entry, &before.layer, &after.layer)?;
        }
        let end = self.script.n_constraints + 1;
        self.derive_one_of(&after.layer)?;
        for (from, to) in [(before.first, after.first), (first_helper, end)] {
            self.script.line(format_args!("del range {from} {to};"))?;
        }
        Ok(after)
    }

    fn define(&mut self, layer: Layer) -> Result<Defined, ExportFailure> {
        let (question, step) = (self.question, layer.step);
        let first = self.script.n_constraints + 1;
        let mut lefts = BTreeMap::new();
        for left in layer.entries.values().map(|entry| entry.left) {
            if !lefts.contains_key(&left) {
                let costs = at_most(left, question.costs_from(step));
                lefts.insert(left, self.definition(Fact::Left { step, left }, &costs)?);
            }
        }
        for (state, entry) in &layer.entries {
            let left = Fact::Left {
                step,
                left: entry.left,
            };
            let facts = values(step, state).chain([left]).map(Literal::from);
            self.definition(layer.fact(*entry), &AtLeast::all(facts))?;
        }
        Ok(Defined {
            layer,
            lefts,
            first,
        })
    }

    /// Define a fact.
    fn definition(&mut self, fact: Fact, says: &AtLeast) -> Result<Definition, ExportFailure> {
        let mut part = |arrow, value| {
            let line = format_args!("red {fact} {arrow} {says} : {fact} -> {value};");
            self.script.constraint(line)
        };
        Ok(Definition {
            says: part("==>", 0)?,
            follows: part("<==", 1)?,
        })
    }

    /// Add what is left before and after a step. What later steps cost cancels out, so each sum says
    /// that rules cost nothing less in this step.
    fn compare_lefts(&mut self, before: &Defined, after: &Defined) -> Result<(), ExportFailure> {
        let mut compared = BTreeSet::new();
        for (state, entry) in &before.layer.entries {
            let moved = self.question.transitions(state, entry.left);
            let next = moved.map(|it| it.state).chain([state.clone()]);
            let next = next.filter_map(|state| after.layer.entries.get(&state));
            compared.extend(next.map(|next| (entry.left, next.left)));
        }
        for (left, next) in compared {
            self.add_up([before.lefts[&left].says, after.lefts[&next].follows])?;
        }
        Ok(())
    }

    /// Derive where a state leads.
    fn leave(
        &mut self,
        state: &[u32],
        entry: Entry,
        before: &Layer,
        after: &Layer,
    ) -> Result<(), ExportFailure> {
        let (question, step) = (self.question, before.step);
        let here = !before.fact(entry);
        let mut all = BTreeSet::new();
        for transition in question.transitions(state, entry.left) {
            let rule = transition.rule;
            let next = self.reached(&transition.state, transition.left, after)?;
            let literals = [here, !Fact::Rule { step, rule }].into_iter();
            self.derive(&AtLeast::one(literals.chain(next.map(Literal::from))))?;
            all.extend(next);
        }
        all.extend(self.reached(state, entry.left, after)?);
        let all = all.into_iter().map(Literal::from);
        self.derive(&AtLeast::one([here].into_iter().chain(all)))
    }

    /// The fact that a state is the one of its layer; `None` if it is the last one, since no more
    /// rules can be used or paid.
    fn reached(
        &self,
        state: &[u32],
        left: u64,
        layer: &Layer,
    ) -> Result<Option<Fact>, ExportFailure> {
        if self.question.is_end(layer.step, left) {
            self.check_last(state)?;
            return Ok(None);
        }
        Ok(layer.entries.get(state).map(|entry| layer.fact(*entry)))
    }

    /// Refuse to go on if a goal can be reached.
    fn check_last(&self, state: &[u32]) -> Result<(), ExportFailure> {
        if self.question.game.is_goal(state) {
            return Err(ExportFailure::BelowBound {
                bound: self.question.budget + 1,
            });
        }
        Ok(())
    }

    /// Derive that the state is one of a layer.
    fn derive_one_of(&mut self, layer: &Layer) -> Result<(), ExportFailure> {
        let facts = layer.entries.values().map(|entry| layer.fact(*entry));
        self.derive(&AtLeast::one(facts.map(Literal::from)))
    }

    /// Add a constraint that follows by unit propagation.
    fn derive(&mut self, constraint: &AtLeast) -> Result<(), ExportFailure> {
        self.script
            .constraint(format_args!("rup {constraint};"))
            .map(|_| ())
    }

    /// Add the sum of two constraints.
    fn add_up(&mut self, numbers: [u64; 2]) -> Result<(), ExportFailure> {
        let [one, other] = numbers;
        self.script
            .constraint(format_args!("pol {one} {other} +;"))
            .map(|_| ())
    }
}

//! A contradiction from "there is a plan that costs at most so much".
//!
//! Step by step it is derived that the state is one of a layer, and that no more is left to pay
//! than the layer says; in the end, that the last state is no goal. Facts of two kinds are defined
//! for that: what is left is at most a number, and the state is a certain one of the layer. A
//! definition is two constraints: the fact implies what it says, and what it says implies the fact.

use std::collections::{BTreeMap, BTreeSet};

use crate::costs::veripb::failure::ExportFailure;
use crate::costs::veripb::formula::Formula;
use crate::costs::veripb::layers::{Entry, Fate, Layer};
use crate::costs::veripb::names::{Fact, Literal, values};
use crate::costs::veripb::question::Question;
use crate::costs::veripb::script::{AtLeast, Script, at_most};
use crate::limits::Limits;

/// Return a proof that the formula of a question can't be satisfied.
pub(super) fn derive_contradiction(
    question: &Question<'_>,
    formula: &Formula,
    limits: &Limits,
) -> Result<String, ExportFailure> {
    let mut derivation = Derivation {
        question,
        formula,
        limits,
        script: Script::after(&formula.script),
        floors: Vec::new(),
    };
    let n_given = formula.script.n_constraints;
    derivation.script.line("pseudo-Boolean proof version 3.0")?;
    derivation.script.line(format_args!("f {n_given};"))?;
    let mut layer = derivation.start(n_given)?;
    while !layer.layer.entries.is_empty() {
        layer = derivation.go_on(&layer)?;
    }
    // That the state is one of an empty layer is the contradiction.
    let contradiction = derivation.script.n_constraints;
    derivation.script.line("output NONE;")?;
    derivation
        .script
        .line(format_args!("conclusion UNSAT : {contradiction};"))?;
    derivation.script.line("end pseudo-Boolean proof;")?;
    Ok(derivation.script.text)
}

/// A proof as far as it is written.
pub(super) struct Derivation<'q> {
    pub(super) question: &'q Question<'q>,
    pub(super) formula: &'q Formula,
    pub(super) script: Script,
    pub(super) limits: &'q Limits,
    /// For each potential and each step the constraint that it is a lower bound on what is left.
    floors: Vec<Vec<u64>>,
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
        let question = self.question;
        self.check_last(question.game.start)?;
        if question.n_steps > 0 {
            for potential in &question.potentials {
                let floors = self.floors(potential)?;
                self.add_up([costs, floors[0]])?;
                self.floors.push(floors);
            }
        }
        let defined = self.define(Layer::first(question))?;
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
        let different: BTreeSet<u64> = layer.entries.values().map(|entry| entry.left).collect();
        for left in different {
            let costs = at_most(left, question.costs_from(step));
            lefts.insert(left, self.definition(Fact::Left { step, left }, &costs)?);
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

    /// Add what is left before and after a step, or what is left before it and what must be left
    /// after it. What later steps cost cancels out.
    fn compare_lefts(&mut self, before: &Defined, after: &Defined) -> Result<(), ExportFailure> {
        let step = after.layer.step;
        let mut compared = BTreeSet::new();
        for (state, Entry { left, .. }) in &before.layer.entries {
            let says = before.lefts[left].says;
            let mut compare = |state: &[u32], left| match self.question.fate(step, state, left) {
                Fate::Ends => {}
                Fate::TooFar { potential } => {
                    compared.insert([says, self.floors[potential][step as usize]]);
                }
                Fate::GoesOn => {
                    let next = after.layer.entries[state].left;
                    compared.insert([says, after.lefts[&next].follows]);
                }
            };
            compare(state, *left);
            for transition in self.question.transitions(state, *left) {
                compare(&transition.state, transition.left);
            }
        }
        for pair in compared {
            self.add_up(pair)?;
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
        self.derive(&AtLeast::one([here].into_iter().chain(all)))?;
        Ok(())
    }

    /// The fact that a state is the one of its layer; `None` if it follows that there is no plan.
    fn reached(
        &self,
        state: &[u32],
        left: u64,
        layer: &Layer,
    ) -> Result<Option<Fact>, ExportFailure> {
        match self.question.fate(layer.step, state, left) {
            Fate::Ends => self.check_last(state).map(|()| None),
            Fate::TooFar { .. } => Ok(None),
            Fate::GoesOn => Ok(Some(layer.fact(layer.entries[state]))),
        }
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
    fn derive_one_of(&mut self, layer: &Layer) -> Result<u64, ExportFailure> {
        let facts = layer.entries.values().map(|entry| layer.fact(*entry));
        self.derive(&AtLeast::one(facts.map(Literal::from)))
    }

    /// Add a constraint that follows by unit propagation.
    pub(super) fn derive(&mut self, constraint: &AtLeast) -> Result<u64, ExportFailure> {
        self.script.constraint(format_args!("rup {constraint};"))
    }

    /// Add the sum of two constraints.
    pub(super) fn add_up(&mut self, numbers: [u64; 2]) -> Result<u64, ExportFailure> {
        let [one, other] = numbers;
        self.script.constraint(format_args!("pol {one} {other} +;"))
    }
}

//! Pairs of facts that never hold together, by a fixpoint over pairs (the reachability part of h^2,
//! Haslum & Geffner 2000).
//!
//! A pair may hold after a rule if it may hold before and the rule touches neither fact, or if the
//! facts that the rule tests, and those that the new ones come from, may hold together two by two. The
//! pairs that are left out exclude each other. The result is inductive, so it says something about
//! every state without an excluded pair, not only about those that can be reached from the starts.

use psvn_ir::{Term, TermKind};

use crate::closure::{Reached, RuleShape, Source};
use crate::conserved::StartSet;
use crate::facts::{FactIndex, unknowns};

/// The most facts: the table of pairs has the square of it in bits.
const MAX_FACTS: usize = 1 << 14;
/// The most work, in words of 64 pairs.
const BUDGET: usize = 400_000_000;
/// The most exclusive pairs that are listed.
const MAX_LISTED: usize = 4_000_000;

/// A symmetric relation over facts; a fact that may hold is related to itself.
struct Pairs {
    words: usize,
    bits: Vec<u64>,
    /// The facts that may hold.
    possible: Vec<u64>,
}

impl Pairs {
    fn new(n_facts: usize) -> Self {
        let words = n_facts.div_ceil(64);
        Self {
            words,
            bits: vec![0; words * n_facts],
            possible: vec![0; words],
        }
    }

    fn row(&self, fact: u32) -> &[u64] {
        &self.bits[fact as usize * self.words..][..self.words]
    }

    fn has(&self, one: u32, other: u32) -> bool {
        has(self.row(one), other)
    }

    /// Adds the pairs of a fact with all facts of a set, itself among them; tells whether there was a
    /// new one.
    fn add(&mut self, fact: u32, others: &[u64]) -> bool {
        debug_assert!(has(others, fact));
        insert(&mut self.possible, fact);
        let mut changed = false;
        for (word, bits) in others.iter().enumerate() {
            let own = &mut self.bits[fact as usize * self.words + word];
            let mut new = bits & !*own;
            *own |= bits;
            changed |= new != 0;
            while new != 0 {
                let other = word * 64 + new.trailing_zeros() as usize;
                new &= new - 1;
                let mirrored = other * self.words + fact as usize / 64;
                self.bits[mirrored] |= 1 << (fact % 64);
            }
        }
        changed
    }
}

fn has(set: &[u64], fact: u32) -> bool {
    set[fact as usize / 64] >> (fact % 64) & 1 != 0
}

fn insert(set: &mut [u64], fact: u32) {
    set[fact as usize / 64] |= 1 << (fact % 64);
}

fn remove(set: &mut [u64], fact: u32) {
    set[fact as usize / 64] &= !(1 << (fact % 64));
}

fn intersect(set: &mut [u64], other: &[u64]) {
    for (word, bits) in set.iter_mut().zip(other) {
        *word &= bits;
    }
}

/// What cannot be reached; `None`: too much work, or too many pairs. (The facts that never hold are
/// worth nothing without the pairs: the one may rest on the other.)
pub(crate) fn reach(
    rules: &[RuleShape],
    index: &FactIndex,
    starts: &[StartSet],
) -> Option<Reached> {
    if index.n_facts() > MAX_FACTS {
        return None;
    }
    let mut fixpoint = Fixpoint {
        index,
        pairs: Pairs::new(index.n_facts()),
        budget: BUDGET,
    };
    for start in starts {
        fixpoint.start(start.pattern())?;
    }
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for rule in rules {
            changed |= fixpoint.step(rule)?;
        }
    }
    fixpoint.result()
}

/// The facts of some variables.
fn mask(index: &FactIndex, vars: &[usize]) -> Vec<u64> {
    let mut set = vec![0; index.n_facts().div_ceil(64)];
    for fact in vars.iter().flat_map(|var| index.of_var(*var)) {
        insert(&mut set, fact);
    }
    set
}

struct Fixpoint<'a> {
    index: &'a FactIndex,
    /// The pairs that may hold.
    pairs: Pairs,
    budget: usize,
}

impl Fixpoint<'_> {
    fn spend(&mut self, work: usize) -> Option<()> {
        self.budget = self.budget.checked_sub(work)?;
        Some(())
    }

    fn fact(&self, var: usize, value: u32) -> u32 {
        self.index.of_var(var).start + value
    }

    /// Adds the pairs of the states that match a pattern.
    fn start(&mut self, pattern: &[Term]) -> Option<()> {
        let mut all = vec![0; self.pairs.words];
        for (var, term) in pattern.iter().enumerate() {
            match term.kind() {
                TermKind::Constant(value) => insert(&mut all, self.index.id(var, value)),
                TermKind::Variable(_) => {
                    self.index
                        .of_var(var)
                        .for_each(|fact| insert(&mut all, fact));
                }
            }
        }
        for (var, term) in pattern.iter().enumerate() {
            if let TermKind::Constant(value) = term.kind() {
                self.spend(self.pairs.words)?;
                self.pairs.add(self.index.id(var, value), &all);
            }
        }
        for members in unknowns(pattern) {
            let own = mask(self.index, &members);
            for value in 0..self.index.domain_size(members[0]) as u32 {
                let mut with: Vec<u64> = all.iter().zip(&own).map(|(a, o)| a & !o).collect();
                for var in &members {
                    insert(&mut with, self.fact(*var, value));
                }
                for var in &members {
                    self.spend(self.pairs.words)?;
                    self.pairs.add(self.fact(*var, value), &with);
                }
            }
        }
        Some(())
    }

    /// Adds the pairs that a rule leads to; tells whether there was a new one.
    fn step(&mut self, rule: &RuleShape) -> Option<bool> {
        let words = self.pairs.words;
        self.spend(1 + rule.tested.len() * rule.tested.len() / 2)?;
        for (n, fact) in rule.tested.iter().enumerate() {
            if !rule.tested[..=n]
                .iter()
                .all(|other| self.pairs.has(*fact, *other))
            {
                return Some(false);
            }
        }
        // The facts that may hold together with all tested ones.
        let mut beside = self.pairs.possible.clone();
        self.spend((1 + rule.tested.len()) * words)?;
        for fact in &rule.tested {
            intersect(&mut beside, self.pairs.row(*fact));
        }
        let values: Vec<Vec<u32>> = rule
            .unknowns
            .iter()
            .map(|members| self.values(members, &beside))
            .collect();
        let sizes = rule
            .unknowns
            .iter()
            .map(|members| self.index.domain_size(members[0]) * members.len());
        let touched = rule.changes.iter().chain(&rule.kept);
        let work = sizes.sum::<usize>()
            + touched
                .map(|(var, _)| self.index.domain_size(*var))
                .sum::<usize>();
        self.spend(work)?;
        if values.iter().any(Vec::is_empty) {
            return Some(false);
        }
        let mut changed = false;
        for (var, source) in &rule.changes {
            match source {
                Source::Fact(fact) => {
                    let with = self.after(rule, &values, &beside, None);
                    self.spend(words * 3 + work)?;
                    changed |= self.pairs.add(*fact, &with);
                }
                Source::Unknown(unknown) => {
                    for value in &values[*unknown] {
                        let mut beside = beside.clone();
                        for member in &rule.unknowns[*unknown] {
                            intersect(&mut beside, self.pairs.row(self.fact(*member, *value)));
                        }
                        let fixed = Some((*unknown, *value));
                        let with = self.after(rule, &values, &beside, fixed);
                        self.spend(words * 4 + work)?;
                        changed |= self.pairs.add(self.fact(*var, *value), &with);
                    }
                }
            }
        }
        Some(changed)
    }

    /// The values that an unknown may have at all its positions, beside the tested facts.
    fn values(&self, members: &[usize], beside: &[u64]) -> Vec<u32> {
        let fits = |value: &u32| {
            members.iter().enumerate().all(|(n, var)| {
                let fact = self.fact(*var, *value);
                let with = |other: &usize| self.pairs.has(fact, self.fact(*other, *value));
                has(beside, fact) && members[..n].iter().all(with)
            })
        };
        let size = self.index.domain_size(members[0]) as u32;
        (0..size).filter(fits).collect()
    }

    /// The facts that may hold after a rule, when those of `beside` may have held before and one unknown
    /// had a certain value. (A fact of the position in question itself may be among them only if
    /// it is the same fact.)
    fn after(
        &self,
        rule: &RuleShape,
        values: &[Vec<u32>],
        beside: &[u64],
        fixed: Option<(usize, u32)>,
    ) -> Vec<u64> {
        // What is beside at untouched positions stays.
        let mut with = beside.to_vec();
        for (var, _) in rule.changes.iter().chain(&rule.kept) {
            for fact in self.index.of_var(*var) {
                remove(&mut with, fact);
            }
        }
        for (var, source) in rule.changes.iter().chain(&rule.kept) {
            match (source, fixed) {
                (Source::Fact(fact), _) => insert(&mut with, *fact),
                (Source::Unknown(unknown), Some((same, value))) if *unknown == same => {
                    insert(&mut with, self.fact(*var, value));
                }
                (Source::Unknown(unknown), _) => {
                    for value in &values[*unknown] {
                        let held = |member: &usize| has(beside, self.fact(*member, *value));
                        if rule.unknowns[*unknown].iter().all(held) {
                            insert(&mut with, self.fact(*var, *value));
                        }
                    }
                }
            }
        }
        with
    }

    fn result(self) -> Option<Reached> {
        let n_facts = self.index.n_facts() as u32;
        let (possible, never) = (0..n_facts).partition::<Vec<u32>, _>(|f| self.pairs.has(*f, *f));
        let mut exclusive = Vec::new();
        for (n, one) in possible.iter().enumerate() {
            let var = self.index.var(*one);
            let others = possible[n + 1..]
                .iter()
                .filter(|other| self.index.var(**other) != var);
            exclusive.extend(
                others
                    .filter(|other| !self.pairs.has(*one, **other))
                    .map(|other| (*one, *other)),
            );
            if exclusive.len() > MAX_LISTED {
                return None;
            }
        }
        Some(Reached {
            never,
            complete: true,
            exclusive: Some(exclusive),
        })
    }
}

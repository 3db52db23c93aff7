//! Which rules change which variables, to compare sets of facts with all rules.

use std::collections::HashSet;

use ahash::RandomState;
use psvn_ir::DisjointSets;

use super::vars_of;
use crate::conserved::balance::{Effect, Flow};
use crate::conserved::fact_set::FactSet;
use crate::facts::FactIndex;

/// For each variable, the rules' changes of it, so that a set is compared only with changes of its
/// variables.
pub(crate) struct Touching<'e> {
    /// The rules.
    rules: Vec<Vec<u32>>,
    /// Rules with the facts about constants that they add (1) and remove (-1).
    constants: Vec<Vec<(u32, u32, i32)>>,
    /// The variables between which rules only move values from one to another: a set is conserved
    /// by such rules if it has the same values of all of them.
    tied: Vec<Vec<u32>>,
    /// The number of the tied variables of each variable.
    tie_of: Vec<u32>,
    /// The numbers of the other flows.
    flows: Vec<Vec<u32>>,
    /// The other flows of all rules, each once.
    all_flows: Vec<&'e Flow>,
}

impl<'e> Touching<'e> {
    pub(crate) fn new(index: &FactIndex, effects: &'e [Effect]) -> Self {
        let n_vars = index.n_vars();
        let mut touching = Self {
            rules: vec![Vec::new(); n_vars],
            constants: vec![Vec::new(); n_vars],
            tied: Vec::new(),
            tie_of: Vec::with_capacity(n_vars),
            flows: vec![Vec::new(); n_vars],
            all_flows: Vec::new(),
        };
        let mut seen: HashSet<&Flow, RandomState> = HashSet::default();
        let mut ties = DisjointSets::new(n_vars);
        for (number, effect) in (0_u32..).zip(effects) {
            for (fact, sign) in &effect.constants {
                let var = index.var(*fact);
                touching.constants[var].push((number, *fact, *sign));
                touching.add(var, number);
            }
            for flow in effect.flows.iter() {
                let vars = || flow.to.iter().chain(&flow.from).map(|var| *var as usize);
                vars().for_each(|var| touching.add(var, number));
                if let Some((to, from)) = flow.single() {
                    ties.join(to as usize, from as usize);
                } else if seen.insert(flow) {
                    let number = touching.all_flows.len() as u32;
                    vars().for_each(|var| touching.flows[var].push(number));
                    touching.all_flows.push(flow);
                }
            }
        }
        touching.tie(&mut ties);
        touching
    }

    /// List the tied variables.
    fn tie(&mut self, ties: &mut DisjointSets) {
        for var in 0..self.rules.len() {
            // The least of the tied variables comes first.
            let root = ties.root(var);
            let tie = if root == var {
                self.tied.push(Vec::new());
                self.tied.len() as u32 - 1
            } else {
                self.tie_of[root]
            };
            self.tie_of.push(tie);
            self.tied[tie as usize].push(var as u32);
        }
    }

    /// The number of entries that the check of a set examines.
    pub(super) fn work(&self, index: &FactIndex, set: &[u32]) -> usize {
        let entries =
            |var: usize| self.rules[var].len() + self.constants[var].len() + self.flows[var].len();
        vars_of(index, set).into_iter().map(entries).sum()
    }

    fn add(&mut self, var: usize, rule: u32) {
        let rules = &mut self.rules[var];
        if rules.last() != Some(&rule) {
            rules.push(rule);
        }
    }

    /// Whether no rule changes the number of true facts of a set: the result of
    /// [`Effect::balances`] for all rules, in time that depends on the set's variables and not on
    /// the rules' lengths.
    pub(crate) fn conserve(&self, index: &FactIndex, set: &[u32], facts: &FactSet<'_>) -> bool {
        let vars = vars_of(index, set);
        let constants = vars.iter().flat_map(|var| &self.constants[*var]);
        let mut constants: Vec<(u32, i32)> = constants
            .filter(|(_, fact, _)| facts.has(*fact))
            .map(|(rule, _, sign)| (*rule, *sign))
            .collect();
        constants.sort_unstable();
        let mut by_rule = constants.chunk_by(|one, other| one.0 == other.0);
        if !by_rule.all(|chunk| chunk.iter().map(|(_, sign)| sign).sum::<i32>() == 0) {
            return false;
        }
        let mut ties: Vec<u32> = vars.iter().map(|var| self.tie_of[*var]).collect();
        ties.sort_unstable();
        ties.dedup();
        let is_even = |tied: &Vec<u32>| {
            let first = || facts.values(tied[0]);
            tied.iter().all(|var| facts.values(*var).eq(first()))
        };
        let mut flows: Vec<u32> = vars
            .iter()
            .flat_map(|var| &self.flows[*var])
            .copied()
            .collect();
        flows.sort_unstable();
        flows.dedup();
        ties.iter().all(|tie| is_even(&self.tied[*tie as usize]))
            && flows
                .iter()
                .all(|flow| self.all_flows[*flow as usize].balances(facts))
    }

    /// The rules that change a variable of the set's facts.
    pub(super) fn rules(&self, index: &FactIndex, set: &[u32]) -> Vec<u32> {
        let vars = vars_of(index, set).into_iter();
        let mut rules: Vec<u32> = vars.flat_map(|var| &self.rules[var]).copied().collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    }
}

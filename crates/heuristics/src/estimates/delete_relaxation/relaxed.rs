//! Rules as actions that only add facts.

use std::ops::Range;

use invariants::Invariants;
use psvn_ir::{CanonicalRule, Game, TermKind, Value, VarId};

use crate::effort::Effort;
use crate::estimates::lists::Lists;
use crate::refusal::Refusal;
use crate::structure::goal_facts::{GoalFacts, n_facts};
use crate::structure::instances;

/// The maximum number of facts that actions need and add, over all actions.
const MAX_TERMS: usize = 1 << 20;

/// The most tuples of facts that have a cost each, in all orders.
const MAX_TUPLES: usize = 1 << 22;

/// The bytes of a fact that an action needs or adds, here and in lists by action and by fact.
const BYTES_OF_TERM: usize = 3 * size_of::<u32>();

/// The bytes of an action beside its facts: two lists, and their places in others.
const BYTES_OF_ACTION: usize = 2 * size_of::<Vec<u32>>() + size_of::<[u32; 8]>();

/// The game without anything that rules take away: a fact, a variable with a value, holds forever
/// once it holds.
///
/// A rule becomes an action that needs the facts of the rule's constant preconditions and adds the
/// constants that it writes. Rules are [instances](instances::of_rule) with values in place of the
/// unknowns that matter.
///
/// Where these would be too many, rules keep their unknowns: for each value of an unknown that a
/// rule writes, there is another action, which also needs the facts that the unknown has this
/// value. All actions of a rule are carried out together, for the rule's cost at once. That two
/// unknown variables are equal is not asked for, unless their value is written.
#[derive(Clone, Debug)]
pub(super) struct Relaxed {
    /// Whether the rules are instances.
    pub(super) has_instances: bool,
    /// By variable: the number of the fact that it has its first value.
    first: Box<[u32]>,
    /// The fact that always holds.
    pub(super) always: u32,
    /// The fact that holds once a goal is reached.
    pub(super) goal: u32,
    pub(super) n_facts: usize,
    /// By action: the facts that it needs.
    pub(super) needs: Lists,
    /// By action: the facts that it adds.
    pub(super) adds: Lists,
    /// By fact: the actions that need it.
    pub(super) needed_by: Lists,
    /// By fact: the actions that add it.
    pub(super) added_by: Lists,
    /// By action: the number of its rule.
    pub(super) rules: Box<[u32]>,
    /// By rule: its actions.
    pub(super) actions: Lists,
    /// By rule: its cost. The last one stands for reaching a goal, which costs nothing.
    pub(super) costs: Box<[u64]>,
}

impl Relaxed {
    /// Relax a game for states that satisfy the invariants.
    pub(super) fn new(
        game: &Game,
        known: &Invariants,
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        let goals = GoalFacts::of_goals(game, known)?;
        if n_facts(game) > MAX_TERMS {
            // There are lists by fact as well, and hardly a game has facts that no action adds.
            return Err(Refusal::TooLarge { limit: MAX_TERMS });
        }
        let mut next = 0;
        let mut first = Vec::with_capacity(game.n_variables());
        for domain in game.variables() {
            first.push(next);
            next += game.domain(*domain).size() as u32;
        }
        let (always, goal) = (next, next + 1);
        let mut found = Actions {
            first: &first,
            always,
            needs: Vec::new(),
            adds: Vec::new(),
            rules: Vec::new(),
            n_terms: 0,
        };
        let has_instances = instances::are_few(game, MAX_TERMS);
        let mut costs = Vec::new();
        let mut add = |rule: &CanonicalRule| {
            effort.check(found.n_bytes())?;
            found.add_rule(game, costs.len() as u32, rule)?;
            costs.push(rule.cost());
            Ok(())
        };
        instances::of_rules(game, has_instances, &mut add)?;
        let reaching = costs.len() as u32;
        costs.push(0);
        for facts in &goals {
            let var = |var: usize| {
                let size = game.domain_of(VarId::from_index(var)).size() as u32;
                let mut values = (0..size).filter(|value| facts.allows(var, Value(*value)));
                let only = values.next().filter(|_| values.next().is_none())?;
                Some(first[var] + only)
            };
            let needs = (0..game.n_variables()).filter_map(var).collect();
            found.add(reaching, needs, vec![goal])?;
        }
        let (needs, adds) = (Lists::new(&found.needs), Lists::new(&found.adds));
        let n_facts = n_facts(game) + 2;
        let of_rules: Vec<Vec<u32>> = found.rules.iter().map(|rule| vec![*rule]).collect();
        Ok(Self {
            has_instances,
            always,
            goal,
            n_facts,
            needed_by: needs.turned(n_facts),
            added_by: adds.turned(n_facts),
            needs,
            adds,
            actions: Lists::new(&of_rules).turned(costs.len()),
            rules: found.rules.into(),
            costs: costs.into(),
            first: first.into(),
        })
    }

    /// Relax a game whose rules have few instances, for costs of tuples of `size` facts.
    pub(super) fn for_tuples(
        game: &Game,
        known: &Invariants,
        size: u32,
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        let relaxed = Self::new(game, known, effort)?;
        let n_tuples = relaxed.n_facts.saturating_pow(size);
        if n_tuples > MAX_TUPLES {
            return Err(Refusal::TooLarge { limit: MAX_TUPLES });
        }
        if !relaxed.has_instances {
            return Err(Refusal::kind("its rules have too many instances"));
        }
        effort.check(n_tuples * size_of::<u64>())?;
        Ok(relaxed)
    }

    /// Put the facts of a state into a list: the values of its variables, in order.
    pub(super) fn put_facts(&self, state: &[u32], facts: &mut Vec<u32>) {
        facts.clear();
        facts.extend(
            self.first
                .iter()
                .zip(state)
                .map(|(first, value)| first + value),
        );
    }

    /// Return for each variable its facts.
    pub(super) fn facts_of_variables(&self) -> impl Iterator<Item = Range<u32>> {
        let ends = self.first.iter().skip(1).chain([&self.always]);
        self.first.iter().zip(ends).map(|(first, end)| *first..*end)
    }

    /// Return for each action the facts that hold afterwards if they held before: those of the
    /// variables that the action doesn't change.
    pub(super) fn kept(&self) -> Vec<Vec<Range<u32>>> {
        let by_action = |action: u32| {
            let adds = self.adds.of(action);
            let is_kept = |facts: &Range<u32>| !adds.iter().any(|fact| facts.contains(fact));
            let kept = self.facts_of_variables().filter(is_kept);
            let always = self.always..self.always + 1;
            kept.chain([always]).collect()
        };
        (0..self.rules.len() as u32).map(by_action).collect()
    }

    /// Return the number of facts that actions need and add.
    pub(super) fn n_terms(&self) -> usize {
        self.needs.n_items() + self.adds.n_items()
    }
}

/// The actions found so far.
struct Actions<'a> {
    first: &'a [u32],
    always: u32,
    needs: Vec<Vec<u32>>,
    adds: Vec<Vec<u32>>,
    rules: Vec<u32>,
    n_terms: usize,
}

impl Actions<'_> {
    /// Return the bytes of the actions, and of the lists that are made of them, about.
    fn n_bytes(&self) -> usize {
        self.n_terms * BYTES_OF_TERM + self.rules.len() * BYTES_OF_ACTION
    }

    fn add(&mut self, rule: u32, needs: Vec<u32>, adds: Vec<u32>) -> Result<(), Refusal> {
        // What is needed anyway isn't added.
        let adds: Vec<u32> = adds.into_iter().filter(|it| !needs.contains(it)).collect();
        if adds.is_empty() {
            return Ok(());
        }
        let needs = if needs.is_empty() {
            vec![self.always]
        } else {
            needs
        };
        self.n_terms += needs.len() + adds.len();
        if self.n_terms > MAX_TERMS {
            return Err(Refusal::TooLarge { limit: MAX_TERMS });
        }
        self.needs.push(needs);
        self.adds.push(adds);
        self.rules.push(rule);
        Ok(())
    }

    fn add_rule(&mut self, game: &Game, number: u32, rule: &CanonicalRule) -> Result<(), Refusal> {
        let before = rule.preconditions();
        let fact = |var: VarId, value: Value| self.first[var.index()] + value.0;
        let constant = |(var, value): (VarId, psvn_ir::Term)| Some(fact(var, value.as_constant()?));
        let needs: Vec<u32> = rule.tests().filter_map(constant).collect();
        let adds: Vec<u32> = rule.changes().filter_map(constant).collect();
        let mut unknown: Vec<(VarId, Vec<VarId>)> = Vec::new();
        for (to, action) in rule.changes() {
            if let TermKind::Variable(from) = action.kind() {
                match unknown.iter_mut().find(|(it, _)| *it == from) {
                    Some((_, places)) => places.push(to),
                    None => unknown.push((from, vec![to])),
                }
            }
        }
        let mut further = Vec::new();
        for (from, places) in unknown {
            let term = before[from.index()];
            let equal = (0..before.len()).filter(|i| before[*i] == term);
            let equal: Vec<VarId> = equal.map(VarId::from_index).collect();
            let has = |var: &VarId, value: u32| (value as usize) < game.domain_of(*var).size();
            for value in 0..game.domain_of(from).size() as u32 {
                let mut all = equal.iter().chain(&places);
                if !all.all(|var| has(var, value)) {
                    continue;
                }
                let facts = |vars: &[VarId]| -> Vec<u32> {
                    vars.iter().map(|var| fact(*var, Value(value))).collect()
                };
                let needs = [needs.clone(), facts(&equal)].concat();
                further.push((needs, facts(&places)));
            }
        }
        self.add(number, needs, adds)?;
        for (needs, adds) in further {
            self.add(number, needs, adds)?;
        }
        Ok(())
    }
}

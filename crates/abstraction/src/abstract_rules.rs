//! Abstract rules from concrete ones.

use std::collections::HashMap;

use ahash::RandomState;
use psvn_ir::{CanonicalRule, Game, RuleId, Term, TermKind, Value, VarId};

use crate::cost_partition::Share;
use crate::error::AbstractionError;

/// The numbering of concrete positions and values in the abstract game.
#[derive(Clone, Debug)]
pub(crate) struct Numbering {
    /// The concrete variable of each abstract one.
    pub(crate) variables: Vec<VarId>,
    /// By concrete variable: the abstract one.
    pub(crate) position: Vec<Option<VarId>>,
    /// By concrete domain: the abstract value of each value.
    pub(crate) values: Vec<Box<[Value]>>,
    /// By concrete domain: the number of abstract values.
    pub(crate) sizes: Vec<usize>,
}

impl Numbering {
    fn value(&self, game: &Game, position: usize, value: Value) -> Value {
        self.values[game.variables()[position].index()][value.index()]
    }

    fn domain_size(&self, game: &Game, position: usize) -> usize {
        self.sizes[game.variables()[position].index()]
    }

    /// Translate a goal condition to abstract states.
    pub(crate) fn conditions(&self, game: &Game, conditions: &[Term]) -> Vec<Term> {
        let classes = self.first_kept(conditions);
        let kept = self.variables.iter();
        kept.map(|var| match conditions[var.index()].kind() {
            TermKind::Constant(value) => Term::constant(self.value(game, var.index(), value)),
            TermKind::Variable(class) => {
                let first = classes[class.index()];
                Term::variable(first.expect("the position is kept, so its class has a kept one"))
            }
        })
        .collect()
    }

    /// Return, by class of equal positions, named by its first one, the first abstract position in
    /// it.
    pub(crate) fn first_kept(&self, preconditions: &[Term]) -> Vec<Option<VarId>> {
        let mut first = vec![None; preconditions.len()];
        for (position, term) in preconditions.iter().enumerate() {
            if let (Some(class), Some(var)) = (term.as_variable(), self.position[position]) {
                first[class.index()].get_or_insert(var);
            }
        }
        first
    }
}

/// Upper bounds on the number of rules of an abstract game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleCounts {
    /// The number of rules, saturated at 128 bits. Equal rules count several times, and rules that
    /// change nothing count, too.
    pub forward: u128,
    /// The number of backward rules made from them, saturated at 128 bits.
    pub backward: u128,
    /// Whether some rule becomes several, since it reads variables that are dropped.
    pub are_multiplied: bool,
}

/// An abstract rule and the concrete rules that it represents.
pub(crate) type Origin = (CanonicalRule, Vec<RuleId>);

/// Preconditions and actions.
type Sides = (Box<[Term]>, Box<[Term]>);

/// Preconditions, actions, cost and origins of an abstract rule.
type Collected = (Vec<Term>, Vec<Term>, u64, Vec<RuleId>);

/// Collects abstract rules: each only once, with the least cost.
struct Collector {
    rules: Vec<Collected>,
    by_terms: HashMap<Sides, usize, RandomState>,
    /// The number of rules that may still be made, duplicates included.
    left: usize,
    limit: usize,
}

/// Make the abstract rules for all rules of a game. Rules that change nothing are left out; of
/// equal ones, the one of least cost represents all.
pub(crate) fn abstract_rules(
    game: &Game,
    numbering: &Numbering,
    share: &Share<'_>,
    limit: usize,
) -> Result<Vec<Origin>, AbstractionError> {
    let mut collector = Collector {
        rules: Vec::new(),
        by_terms: HashMap::default(),
        left: limit,
        limit,
    };
    for (id, rule) in game.rules_with_ids() {
        let one = OneRule {
            game,
            numbering,
            rule: &rule.canonical,
            classes: numbering.first_kept(rule.canonical.preconditions()),
            id,
        };
        one.variants(share, &mut collector)
            .map_err(|()| AbstractionError::TooManyRules {
                label: rule.label.to_string(),
                limit: collector.limit,
            })?;
    }
    let canonical =
        |(p, a, cost, origin): Collected| (CanonicalRule::from_canonical_parts(p, a, cost), origin);
    Ok(collector.rules.into_iter().map(canonical).collect())
}

/// Return an upper bound on the number of abstract rules, without making any. Costs are not charged
/// to values.
pub(crate) fn count_rules(game: &Game, numbering: &Numbering) -> RuleCounts {
    let mut counts = RuleCounts::default();
    let multiple = |classes: &[VarId]| {
        let sizes = classes
            .iter()
            .map(|class| numbering.domain_size(game, class.index()) as u128);
        sizes.fold(1, u128::saturating_mul)
    };
    for rule in game.rules() {
        let rule = &rule.canonical;
        let known = numbering.first_kept(rule.preconditions());
        let classes = |terms: &[Term]| {
            let kept = numbering.variables.iter();
            let mut classes: Vec<VarId> = kept
                .filter_map(|var| terms[var.index()].as_variable())
                .collect();
            classes.sort_unstable();
            classes.dedup();
            classes
        };
        let (before, after) = (classes(rule.preconditions()), classes(rule.actions()));
        let unknown: Vec<VarId> = after
            .iter()
            .filter(|class| known[class.index()].is_none())
            .copied()
            .collect();
        let lost: Vec<VarId> = before
            .into_iter()
            .filter(|class| after.binary_search(class).is_err())
            .collect();
        let forward = multiple(&unknown);
        counts.forward = counts.forward.saturating_add(forward);
        let backward = forward.saturating_mul(multiple(&lost));
        counts.backward = counts.backward.saturating_add(backward);
        counts.are_multiplied |= forward > 1;
    }
    counts
}

struct OneRule<'a> {
    game: &'a Game,
    numbering: &'a Numbering,
    rule: &'a CanonicalRule,
    /// By class of equal positions: an abstract position that has its value.
    classes: Vec<Option<VarId>>,
    id: RuleId,
}

impl OneRule<'_> {
    /// Make one rule, or, if the cost depends on the value at the charged position, one for each
    /// abstract value there.
    fn variants(&self, share: &Share<'_>, collector: &mut Collector) -> Result<(), ()> {
        let cost = self.rule.cost();
        let (partition, charged_values) = match share {
            Share::Full => return self.instances(cost, None, collector),
            Share::Rules(charged) => {
                let cost = if charged[self.id.index()] { cost } else { 0 };
                return self.instances(cost, None, collector);
            }
            Share::Charged {
                partition,
                charged_values,
            } => (partition, charged_values),
        };
        let Some(position) = partition.position(self.id).map(VarId::index) else {
            return self.instances(0, None, collector);
        };
        let domain = self.game.variables()[position].index();
        let class = match self.rule.preconditions()[position].kind() {
            TermKind::Constant(value) => {
                let is_charged = charged_values[domain][value.index()];
                return self.instances(if is_charged { cost } else { 0 }, None, collector);
            }
            TermKind::Variable(class) => class,
        };
        // An abstract value is charged if all concrete values that it may represent are.
        let mut charged = vec![true; self.numbering.sizes[domain]];
        for (value, abstract_value) in self.numbering.values[domain].iter().enumerate() {
            charged[abstract_value.index()] &= charged_values[domain][value];
        }
        let same = charged.iter().all(|it| *it == charged[0]);
        if same || self.classes[class.index()].is_none() {
            let all = charged.iter().all(|it| *it);
            return self.instances(if all { cost } else { 0 }, None, collector);
        }
        for (value, is_charged) in charged.iter().enumerate() {
            let bound = Some((class, Value::from_index(value)));
            self.instances(if *is_charged { cost } else { 0 }, bound, collector)?;
        }
        Ok(())
    }

    /// Make the rule with one class of positions bound to an abstract value, if any; one for each
    /// combination of values that it reads from dropped positions.
    fn instances(
        &self,
        cost: u64,
        bound: Option<(VarId, Value)>,
        collector: &mut Collector,
    ) -> Result<(), ()> {
        let game = self.game;
        let kept = &self.numbering.variables;
        let mut unknown: Vec<(VarId, usize)> = Vec::new();
        let term =
            |position: usize, term: Term, unknown: &mut Vec<(VarId, usize)>| match term.kind() {
                TermKind::Constant(value) => {
                    Term::constant(self.numbering.value(game, position, value))
                }
                TermKind::Variable(class) => match (bound, self.classes[class.index()]) {
                    (Some((it, value)), _) if it == class => Term::constant(value),
                    (_, Some(var)) => Term::variable(var),
                    (_, None) => {
                        if unknown.iter().all(|(it, _)| *it != class) {
                            unknown.push((class, self.numbering.domain_size(game, position)));
                        }
                        // A placeholder for the class until a value replaces it.
                        Term::constant(Value(UNKNOWN + class.0))
                    }
                },
            };
        let mut side = |terms: &[Term]| -> Vec<Term> {
            let kept = kept.iter().map(|var| var.index());
            kept.map(|position| term(position, terms[position], &mut unknown))
                .collect()
        };
        let p = side(self.rule.preconditions());
        let a = side(self.rule.actions());
        let mut values = vec![0_usize; unknown.len()];
        loop {
            let actions: Vec<Term> = a
                .iter()
                .map(|term| match term.as_constant() {
                    Some(Value(value)) if value >= UNKNOWN => {
                        let slot = unknown
                            .iter()
                            .position(|(class, _)| class.0 == value - UNKNOWN);
                        let slot = slot.expect("each class without a place has a slot");
                        Term::constant(Value::from_index(values[slot]))
                    }
                    _ => *term,
                })
                .collect();
            collector.add(CanonicalRule::canonicalize(&p, &actions, cost), self.id)?;
            let next = (0..values.len())
                .rev()
                .find(|i| values[*i] + 1 < unknown[*i].1);
            let Some(digit) = next else { return Ok(()) };
            values[digit] += 1;
            values[digit + 1..].fill(0);
        }
    }
}

/// More than the number of values of any domain.
const UNKNOWN: u32 = 1 << 24;

impl Collector {
    fn add(&mut self, rule: CanonicalRule, origin: RuleId) -> Result<(), ()> {
        if rule.preconditions() == rule.actions() {
            return Ok(());
        }
        self.left = self.left.checked_sub(1).ok_or(())?;
        let key = (rule.preconditions().into(), rule.actions().into());
        let next = self.rules.len();
        let number = *self.by_terms.entry(key).or_insert(next);
        if number == next {
            let (p, a) = (rule.preconditions().to_vec(), rule.actions().to_vec());
            self.rules.push((p, a, rule.cost(), vec![origin]));
            return Ok(());
        }
        let (_, _, cost, origins) = &mut self.rules[number];
        *cost = rule.cost().min(*cost);
        if origins.last() != Some(&origin) {
            origins.push(origin);
        }
        Ok(())
    }
}

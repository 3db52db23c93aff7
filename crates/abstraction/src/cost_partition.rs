//! Charging rule costs to patterns, for sums of heuristics that stay admissible.
//!
//! The sum of several patterns' least costs is a lower bound if no step is paid for twice (Yang,
//! Culberson, Holte, Zahavi & Felner 2008, "A General Theory of Additive State Space
//! Abstractions"). There are two ways to ensure this:
//!
//! - *By value*: for each rule one position is chosen, and the whole cost is charged to the value
//!   at this position before the step. A pattern pays if that value is one of its own. On sliding
//!   tiles that value is the tile that moves, which gives the additive pattern databases of Korf &
//!   Felner 2002.
//! - *By variable*: where no rule changes kept variables of two patterns, each pattern pays in full
//!   (Edelkamp 2001, "Planning with pattern databases").
//! - *By rule*: where rules change variables of several patterns, each such rule is charged to one
//!   of them: the one that alone keeps the most special variable whose values the rule names. A
//!   variable is the more special, the fewer rules name its values.

use psvn_ir::{CanonicalRule, DomainId, Game, RuleId, TermKind, Value, VarId};

use crate::map::Abstraction;

/// For each rule, the position whose value its cost is charged to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostPartition {
    positions: Vec<Option<VarId>>,
    /// By domain and value: the values that rules test for and are never charged to, such as the
    /// blank.
    tested: Vec<Vec<bool>>,
    /// By domain and value: the values that some rule may be charged to.
    charged: Vec<Vec<bool>>,
}

/// The part of the costs that an abstract game has.
#[derive(Clone, Copy, Debug)]
pub enum Share<'a> {
    /// All costs.
    Full,
    /// The costs that are charged to one pattern: a rule has its cost if the charged position holds
    /// one of the pattern's values, and costs nothing otherwise.
    Charged {
        /// The position whose value each rule is charged to.
        partition: &'a CostPartition,
        /// By domain and value: whether its cost is charged to the pattern.
        charged_values: &'a [Vec<bool>],
    },
    /// By rule: whether it has its cost. Other rules cost nothing.
    Rules(&'a [bool]),
}

/// How the cost of one rule is shared among patterns, made by [`CostPartition::split`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Charge {
    /// Each pattern has the full costs: no rule with a cost changes variables of two patterns.
    ByVariable,
    /// By pattern, domain and value: whether the pattern pays for the value.
    ByValue(Vec<Vec<Vec<bool>>>),
    /// By pattern and rule: whether the pattern pays for the rule.
    ByRule(Vec<Vec<bool>>),
}

/// The reasons why the sum of some patterns is not known to be admissible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAdditive {
    /// A value would be paid for twice.
    #[error("value `{value}` is in patterns {} and {}, so steps that move it would be paid for twice", .patterns.0 + 1, .patterns.1 + 1)]
    SharedValue {
        /// The value's name.
        value: String,
        /// The two patterns, counted from 0.
        patterns: (usize, usize),
    },
    /// A rule would be paid for twice.
    #[error("rule `{label}` costs {cost} and changes variables of patterns {} and {}, which would both pay for it", .patterns.0 + 1, .patterns.1 + 1)]
    SharedRule {
        /// The rule's label.
        label: String,
        /// Its cost.
        cost: u64,
        /// The two patterns, counted from 0.
        patterns: (usize, usize),
    },
    /// Some patterns drop variables and others don't.
    #[error("pattern {} drops variables and pattern {} doesn't: costs are shared by value or by variable, not both", .0 + 1, .1 + 1)]
    Mixed(usize, usize),
}

impl CostPartition {
    /// Choose a position for each rule that costs something: the first that holds a value which the
    /// rule moves elsewhere without knowing it, else the first unknown value that it overwrites,
    /// else the first known one. Rules without such a position are charged to no value.
    pub fn of(game: &Game) -> Self {
        let table = || -> Vec<Vec<bool>> {
            let domains = game.domains().iter();
            domains.map(|domain| vec![false; domain.size()]).collect()
        };
        let (mut tested, mut charged) = (table(), table());
        let mut positions = Vec::with_capacity(game.rules().len());
        for rule in game.rules() {
            let (p, a) = (rule.canonical.preconditions(), rule.canonical.actions());
            let changed: Vec<usize> = (0..p.len()).filter(|i| p[*i] != a[*i]).collect();
            let moved = |i: &&usize| !p[**i].is_constant() && a.contains(&p[**i]);
            let unknown = |i: &&usize| !p[**i].is_constant();
            let position = changed.iter().find(moved);
            let position = position
                .or_else(|| changed.iter().find(unknown))
                .or_else(|| changed.first())
                .copied()
                .filter(|_| rule.canonical.cost() > 0);
            for (i, term) in p.iter().enumerate() {
                let domain = game.variables()[i].index();
                match term.kind() {
                    TermKind::Constant(value) if position == Some(i) => {
                        charged[domain][value.index()] = true;
                    }
                    TermKind::Constant(value) => tested[domain][value.index()] = true,
                    TermKind::Variable(_) if position == Some(i) => charged[domain].fill(true),
                    TermKind::Variable(_) => {}
                }
            }
            positions.push(position.map(VarId::from_index));
        }
        // Values that a rule is charged to by name can't be left out.
        for (rule, position) in game.rules().iter().zip(&positions) {
            let Some(position) = position else { continue };
            if let Some(value) = rule.canonical.preconditions()[position.index()].as_constant() {
                tested[game.variables()[position.index()].index()][value.index()] = false;
            }
        }
        Self {
            positions,
            tested,
            charged,
        }
    }

    /// Return the position whose value pays for a rule.
    pub fn position(&self, rule: RuleId) -> Option<VarId> {
        self.positions[rule.index()]
    }

    /// Return whether rules test for a value and are never charged to it by name. Patterns that
    /// track it, without being charged for it, know better which rules apply. The blank of a
    /// sliding-tile puzzle is such a value.
    pub fn is_tested(&self, domain: DomainId, value: Value) -> bool {
        self.tested[domain.index()][value.index()]
    }

    /// Prove that the sum of the patterns' least costs is admissible, and return how costs are
    /// charged.
    ///
    /// # Errors
    /// If the sum isn't known to be admissible: the value or rule that would be paid for twice.
    ///
    /// # Panics
    /// If a pattern doesn't fit the game.
    pub fn split(&self, game: &Game, patterns: &[Abstraction]) -> Result<Charge, NotAdditive> {
        let drops = patterns
            .iter()
            .position(|pattern| !pattern.keeps_all_variables());
        let keeps = patterns.iter().position(Abstraction::keeps_all_variables);
        match (drops, keeps) {
            (Some(drops), Some(keeps)) => return Err(NotAdditive::Mixed(drops, keeps)),
            (Some(_), None) => {
                return by_variable(game, patterns).or_else(|_| by_rule(game, patterns));
            }
            _ => {}
        }
        let mut owner: Vec<Vec<Option<usize>>> = game
            .domains()
            .iter()
            .map(|domain| vec![None; domain.size()])
            .collect();
        for (number, pattern) in patterns.iter().enumerate() {
            for (domain, owners) in owner.iter_mut().enumerate() {
                let id = DomainId::from_index(domain);
                for value in pattern.distinct_values(id) {
                    if self.is_tested(id, value) {
                        continue;
                    }
                    if let Some(other) = owners[value.index()].replace(number) {
                        return Err(NotAdditive::SharedValue {
                            value: game.domain(id).value_name(value).to_owned(),
                            patterns: (other, number),
                        });
                    }
                }
            }
        }
        let pays = |number| -> Vec<Vec<bool>> {
            let owns = |owners: &Vec<Option<usize>>| {
                owners.iter().map(|owner| *owner == Some(number)).collect()
            };
            owner.iter().map(owns).collect()
        };
        Ok(Charge::ByValue((0..patterns.len()).map(pays).collect()))
    }

    /// Return the names of the values that rules may be charged to and that no pattern pays for.
    pub fn uncovered(&self, game: &Game, charge: &Charge) -> Vec<String> {
        let Charge::ByValue(patterns) = charge else {
            return Vec::new();
        };
        let mut names = Vec::new();
        for (id, domain) in game.domains().iter().enumerate() {
            for value in 0..domain.size() {
                let covered = patterns.iter().any(|pays| pays[id][value]);
                if self.charged[id][value] && !self.tested[id][value] && !covered {
                    names.push(domain.values()[value].clone());
                }
            }
        }
        names
    }

    /// Return the pattern that keeps the values charged to it and tracks the values that rules test
    /// for; all others are merged.
    pub fn tracking(&self, game: &Game, charged_values: &[Vec<bool>]) -> Abstraction {
        Abstraction::keep_values(game, |domain, value| {
            charged_values[domain.index()][value.index()] || self.is_tested(domain, value)
        })
    }
}

/// Return the variables whose values a rule names: constants that it tests or writes.
fn named_variables(rule: &CanonicalRule) -> Vec<VarId> {
    let all = rule.tests().chain(rule.changes());
    let mut named: Vec<VarId> = all
        .filter(|(_, term)| term.is_constant())
        .map(|(var, _)| var)
        .collect();
    named.sort_unstable();
    named.dedup();
    named
}

/// Return, by variable, how many rules name its values: constants that they test or write.
pub fn n_rules_naming(game: &Game) -> Vec<usize> {
    let mut n_naming = vec![0; game.n_variables()];
    for rule in game.rules() {
        let named = named_variables(&rule.canonical);
        named.iter().for_each(|var| n_naming[var.index()] += 1);
    }
    n_naming
}

/// Charge each rule that changes variables of several patterns to one of them.
fn by_rule(game: &Game, patterns: &[Abstraction]) -> Result<Charge, NotAdditive> {
    let n_naming = n_rules_naming(game);
    let mut pays = vec![vec![false; game.rules().len()]; patterns.len()];
    for (id, rule) in game.rules_with_ids() {
        let keepers = |var: VarId| (0..patterns.len()).filter(move |i| patterns[*i].is_kept(var));
        let mut changed: Vec<usize> = rule
            .canonical
            .changes()
            .flat_map(|(var, _)| keepers(var))
            .collect();
        changed.sort_unstable();
        changed.dedup();
        let own = |var: VarId| {
            let mut keepers = keepers(var);
            keepers.next().filter(|_| keepers.next().is_none())
        };
        let payer = match changed[..] {
            [] => continue,
            [only] => only,
            [one, other, ..] => {
                let named = named_variables(&rule.canonical).into_iter();
                let owned = named.filter_map(|var| Some((n_naming[var.index()], var, own(var)?)));
                let special = owned.min_by_key(|(n, var, _)| (*n, *var));
                match special {
                    Some((.., payer)) => payer,
                    None if rule.canonical.cost() == 0 => continue,
                    None => {
                        return Err(NotAdditive::SharedRule {
                            label: rule.label.to_string(),
                            cost: rule.canonical.cost(),
                            patterns: (one, other),
                        });
                    }
                }
            }
        };
        pays[payer][id.index()] = true;
    }
    Ok(Charge::ByRule(pays))
}

/// Return, by variable, the rules that are charged to it if each rule that costs something is
/// charged to the most special variable that it names and `may_pay`.
pub fn rules_of_variables(game: &Game, may_pay: impl Fn(VarId) -> bool) -> Vec<Vec<RuleId>> {
    let n_naming = n_rules_naming(game);
    let mut rules = vec![Vec::new(); game.n_variables()];
    for (id, rule) in game.rules_with_ids() {
        let named = named_variables(&rule.canonical).into_iter();
        let named = named.filter(|var| may_pay(*var));
        let special = named.min_by_key(|var| (n_naming[var.index()], *var));
        if let Some(var) = special.filter(|_| rule.canonical.cost() > 0) {
            rules[var.index()].push(id);
        }
    }
    rules
}

fn by_variable(game: &Game, patterns: &[Abstraction]) -> Result<Charge, NotAdditive> {
    for rule in game.rules().iter().filter(|rule| rule.canonical.cost() > 0) {
        let touches = |pattern: &Abstraction| {
            let mut changes = rule.canonical.changes();
            changes.any(|(var, _)| pattern.is_kept(var))
        };
        let mut payers = (0..patterns.len()).filter(|number| touches(&patterns[*number]));
        if let (Some(one), Some(other)) = (payers.next(), payers.next()) {
            return Err(NotAdditive::SharedRule {
                label: rule.label.to_string(),
                cost: rule.canonical.cost(),
                patterns: (one, other),
            });
        }
    }
    Ok(Charge::ByVariable)
}

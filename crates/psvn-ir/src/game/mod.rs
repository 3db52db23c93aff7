//! A game: domains, variables, rules and goals.

pub(crate) mod domain;
pub(crate) mod goal;
pub(crate) mod names;
pub(crate) mod random_walk;
pub(crate) mod relations;
pub(crate) mod state;

use std::fmt;

use sha2::{Digest, Sha256};

use crate::game::domain::Domain;
use crate::game::goal::Goal;
use crate::game::state::State;
use crate::ids::{DomainId, RuleId, Value, VarId};
use crate::rule::Rule;
use crate::rule::canonical::CanonicalRule;
use crate::rule::equations::Equation;
use crate::rule::term::{Term, TermKind};
use crate::source::cell::{Cell, SourceRule};
use crate::source::expand::{ExpandError, TooManyRules, instances};
use crate::source::limits::{ALLOCATION, bytes_of_rules};

/// A single-player game.
///
/// Made by [`load`](crate::load) from text or by a [`GameBuilder`](crate::GameBuilder) in code.
#[derive(Clone, Debug)]
pub struct Game {
    pub(crate) domains: Vec<Domain>,
    pub(crate) variables: Vec<DomainId>,
    pub(crate) source_rules: Vec<SourceRule>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) goals: Vec<Goal>,
}

impl AsRef<Game> for Game {
    fn as_ref(&self) -> &Game {
        self
    }
}

impl Game {
    /// Return the approximate number of bytes that the game takes in memory.
    pub fn n_bytes(&self) -> usize {
        let domains: usize = self.domains.iter().map(Domain::n_bytes).sum();
        let sides = 2 * (self.n_variables() * size_of::<Cell>() + ALLOCATION);
        let source_rules = self.source_rules.len() * (size_of::<SourceRule>() + sides);
        let rules = bytes_of_rules(self.n_variables(), self.rules.len() as u128);
        usize::try_from(rules)
            .unwrap_or(usize::MAX)
            .saturating_add(domains + source_rules)
    }

    /// Return the domains, declared ones first.
    pub fn domains(&self) -> &[Domain] {
        &self.domains
    }

    /// Return a domain.
    pub fn domain(&self, id: DomainId) -> &Domain {
        &self.domains[id.index()]
    }

    /// Return the domain of each variable.
    pub fn variables(&self) -> &[DomainId] {
        &self.variables
    }

    /// Return the number of variables.
    pub fn n_variables(&self) -> usize {
        self.variables.len()
    }

    /// Return the domain of a variable.
    pub fn domain_of(&self, var: VarId) -> &Domain {
        self.domain(self.variables[var.index()])
    }

    /// Return the rules as they were written.
    pub fn source_rules(&self) -> &[SourceRule] {
        &self.source_rules
    }

    /// Return the deterministic rules that the source rules stand for, in the order of the file.
    /// They include rules that change nothing; only a row that
    /// [says nothing](SourceRule::says_nothing) isn't a rule.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Return a rule.
    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.index()]
    }

    /// Return all rules with their ids.
    pub fn rules_with_ids(&self) -> impl Iterator<Item = (RuleId, &Rule)> {
        self.rules
            .iter()
            .enumerate()
            .map(|(i, rule)| (RuleId::from_index(i), rule))
    }

    /// Return the goal conditions; a state that satisfies one of them is a goal state.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// Return whether a state is a goal state.
    pub fn is_goal(&self, state: &[Value]) -> bool {
        self.goals.iter().any(|goal| goal.holds_in(state))
    }

    /// Return the rules run backwards (see [`SourceRule::backward`]), each with the index of its
    /// source rule. A source rule that loses values has several. Rules that test and change nothing
    /// are left out.
    ///
    /// # Errors
    /// When there would be more than `limit` of them.
    pub fn backward_rules(&self, limit: usize) -> Result<Vec<Rule>, TooManyRules> {
        let backward: Vec<SourceRule> =
            self.source_rules.iter().map(SourceRule::backward).collect();
        let size = |var| self.domain_of(var).size();
        match instances(&backward, size, limit, &|| false) {
            Ok(mut rules) => {
                rules.retain(|rule| !rule.canonical.is_identity());
                Ok(rules)
            }
            Err(ExpandError::TooMany { error, .. }) => Err(error),
            Err(ExpandError::Stopped) => unreachable!("nobody stops it"),
        }
    }

    /// Make the game whose rules are those of this one [run backwards](Self::backward_rules).
    /// Domains, variables and goals are the same.
    ///
    /// # Errors
    /// When there would be more than `limit` rules.
    pub fn backward(&self, limit: usize) -> Result<Self, TooManyRules> {
        Ok(Self {
            domains: self.domains.clone(),
            variables: self.variables.clone(),
            source_rules: self.source_rules.iter().map(SourceRule::backward).collect(),
            rules: self.backward_rules(limit)?,
            goals: self.goals.clone(),
        })
    }

    /// Make the game with the same rules and these goals.
    pub fn with_goals(&self, goals: impl IntoIterator<Item = Goal>) -> Self {
        Self {
            goals: goals.into_iter().collect(),
            ..self.clone()
        }
    }

    /// Make the game with the same rules and these goal states.
    pub fn with_goal_states<'s>(&self, states: impl IntoIterator<Item = &'s State>) -> Self {
        let goal = |state: &State| {
            let values = state.values().iter();
            let terms: Vec<Term> = values.map(|value| Term::constant(*value)).collect();
            Goal::new(&terms, None)
        };
        self.with_goals(states.into_iter().map(goal))
    }

    /// Make the game with the same goals and the rules whose labels stay, in their order.
    pub fn with_rules_labeled(&self, stays: impl Fn(&str) -> bool) -> Self {
        let rules = self.source_rules.iter().enumerate();
        let (kept, source_rules): (Vec<usize>, Vec<SourceRule>) = rules
            .filter(|(_, rule)| stays(&rule.label))
            .map(|(place, rule)| (place, rule.clone()))
            .unzip();
        let with_place = |rule: &Rule| {
            let source = kept.binary_search(&rule.source).ok()?;
            Some(Rule {
                source,
                ..rule.clone()
            })
        };
        Self {
            rules: self.rules.iter().filter_map(with_place).collect(),
            source_rules,
            ..self.clone()
        }
    }

    /// Return a fingerprint of everything that an analysis of rule sequences depends on: domains,
    /// variables, and the rules with their order, costs and labels. Goals don't count.
    ///
    /// Files that belong to a game carry it, so that they are not used with another.
    pub fn content_hash(&self) -> ContentHash {
        let mut hasher = Sha256::new();
        let mut number = |n: u64| hasher.update(n.to_le_bytes());
        number(1); // version of this encoding
        number(self.variables.len() as u64);
        for domain in &self.variables {
            number(u64::from(domain.0));
            number(self.domain(*domain).size() as u64);
        }
        number(self.rules.len() as u64);
        for rule in &self.rules {
            number(rule.canonical.cost());
            for term in rule
                .canonical
                .preconditions()
                .iter()
                .chain(rule.canonical.actions())
            {
                number(u64::from(term.to_bits()));
            }
            number(rule.label.len() as u64);
        }
        for rule in &self.rules {
            hasher.update(rule.label.to_ascii_lowercase().as_bytes());
        }
        for domain in &self.domains {
            for value in domain.values() {
                hasher.update(value.to_ascii_lowercase().as_bytes());
                hasher.update([0]);
            }
        }
        ContentHash(hasher.finalize().into())
    }

    /// Return a term of position `position` as text: a value's name, or `x3`.
    pub fn format_term(&self, position: VarId, term: Term) -> String {
        match term.kind() {
            TermKind::Constant(value) => self.domain_of(position).value_name(value).to_owned(),
            TermKind::Variable(var) => format!("x{}", var.0 + 1),
        }
    }

    /// Return a fact as text, such as `x3 = red`; with the number of the value where the game has
    /// no name for it.
    pub fn format_fact(&self, position: VarId, value: Value) -> String {
        let exists = position.index() < self.n_variables()
            && value.index() < self.domain_of(position).size();
        let value = if exists {
            self.domain_of(position).value_name(value).to_owned()
        } else {
            value.index().to_string()
        };
        format!("x{} = {value}", position.0 + 1)
    }

    /// Return an equation as text, such as `x3 = red` or `x3 = x1`.
    pub fn format_equation(&self, equation: &Equation) -> String {
        let Equation { position, term } = *equation;
        format!("x{} = {}", position.0 + 1, self.format_term(position, term))
    }

    /// Return a vector of terms as text, such as `0 1 x3 x4`.
    pub fn format_terms(&self, terms: &[Term]) -> String {
        let terms: Vec<String> = terms
            .iter()
            .enumerate()
            .map(|(i, term)| self.format_term(VarId::from_index(i), *term))
            .collect();
        terms.join(" ")
    }

    /// Return a rule or macro-rule in the notation of the 2011 paper: `<0 1 x3> -> <1 0 x3>`.
    pub fn format_rule(&self, rule: &CanonicalRule) -> String {
        format!(
            "<{}> -> <{}>",
            self.format_terms(rule.preconditions()),
            self.format_terms(rule.actions())
        )
    }
}

/// A game's fingerprint (SHA-256), printed as hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContentHash(pub [u8; 32]);

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

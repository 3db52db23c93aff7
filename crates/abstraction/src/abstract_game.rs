//! The abstract game of a game under an abstraction.

use psvn_ir::{
    BuildError, CanonicalRule, Cell, Domain, DomainId, Game, GameBuilder, RuleId, SymbolId, Term,
    TermKind, Value, VarId,
};

use crate::abstract_rules::{Numbering, Origin, RuleCounts, abstract_rules, count_rules};
use crate::cost_partition::Share;
use crate::error::AbstractionError;
use crate::map::Abstraction;

/// The default limit on the number of rules of an abstract game.
pub const DEFAULT_RULE_LIMIT: usize = 2_000_000;

/// The size of an abstract game, known before anything is built for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// The number of variables.
    pub n_variables: usize,
    /// The number of different rules.
    pub n_rules: usize,
    /// The number of combinations of values: an upper bound on the number of states. `None` beyond
    /// 128 bits.
    pub n_combinations: Option<u128>,
}

/// A game under an [`Abstraction`]: itself a game, with its relation to the concrete one.
///
/// For each step of the concrete game from a state s to a state t, either both have the same
/// [abstract state](Self::abstract_state), or a rule of no greater cost leads from that of s to
/// that of t. Abstract states of goal states are goal states. So least costs are lower bounds.
///
/// Variables that are dropped, or have only one abstract value, are not variables of the abstract
/// game.
#[derive(Clone, Debug)]
pub struct AbstractGame {
    game: Game,
    numbering: Numbering,
    /// By concrete variable kept: its domain.
    domains: Vec<usize>,
    origins: Vec<Box<[RuleId]>>,
}

impl AbstractGame {
    /// Build the abstract game with the full cost of each rule.
    ///
    /// # Errors
    /// If the abstraction doesn't fit the game, or there are too many rules.
    pub fn new(game: &Game, abstraction: &Abstraction) -> Result<Self, AbstractionError> {
        Self::with_share(game, abstraction, &Share::Full, DEFAULT_RULE_LIMIT)
    }

    /// Build the abstract game with rule costs given by the share, with at most `limit` rules.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn with_share(
        game: &Game,
        abstraction: &Abstraction,
        share: &Share<'_>,
        limit: usize,
    ) -> Result<Self, AbstractionError> {
        if !abstraction.fits(game) {
            return Err(AbstractionError::OtherGame);
        }
        let numbering = numbering(game, abstraction);
        let rules = abstract_rules(game, &numbering, share, limit)?;
        Self::of_parts(game, abstraction, numbering, rules)
    }

    /// Build the abstract game without its rules: variables, values and goals only. Its size
    /// doesn't depend on the number of rules.
    ///
    /// # Errors
    /// If the abstraction doesn't fit the game.
    pub fn without_rules(game: &Game, abstraction: &Abstraction) -> Result<Self, AbstractionError> {
        if !abstraction.fits(game) {
            return Err(AbstractionError::OtherGame);
        }
        Self::of_parts(game, abstraction, numbering(game, abstraction), Vec::new())
    }

    /// Return an upper bound on the number of rules of the abstract game with full costs. No rules
    /// are made.
    ///
    /// # Errors
    /// If the abstraction doesn't fit the game.
    pub fn count_rules(
        game: &Game,
        abstraction: &Abstraction,
    ) -> Result<RuleCounts, AbstractionError> {
        if !abstraction.fits(game) {
            return Err(AbstractionError::OtherGame);
        }
        Ok(count_rules(game, &numbering(game, abstraction)))
    }

    fn of_parts(
        game: &Game,
        abstraction: &Abstraction,
        numbering: Numbering,
        rules: Vec<Origin>,
    ) -> Result<Self, AbstractionError> {
        let mut builder = GameBuilder::new();
        builder.rule_limit(rules.len());
        let domains = abstract_domains(game, abstraction)?.into_iter();
        let ids: Vec<_> = domains.map(|domain| builder.domain(domain)).collect();
        let mut own_domains = Vec::with_capacity(numbering.variables.len());
        for var in &numbering.variables {
            let domain = game.variables()[var.index()];
            builder.variable(ids[domain.index()]);
            own_domains.push(domain.index());
        }
        let mut origins = Vec::with_capacity(rules.len());
        for (rule, origin) in rules {
            let label = &game.rule(origin[0]).label;
            let (lhs, rhs) = cells(&rule);
            builder.rule(Some(label), lhs, rhs, rule.cost());
            origins.push(origin.into());
        }
        for goal in game.goals() {
            let conditions = numbering.conditions(game, goal.conditions());
            builder.goal(conditions.iter().map(|term| cell(*term)).collect());
        }
        Ok(Self {
            game: builder.build()?,
            numbering,
            domains: own_domains,
            origins,
        })
    }

    /// Return the rules of the concrete game that lead from one abstract state to several: they
    /// copy a variable that is dropped, so that its value isn't known. In a tile puzzle with
    /// dropped squares, any tile may slide out of them.
    ///
    /// The abstract game then has a rule for each value. Its costs are still lower bounds, but they
    /// may be much lower than those of the concrete game, and abstract states may be reachable that
    /// are not the image of any concrete state.
    ///
    /// # Panics
    /// If this game was made from another one.
    pub fn nondeterministic_rules(&self, game: &Game) -> Vec<RuleId> {
        let is_loose = |rule: &CanonicalRule| {
            let known = self.numbering.first_kept(rule.preconditions());
            let mut kept = self.numbering.variables.iter();
            kept.any(|var| {
                let source = rule.actions()[var.index()].as_variable();
                source.is_some_and(|source| known[source.index()].is_none())
            })
        };
        let rules = game.rules_with_ids();
        let loose = rules.filter(|(_, rule)| is_loose(&rule.canonical));
        loose.map(|(id, _)| id).collect()
    }

    /// Return the abstract game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Return the concrete rules that an abstract rule represents; never empty. Its label is that
    /// of the first one.
    pub fn concrete_rules(&self, rule: RuleId) -> &[RuleId] {
        &self.origins[rule.index()]
    }

    /// Return the concrete variable of each abstract variable.
    pub fn variables(&self) -> &[VarId] {
        &self.numbering.variables
    }

    /// Return the abstract value of a concrete value at an abstract variable.
    #[inline]
    pub fn value(&self, var: VarId, value: Value) -> Value {
        self.numbering.values[self.domains[var.index()]][value.index()]
    }

    /// Return the abstract values of all concrete values at an abstract variable.
    pub fn values(&self, var: VarId) -> &[Value] {
        &self.numbering.values[self.domains[var.index()]]
    }

    /// Return the abstract state of a concrete one.
    ///
    /// # Panics
    /// If the state belongs to another game.
    pub fn abstract_state(&self, state: &[Value]) -> Box<[Value]> {
        let kept = self.numbering.variables.iter().enumerate();
        kept.map(|(i, var)| self.value(VarId::from_index(i), state[var.index()]))
            .collect()
    }

    /// Return the size of the abstract game.
    pub fn statistics(&self) -> Statistics {
        let mut combinations = Some(1_u128);
        for domain in self.game.variables() {
            let size = self.game.domain(*domain).size() as u128;
            combinations = combinations.and_then(|product| product.checked_mul(size));
        }
        Statistics {
            n_variables: self.game.n_variables(),
            n_rules: self.game.rules().len(),
            n_combinations: combinations,
        }
    }
}

/// Return the images of a domain's values, each once, in order.
fn distinct_images(abstraction: &Abstraction, domain: DomainId) -> Vec<Value> {
    let mut distinct = abstraction.images(domain).to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    distinct
}

fn numbering(game: &Game, abstraction: &Abstraction) -> Numbering {
    let (mut values, mut sizes) = (Vec::new(), Vec::new());
    for domain in (0..game.domains().len()).map(DomainId::from_index) {
        let distinct = distinct_images(abstraction, domain);
        let place = |image: &Value| {
            let place = distinct.binary_search(image);
            Value::from_index(place.expect("the list has all images"))
        };
        let images = abstraction.images(domain).iter();
        values.push(images.map(place).collect::<Box<[Value]>>());
        sizes.push(distinct.len());
    }
    let mut variables = Vec::new();
    let mut position = vec![None; game.n_variables()];
    for (i, domain) in game.variables().iter().enumerate() {
        let var = VarId::from_index(i);
        if abstraction.is_kept(var) && sizes[domain.index()] > 1 {
            position[i] = Some(VarId::from_index(variables.len()));
            variables.push(var);
        }
    }
    Numbering {
        variables,
        position,
        values,
        sizes,
    }
}

/// Return the domains of the images. The names of a large domain take many bytes, so a domain
/// whose values all stay apart is shared.
fn abstract_domains(game: &Game, abstraction: &Abstraction) -> Result<Vec<Domain>, BuildError> {
    let of_images = |(number, domain): (usize, &Domain)| {
        let distinct = distinct_images(abstraction, DomainId::from_index(number));
        if distinct.len() == domain.size() {
            return Ok(domain.clone());
        }
        let names = distinct.iter().map(|value| domain.value_name(*value));
        Ok(Domain::new(domain.name(), names)?)
    };
    game.domains().iter().enumerate().map(of_images).collect()
}

fn cell(term: Term) -> Cell {
    match term.kind() {
        TermKind::Constant(value) => Cell::constant(value),
        TermKind::Variable(var) => Cell::symbol(SymbolId(var.0)),
    }
}

/// Return the two sides of a canonical rule.
fn cells(rule: &CanonicalRule) -> (Vec<Cell>, Vec<Cell>) {
    let side = |terms: &[Term]| terms.iter().map(|term| cell(*term)).collect();
    (side(rule.preconditions()), side(rule.actions()))
}

//! The game that a game becomes under an abstraction.

use psvn_ir::{
    BuildError, CanonicalRule, Cell, Domain, Game, GameBuilder, RuleId, SymbolId, Term, TermKind,
    Value, VarId,
};

use crate::abstract_rules::{Numbering, Origin, RuleCounts, abstract_rules, count_rules};
use crate::cost_partition::Share;
use crate::error::AbstractionError;
use crate::map::Abstraction;

/// The most rules that an abstract game may have by default.
pub const DEFAULT_RULE_LIMIT: usize = 2_000_000;

/// How large an abstract game is, known before anything is built for it.
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

/// A game under an [`Abstraction`]: a game again, with the way back to the concrete one.
///
/// For each step of the concrete game from a state s to a state t, either both have the same
/// [abstract state](Self::abstract_state), or a rule of no greater cost leads from that of s to
/// that of t. Abstract states of goal states are goal states. So least costs are lower bounds.
///
/// Variables that are dropped, or have one abstract value only, are no variables of the abstract
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
    /// The abstract game in which each rule costs what it costs.
    ///
    /// # Errors
    /// When the abstraction doesn't fit the game, or there are too many rules.
    pub fn new(game: &Game, abstraction: &Abstraction) -> Result<Self, AbstractionError> {
        Self::with_share(game, abstraction, &Share::Full, DEFAULT_RULE_LIMIT)
    }

    /// The abstract game in which rules cost what the share says, with at most `limit` rules.
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
        let (numbering, domains) = numbering(game, abstraction)?;
        let rules = abstract_rules(game, &numbering, share, limit)?;
        Self::of_parts(game, numbering, &domains, rules)
    }

    /// The abstract game without its rules: variables, values and goals only. Nothing in it grows
    /// with the number of rules.
    ///
    /// # Errors
    /// When the abstraction doesn't fit the game.
    pub fn without_rules(game: &Game, abstraction: &Abstraction) -> Result<Self, AbstractionError> {
        if !abstraction.fits(game) {
            return Err(AbstractionError::OtherGame);
        }
        let (numbering, domains) = numbering(game, abstraction)?;
        Self::of_parts(game, numbering, &domains, Vec::new())
    }

    /// At most how many rules the abstract game has in which each rule costs what it costs. None is
    /// made.
    ///
    /// # Errors
    /// When the abstraction doesn't fit the game.
    pub fn count_rules(
        game: &Game,
        abstraction: &Abstraction,
    ) -> Result<RuleCounts, AbstractionError> {
        if !abstraction.fits(game) {
            return Err(AbstractionError::OtherGame);
        }
        let (numbering, _) = numbering(game, abstraction)?;
        Ok(count_rules(game, &numbering))
    }

    fn of_parts(
        game: &Game,
        numbering: Numbering,
        domains: &[Domain],
        rules: Vec<Origin>,
    ) -> Result<Self, AbstractionError> {
        let mut builder = GameBuilder::new();
        builder.rule_limit(rules.len());
        let ids: Vec<_> = domains
            .iter()
            .map(|domain| builder.domain(domain.clone()))
            .collect();
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

    /// The rules of the concrete game that lead from one abstract state to several: they copy a
    /// variable that is dropped, so that its value isn't known. In a tile puzzle where squares are
    /// dropped, it is any tile that may slide out of them.
    ///
    /// The abstract game has a rule for each value then. Its costs are lower bounds all the same,
    /// but they may be much lower than those of the concrete game, and abstract states may be
    /// reached that no concrete state is mapped to.
    ///
    /// # Panics
    /// When it isn't the game that this one was made from.
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

    /// The abstract game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The concrete rules that an abstract rule stands for; never empty. Its label is that of the
    /// first one.
    pub fn concrete_rules(&self, rule: RuleId) -> &[RuleId] {
        &self.origins[rule.index()]
    }

    /// The concrete variable of each abstract variable.
    pub fn variables(&self) -> &[VarId] {
        &self.numbering.variables
    }

    /// The abstract value of a concrete value at an abstract variable.
    #[inline]
    pub fn value(&self, var: VarId, value: Value) -> Value {
        self.numbering.values[self.domains[var.index()]][value.index()]
    }

    /// The abstract values of all concrete values at an abstract variable.
    pub fn values(&self, var: VarId) -> &[Value] {
        &self.numbering.values[self.domains[var.index()]]
    }

    /// Return the abstract state of a concrete one.
    ///
    /// # Panics
    /// When the state belongs to another game.
    pub fn abstract_state(&self, state: &[Value]) -> Box<[Value]> {
        let kept = self.numbering.variables.iter().enumerate();
        kept.map(|(i, var)| self.value(VarId::from_index(i), state[var.index()]))
            .collect()
    }

    /// How large the abstract game is.
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

fn numbering(
    game: &Game,
    abstraction: &Abstraction,
) -> Result<(Numbering, Vec<Domain>), BuildError> {
    let (mut values, mut sizes, mut domains) = (Vec::new(), Vec::new(), Vec::new());
    for (number, domain) in game.domains().iter().enumerate() {
        let images = abstraction.images(psvn_ir::DomainId::from_index(number));
        let mut distinct = images.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let place = |image: &Value| {
            let place = distinct.binary_search(image);
            Value::from_index(place.expect("the list has all images"))
        };
        values.push(images.iter().map(place).collect::<Box<[Value]>>());
        sizes.push(distinct.len());
        let names = distinct.iter().map(|value| domain.value_name(*value));
        domains.push(Domain::new(domain.name(), names)?);
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
    let numbering = Numbering {
        variables,
        position,
        values,
        sizes,
    };
    Ok((numbering, domains))
}

fn cell(term: Term) -> Cell {
    match term.kind() {
        TermKind::Constant(value) => Cell::constant(value),
        TermKind::Variable(var) => Cell::symbol(SymbolId(var.0)),
    }
}

/// The two sides of a canonical rule.
fn cells(rule: &CanonicalRule) -> (Vec<Cell>, Vec<Cell>) {
    let side = |terms: &[Term]| terms.iter().map(|term| cell(*term)).collect();
    (side(rule.preconditions()), side(rule.actions()))
}

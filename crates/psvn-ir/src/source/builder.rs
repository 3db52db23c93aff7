//! Building a game in code.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use ahash::RandomState;

use crate::game::Game;
use crate::game::domain::{Domain, DomainError};
use crate::game::goal::Goal;
use crate::ids::{DomainId, SymbolId, Value, VarId};
use crate::rule::term::Term;
use crate::shared::near::near_miss;
use crate::source::cell::{Cell, CellKind, SourceRule};
use crate::source::expand::{ExpandError, TooManyRules, instances};
use crate::source::limits::{DEFAULT_RULE_LIMIT, RULES_BETWEEN_CHECKS};

/// Why a game can't be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A domain is not valid.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// A side of a rule or a goal doesn't have one entry for each variable.
    #[error("{what} has {found} entries, and the game has {expected} variables")]
    Length {
        /// Which rule or goal.
        what: String,
        /// The number of variables.
        expected: usize,
        /// The number of entries.
        found: usize,
    },
    /// A constant lies outside its position's domain, or a symbol is at positions of two domains.
    #[error("{what}: entry {} doesn't fit its domain", position + 1)]
    Mismatch {
        /// Which rule or goal.
        what: String,
        /// The position, counted from 0.
        position: usize,
    },
    /// A rule costs more than [`MAX_COST`].
    #[error("rule `{label}` costs {cost}, and the greatest cost of a rule is {MAX_COST}")]
    Cost {
        /// The rule's label.
        label: String,
        /// Its cost.
        cost: u64,
    },
    /// The unbound symbols of a rule make too many rules.
    #[error("rule `{label}`: {error}")]
    TooManyRules {
        /// The rule's label.
        label: String,
        /// The numbers.
        error: TooManyRules,
    },
    /// `stop` ended the expansion.
    #[error("the rules were not expanded to the end")]
    Stopped,
}

/// The greatest cost of a rule. It keeps costs of sequences exact in 64 bits, since a stored
/// sequence has fewer than 2^32 rules.
pub const MAX_COST: u64 = u32::MAX as u64;

/// Collects the parts of a game and turns them into a [`Game`].
///
/// ```
/// use psvn_ir::{Cell, Domain, GameBuilder, Value};
///
/// let mut builder = GameBuilder::new();
/// let bit = builder.domain(Domain::new("bit", ["off", "on"])?);
/// let lamp = builder.variable(bit);
/// assert_eq!(lamp.index(), 0);
/// let (off, on) = (Cell::constant(Value(0)), Cell::constant(Value(1)));
/// builder.rule(Some("SWITCH_ON"), vec![off], vec![on], 1);
/// builder.goal(vec![on]);
/// let game = builder.build()?;
/// assert_eq!(game.format_rule(&game.rules()[0].canonical), "<off> -> <on>");
/// # Ok::<(), psvn_ir::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameBuilder {
    pub(crate) domains: Vec<Domain>,
    pub(crate) variables: Vec<DomainId>,
    pub(crate) rules: Vec<SourceRule>,
    pub(crate) goals: Vec<(Vec<Cell>, Option<psvn_syntax::Span>)>,
    rule_limit: usize,
    /// The values that symbols look like, as far as looked up: a look-up takes time in proportion
    /// to the size of the domain, and rules share their symbols.
    #[cfg_attr(not(feature = "text"), allow(dead_code, reason = "only text needs it"))]
    near_values: RefCell<HashMap<(String, DomainId), Option<Value>, RandomState>>,
    /// The domains of the variables, each once, in order of first use; computed on demand.
    #[cfg_attr(not(feature = "text"), allow(dead_code, reason = "only text needs it"))]
    used_domains: OnceCell<Vec<DomainId>>,
}

impl Default for GameBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl GameBuilder {
    /// A game without variables and rules.
    pub fn new() -> Self {
        Self {
            domains: Vec::new(),
            variables: Vec::new(),
            rules: Vec::new(),
            goals: Vec::new(),
            rule_limit: DEFAULT_RULE_LIMIT,
            near_values: RefCell::default(),
            used_domains: OnceCell::new(),
        }
    }

    /// Set the most rules that the game may have after expansion ([`DEFAULT_RULE_LIMIT`] if not
    /// called).
    pub fn rule_limit(&mut self, limit: usize) -> &mut Self {
        self.rule_limit = limit;
        self
    }

    /// Add a domain.
    pub fn domain(&mut self, domain: Domain) -> DomainId {
        self.domains.push(domain);
        DomainId::from_index(self.domains.len() - 1)
    }

    /// Add a variable.
    pub fn variable(&mut self, domain: DomainId) -> VarId {
        self.variables.push(domain);
        VarId::from_index(self.variables.len() - 1)
    }

    /// Add a rule; without a label it is called `rule_N`.
    pub fn rule(
        &mut self,
        label: Option<&str>,
        lhs: Vec<Cell>,
        rhs: Vec<Cell>,
        cost: u64,
    ) -> &mut Self {
        let label = match label {
            Some(label) => Arc::from(label),
            None => self.default_label(),
        };
        self.rules.push(SourceRule {
            label,
            lhs: lhs.into(),
            rhs: rhs.into(),
            cost,
            span: None,
        });
        self
    }

    /// The value of a domain that a symbol was probably meant to be.
    #[cfg_attr(not(feature = "text"), allow(dead_code, reason = "only text needs it"))]
    pub(crate) fn near_value(&self, symbol: &str, domain: DomainId) -> Option<&str> {
        let values = self.domains[domain.index()].values();
        let mut known = self.near_values.borrow_mut();
        let near = known.entry((symbol.to_owned(), domain)).or_insert_with(|| {
            let near = near_miss(symbol, values)?;
            self.domains[domain.index()].lookup(near)
        });
        near.map(|value| values[value.index()].as_str())
    }

    /// The domains of the variables, each once. Variables must not be added after the first call.
    #[cfg_attr(not(feature = "text"), allow(dead_code, reason = "only text needs it"))]
    pub(crate) fn used_domains(&self) -> &[DomainId] {
        self.used_domains.get_or_init(|| {
            let mut seen = vec![false; self.domains.len()];
            let is_new = |id: &DomainId| !std::mem::replace(&mut seen[id.index()], true);
            self.variables.iter().copied().filter(is_new).collect()
        })
    }

    /// The label of the next rule if it is given none.
    pub(crate) fn default_label(&self) -> Arc<str> {
        Arc::from(format!("rule_{}", self.rules.len() + 1))
    }

    /// Add a goal condition; several are alternatives.
    pub fn goal(&mut self, cells: Vec<Cell>) -> &mut Self {
        self.goals.push((cells, None));
        self
    }

    /// Return the game.
    ///
    /// # Errors
    /// When the parts don't fit together, or there are too many rules.
    pub fn build(self) -> Result<Game, BuildError> {
        self.build_unless(&|| false)
    }

    /// Like [`build`](Self::build), but end early when `stop` returns true.
    pub(crate) fn build_unless(self, stop: &dyn Fn() -> bool) -> Result<Game, BuildError> {
        let mut game = Game {
            domains: self.domains,
            variables: self.variables,
            source_rules: self.rules,
            rules: Vec::new(),
            goals: Vec::new(),
        };
        let mut homes = HashMap::default();
        for (number, rule) in game.source_rules.iter().enumerate() {
            if number % RULES_BETWEEN_CHECKS == 0 && stop() {
                return Err(BuildError::Stopped);
            }
            if rule.cost > MAX_COST {
                return Err(BuildError::Cost {
                    label: rule.label.to_string(),
                    cost: rule.cost,
                });
            }
            let what = || format!("rule `{}`", rule.label);
            check_cells(&game, what, &[&rule.lhs, &rule.rhs], &mut homes)?;
        }
        let domain_size = |var| game.domain_of(var).size();
        let rules = instances(&game.source_rules, domain_size, self.rule_limit, stop);
        game.rules = rules.map_err(|error| match error {
            ExpandError::Stopped => BuildError::Stopped,
            ExpandError::TooMany { source, error } => BuildError::TooManyRules {
                label: game.source_rules[source].label.to_string(),
                error,
            },
        })?;
        for (cells, span) in self.goals {
            check_cells(&game, || "a goal".to_owned(), &[&cells], &mut homes)?;
            game.goals.push(Goal::new(&goal_terms(&cells), span));
        }
        Ok(game)
    }
}

/// The conditions of a goal, repeated symbols tied to their first position.
fn goal_terms(cells: &[Cell]) -> Vec<Term> {
    let mut first: HashMap<SymbolId, VarId, RandomState> = HashMap::default();
    cells
        .iter()
        .enumerate()
        .map(|(i, cell)| match cell.kind {
            CellKind::Constant(value) => Term::constant(value),
            CellKind::Symbol(symbol) => {
                Term::variable(*first.entry(symbol).or_insert(VarId::from_index(i)))
            }
            CellKind::Dash => Term::variable(VarId::from_index(i)),
        })
        .collect()
}

/// Check the cells of a rule or a goal. `homes` is scratch space for the domains of its symbols.
fn check_cells(
    game: &Game,
    what: impl Fn() -> String,
    sides: &[&[Cell]],
    homes: &mut HashMap<SymbolId, DomainId, RandomState>,
) -> Result<(), BuildError> {
    let expected = game.n_variables();
    homes.clear();
    for side in sides {
        if side.len() != expected {
            return Err(BuildError::Length {
                what: what(),
                expected,
                found: side.len(),
            });
        }
        for (position, (cell, domain)) in side.iter().zip(&game.variables).enumerate() {
            let fits = match cell.kind {
                CellKind::Dash => true,
                CellKind::Constant(value) => value.index() < game.domain(*domain).size(),
                CellKind::Symbol(symbol) => homes.entry(symbol).or_insert(*domain) == domain,
            };
            if !fits {
                return Err(BuildError::Mismatch {
                    what: what(),
                    position,
                });
            }
        }
    }
    Ok(())
}

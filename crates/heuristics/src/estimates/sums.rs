//! Sums over variables, least over the goal conditions, times a ratio.

use budget::Watch;
use psvn_ir::{CanonicalRule, Game, RuleId, Term, TermKind, Value, VarId};
use search::{Cell, DEAD_END, IncrementalHeuristic, ValueSums, in_wide_cells};

use crate::effort::Effort;
use crate::refusal::Refusal;

/// The weight of one unit of a sum: a fraction of two positive numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// The numerator.
    pub numerator: u64,
    /// The denominator, not 0.
    pub denominator: u64,
}

impl Ratio {
    /// The weight 1.
    pub const ONE: Self = Self {
        numerator: 1,
        denominator: 1,
    };

    /// Make a fraction in lowest terms.
    fn new(numerator: u64, denominator: u64) -> Self {
        let divisor = psvn_ir::common_divisor([numerator, denominator]).max(1);
        Self {
            numerator: numerator / divisor,
            denominator: denominator / divisor,
        }
    }

    /// Return the fraction as a floating-point number.
    pub(crate) fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// Return a weighted sum, rounded up: costs are whole numbers. Never [`DEAD_END`].
    #[inline]
    pub(crate) fn times(self, sum: u64) -> u64 {
        let product = sum.saturating_mul(self.numerator);
        let worth = if self.denominator == 1 {
            product
        } else {
            product.div_ceil(self.denominator)
        };
        worth.min(DEAD_END - 1)
    }

    /// Return the largest admissible weight of a unit, if each rule removes at most a given number
    /// of units. A path to a goal has to remove all units, at that cost for each, so no estimate is
    /// too high.
    ///
    /// # Errors
    /// If a rule removes a unit and costs nothing.
    pub(crate) fn largest(
        game: &Game,
        mut taken_away: impl FnMut(RuleId, &CanonicalRule) -> Result<u64, Refusal>,
        what: &str,
    ) -> Result<Self, Refusal> {
        let mut least: Option<Self> = None;
        for (id, rule) in game.rules_with_ids() {
            let n = taken_away(id, &rule.canonical)?;
            if n == 0 {
                continue;
            }
            let cost = rule.canonical.cost();
            if cost == 0 {
                return Err(Refusal::rule(
                    game,
                    id,
                    format!("costs nothing and may put {n} {what} right"),
                ));
            }
            let ratio = Self::new(cost, n);
            let less = |than: &Self| {
                u128::from(ratio.numerator) * u128::from(than.denominator)
                    < u128::from(than.numerator) * u128::from(ratio.denominator)
            };
            if least.as_ref().is_none_or(less) {
                least = Some(ratio);
            }
        }
        Ok(least.unwrap_or(Self::ONE))
    }
}

/// Return the largest amount by which a rule may lower a sum, over all states that it applies to; 0
/// if it never does.
///
/// The values of different unknowns are assumed to be independent of each other, so it is an upper
/// bound.
pub fn largest_drop(game: &Game, rule: &CanonicalRule, sums: &ValueSums) -> u64 {
    let watch = Watch::default();
    let drop = Drops::new(game, sums).largest(rule, &Effort::within(&watch));
    drop.unwrap_or_else(|_| unreachable!("without limits nothing is stopped"))
}

/// The positions from which a rule takes an unknown value, with the sign 1, and to which it brings
/// it, with the sign -1.
pub(crate) type Positions = Vec<(VarId, i64)>;

/// The largest amounts by which rules may lower a sum.
pub(crate) struct Drops<'a> {
    game: &'a Game,
    sums: &'a ValueSums,
    /// The least and the greatest number of each variable.
    extremes: Vec<(i64, i64)>,
}

impl<'a> Drops<'a> {
    pub(crate) fn new(game: &'a Game, sums: &'a ValueSums) -> Self {
        let of_var = |var: VarId| {
            let values = (0..game.domain_of(var).size() as u32).map(Value);
            let numbers = values.map(|value| i64::from(sums.number(var, value)));
            numbers.fold((i64::MAX, 0), |(least, most), it| {
                (least.min(it), most.max(it))
            })
        };
        let vars = (0..game.n_variables()).map(VarId::from_index);
        Self {
            game,
            sums,
            extremes: vars.map(of_var).collect(),
        }
    }

    /// Return the greatest numbers of all variables together.
    pub(crate) fn most(&self) -> u64 {
        self.extremes
            .iter()
            .map(|(_, most)| most.unsigned_abs())
            .sum()
    }

    /// Return the drop by a rule; see [`largest_drop`].
    pub(crate) fn largest(
        &self,
        rule: &CanonicalRule,
        effort: &Effort<'_>,
    ) -> Result<u64, Refusal> {
        let change = self.least_change(rule, effort)?;
        Ok(change.min(0).unsigned_abs())
    }

    /// Return the least amount that a rule adds to the sum, below 0 if it may lower it.
    pub(crate) fn least_change(
        &self,
        rule: &CanonicalRule,
        effort: &Effort<'_>,
    ) -> Result<i64, Refusal> {
        let Moved {
            constants,
            unknowns,
        } = Moved::by(rule);
        let of_constant = |(position, value, sign): &(VarId, Value, i64)| {
            sign * i64::from(self.sums.number(*position, *value))
        };
        let mut drop: i64 = constants.iter().map(of_constant).sum();
        for (var, parts) in unknowns {
            drop += match parts[..] {
                [(position, sign)] => {
                    let (least, most) = self.extremes[position.index()];
                    if sign > 0 { most } else { -least }
                }
                _ => {
                    let values = 0..self.game.domain_of(var).size() as u32;
                    effort.spend(values.len() * parts.len(), 0)?;
                    let of_value = |value| -> i64 {
                        let number = |position| self.sums.number(position, Value(value));
                        let parts = parts.iter();
                        parts
                            .map(|(position, sign)| sign * i64::from(number(*position)))
                            .sum()
                    };
                    values.map(of_value).max().unwrap_or(0)
                }
            };
        }
        effort.spend(rule.preconditions().len(), 0)?;
        Ok(-drop)
    }
}

/// What a rule takes away, with the sign 1, and brings, with the sign -1.
pub(crate) struct Moved {
    /// The constants at the positions that it changes.
    pub(crate) constants: Vec<(VarId, Value, i64)>,
    /// For each unknown value, by its first position: the positions where it changes.
    pub(crate) unknowns: Vec<(VarId, Positions)>,
}

impl Moved {
    pub(crate) fn by(rule: &CanonicalRule) -> Self {
        let mut constants = Vec::new();
        let mut unknowns: Vec<(VarId, Positions)> = Vec::new();
        for (position, action) in rule.changes() {
            for (term, sign) in [(rule.preconditions()[position.index()], 1), (action, -1)] {
                match term.kind() {
                    TermKind::Constant(value) => constants.push((position, value, sign)),
                    TermKind::Variable(var) => {
                        match unknowns.iter_mut().find(|(it, _)| *it == var) {
                            Some((_, parts)) => parts.push((position, sign)),
                            None => unknowns.push((var, vec![(position, sign)])),
                        }
                    }
                }
            }
        }
        Self {
            constants,
            unknowns,
        }
    }
}

/// Pairs of variables that must be equal.
pub(crate) type Ties = Box<[(VarId, VarId)]>;

/// A sum over the variables for each goal condition, of which the least one counts, times a ratio.
///
/// `manhattan`, [`misplaced`](crate::misplaced) and
/// [`goal_count`](crate::goal_count) are of this form.
#[derive(Clone, Debug)]
pub struct GoalSums {
    /// One for each goal condition.
    sums: Vec<ValueSums>,
    /// For each goal condition the pairs of variables that must be equal, each counting 1.
    ties: Vec<Ties>,
    /// Sums with 1 for each value that can no longer be put right, if there are any.
    dead: Vec<ValueSums>,
    ratio: Ratio,
    /// The variables that each rule changes.
    changed: Vec<Box<[VarId]>>,
    /// Whether the sum of a child is computed from that of its parent.
    follows: bool,
}

impl GoalSums {
    /// Make sums, one for each goal condition.
    ///
    /// # Panics
    /// If there are none.
    pub(crate) fn new(game: &Game, sums: Vec<ValueSums>, ratio: Ratio) -> Self {
        assert!(!sums.is_empty(), "a game with a goal");
        let changed = |rule: &psvn_ir::Rule| rule.canonical.changes().map(|(var, _)| var).collect();
        Self {
            ties: vec![Box::default(); sums.len()],
            dead: Vec::new(),
            ratio,
            changed: game.rules().iter().map(changed).collect(),
            follows: sums.len() == 1,
            sums,
        }
    }

    /// Add pairs of variables that must be equal, for each goal condition, each counting 1.
    pub(crate) fn with_ties(mut self, ties: Vec<Ties>) -> Self {
        self.follows &= ties.iter().all(|ties| ties.is_empty());
        self.ties = ties;
        self
    }

    /// Add the values that can no longer be put right.
    pub(crate) fn with_dead_ends(mut self, dead: Vec<ValueSums>) -> Self {
        self.follows &= dead.is_empty();
        self.dead = dead;
        self
    }

    /// Multiply the numbers by the ratio, if it is whole, so that searches need not.
    pub(crate) fn folded(mut self, game: &Game) -> Self {
        let Ratio {
            numerator,
            denominator: 1,
        } = self.ratio
        else {
            return self;
        };
        let fits = |number: u32| u64::from(number).checked_mul(numerator)?.try_into().ok();
        let all = || self.sums.iter().flat_map(|sums| numbers(game, sums));
        let folded: bool = all().all(|(_, _, number)| fits(number).is_some_and(|_: u32| true));
        if folded && self.ties.iter().all(|ties| ties.is_empty()) {
            let times = |sums: &ValueSums| {
                ValueSums::new(game, |var, value| {
                    fits(sums.number(var, value)).unwrap_or(u32::MAX)
                })
            };
            self.sums = self.sums.iter().map(times).collect();
            self.ratio = Ratio::ONE;
        }
        self
    }

    /// Return the weight of one unit of the sums.
    pub fn ratio(&self) -> Ratio {
        self.ratio
    }

    /// Return the sums, one for each goal condition.
    pub fn sums(&self) -> &[ValueSums] {
        &self.sums
    }

    /// Return about the bytes of the tables.
    pub(crate) fn n_bytes(&self) -> usize {
        let all = self.sums.iter().chain(&self.dead);
        all.map(ValueSums::n_bytes).sum()
    }

    /// Return the sum for a goal condition; `None` if it is no longer reachable.
    #[inline]
    fn sum<C: Cell>(&self, goal: usize, state: &[C]) -> Option<u64> {
        if let Some(dead) = self.dead.get(goal)
            && dead.of(state) > 0
        {
            return None;
        }
        let ties = self.ties[goal].iter();
        let untied = ties.filter(|(a, b)| state[a.index()] != state[b.index()]);
        Some(self.sums[goal].of(state) + untied.count() as u64)
    }
}

/// Return the numbers of a sum.
fn numbers<'s>(
    game: &'s Game,
    sums: &'s ValueSums,
) -> impl Iterator<Item = (VarId, Value, u32)> + 's {
    let vars = (0..game.n_variables()).map(VarId::from_index);
    vars.flat_map(move |var| {
        let values = (0..game.domain_of(var).size() as u32).map(Value);
        values.map(move |value| (var, value, sums.number(var, value)))
    })
}

impl IncrementalHeuristic for GoalSums {
    /// The sum, if there is one goal condition.
    type Memo = u64;

    fn first(&self, state: &[u32]) -> (u64, u64) {
        let sums = (0..self.sums.len()).filter_map(|goal| self.sum(goal, state));
        match sums.min() {
            Some(sum) => (self.ratio.times(sum), sum),
            None => (DEAD_END, 0),
        }
    }

    fn next(&self, rule: RuleId, parent: &[u8], memo: &u64, child: &[u8]) -> (u64, u64) {
        if !self.follows {
            return in_wide_cells(child, |child| self.first(child));
        }
        let sums = &self.sums[0];
        let number =
            |state: &[u8], var: VarId| u64::from(sums.number(var, state[var.index()].value()));
        let mut sum = *memo;
        for var in &self.changed[rule.index()] {
            sum = sum + number(child, *var) - number(parent, *var);
        }
        (self.ratio.times(sum), sum)
    }

    fn value_sums(&self) -> Option<&ValueSums> {
        (self.follows && self.ratio == Ratio::ONE).then(|| &self.sums[0])
    }
}

/// Return the pairs of variables that a goal condition requires to be equal without naming their
/// value.
pub(crate) fn ties(conditions: &[Term]) -> Ties {
    let tie = |(i, term): (usize, &Term)| {
        let var = term.as_variable()?;
        (var.index() != i).then(|| (VarId::from_index(i), var))
    };
    conditions.iter().enumerate().filter_map(tie).collect()
}

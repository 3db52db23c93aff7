//! Predecessors by look-up: for rules that act on the digits of a rank one by one.
//!
//! A rule applies if each digit allows it, so the applicable rules are an intersection of sets of
//! rules, one set for each few digits that rules test. The change of the rank is a sum over the
//! digits that the rule changes.

use std::iter::zip;

use psvn_ir::CanonicalRule;

use super::effects::{Table, effects};
use super::{Expander, Predecessor};
use crate::backward::Backward;
use crate::ranking::{Factor, Ranking};

/// The maximum number of values of a digit with a table.
const MOST_VALUES: u128 = 1 << 20;
/// The maximum number of entries of all tables together.
const MOST_ENTRIES: u128 = 1 << 26;
/// The maximum number of combined values of digits that share a table of sets of rules.
const MOST_TOGETHER: u64 = 1024;
/// The maximum number of digits whose tables are laid out side by side.
const MOST_ROWS: usize = 2;
/// No predecessor.
pub(super) const NONE: i64 = i64::MIN;

/// A digit of the rank.
#[derive(Clone, Debug)]
pub(super) struct Component {
    pub(super) factor: usize,
    pub(super) size: u64,
    pub(super) stride: u64,
    /// The divisor of the factor's rank; the quotient modulo `size` is this digit.
    pub(super) within: u64,
}

#[derive(Clone, Debug)]
struct Step {
    /// The change of the rank that doesn't depend on digits.
    always: i64,
    /// The digits whose values affect the change of the rank, with their tables.
    digits: Vec<(usize, Table)>,
    cost: u64,
}

/// The changes of the rank by all rules for a digit, side by side: adjacent ranks share all digits
/// but the last, so their look-ups are close together.
#[derive(Clone, Debug)]
struct Rows {
    size: u64,
    stride: u64,
    /// Whether there is no higher digit.
    is_highest: bool,
    /// By value of the digit, and by rule.
    sums: Vec<i64>,
}

impl Rows {
    #[inline(always)]
    fn row(&self, rank: u64, n_rules: usize) -> &[i64] {
        // A division takes as long as a rule.
        let upper = if self.stride == 1 {
            rank
        } else {
            rank / self.stride
        };
        let digit = if self.is_highest {
            upper
        } else {
            upper % self.size
        };
        &self.sums[digit as usize * n_rules..][..n_rules]
    }
}

/// Neighboring digits, and the rules that they allow.
#[derive(Clone, Debug)]
struct Tested {
    size: u64,
    stride: u64,
    /// By combined value of the digits: a set of rules, in as many words as all rules need.
    rules: Vec<u64>,
}

/// Looks up the effect of rules on each digit.
pub(crate) struct TableExpander {
    components: Vec<Component>,
    steps: Vec<Step>,
    tested: Vec<Tested>,
    /// All rules.
    all: Vec<u64>,
    /// Whether the change of the rank by some rule depends on digits.
    any_varies: bool,
    /// The tables of all steps, if few digits have tables.
    rows: Vec<Rows>,
    costs: Vec<u64>,
}

/// The scratch memory of a thread.
pub(crate) struct Scratch {
    digits: Vec<u32>,
    /// The rules that apply.
    rules: Vec<u64>,
}

impl TableExpander {
    /// Return `None` when a rule ties digits together, or the tables would be too large: more than
    /// `room` bytes, if given.
    pub(crate) fn new(ranking: &Ranking, rules: &[Backward], room: Option<u64>) -> Option<Self> {
        let mut components = Vec::new();
        let mut stride = 1;
        for (number, factor) in ranking.factors.iter().enumerate().rev() {
            // Where orientations depend on places, as with few pieces among others, both are one
            // digit.
            let sizes = match factor {
                Factor::OrientedPieces(blocks) => blocks.components().map(|sizes| sizes.to_vec()),
                _ => None,
            };
            let sizes = sizes.unwrap_or_else(|| vec![factor.size()]);
            let mut within = 1;
            for size in sizes.iter().rev() {
                if *size > MOST_VALUES {
                    return None;
                }
                let size = *size as u64;
                components.push(Component {
                    factor: number,
                    size,
                    stride,
                    within,
                });
                stride = stride.checked_mul(size)?;
                within *= size;
            }
        }
        let entries: u128 = components.iter().map(|c| u128::from(c.size)).sum();
        let entries = entries * rules.len() as u128;
        // Twice, since tables are made one by one before they are laid out side by side.
        let bytes = entries * 2 * size_of::<i64>() as u128;
        let too_many = entries > MOST_ENTRIES || room.is_some_and(|room| bytes > u128::from(room));
        if components.len() < 2 || rules.is_empty() || too_many {
            return None;
        }
        let factor_of = factor_of(ranking);
        let mut all = rules.iter().map(|backward| &backward.rule);
        if all.any(|rule| ties(rule, &factor_of)) {
            return None;
        }
        let effects = effects(ranking, &components, rules, &factor_of);
        let tested = tested(&components, &effects);
        let all = full(effects.len());
        let costs = rules.iter().map(|backward| backward.cost);
        let mut steps: Vec<Step> = effects
            .into_iter()
            .zip(costs)
            .map(|(effects, cost)| Step::new(effects, cost))
            .collect();
        let rows = rows(&components, &steps);
        if !rows.is_empty() {
            steps.iter_mut().for_each(|step| step.digits.clear());
        }
        Some(Self {
            rows,
            costs: steps.iter().map(|step| step.cost).collect(),
            any_varies: steps.iter().any(|step| !step.digits.is_empty()),
            components,
            steps,
            tested,
            all,
        })
    }
}

/// Return whether there are likely to be tables for these rules.
pub(crate) fn may_fit(ranking: &Ranking, rules: &[&CanonicalRule]) -> bool {
    let sizes = ranking.factors.iter().map(Factor::size);
    let sizes = sizes.fold(0, u128::saturating_add);
    let factor_of = factor_of(ranking);
    ranking.factors.len() > 1
        && sizes.saturating_mul(rules.len() as u128) <= MOST_ENTRIES
        && !rules.iter().any(|rule| ties(rule, &factor_of))
}

/// Return the number of the factor of each variable.
fn factor_of(ranking: &Ranking) -> Vec<usize> {
    let mut factor_of = vec![0; ranking.n_variables()];
    for (number, factor) in ranking.factors.iter().enumerate() {
        let vars = factor.vars();
        vars.iter()
            .for_each(|var| factor_of[*var as usize] = number);
    }
    factor_of
}

/// Return whether a rule ties variables of different factors together.
fn ties(rule: &CanonicalRule, factor_of: &[usize]) -> bool {
    let mut ties = rule.tests().chain(rule.changes());
    ties.any(|(var, term)| {
        let other = term.as_variable();
        other.is_some_and(|other| factor_of[var.index()] != factor_of[other.index()])
    })
}

impl Step {
    fn new(effects: Vec<(usize, Table)>, cost: u64) -> Self {
        let mut step = Self {
            always: 0,
            digits: Vec::new(),
            cost,
        };
        for (number, table) in effects {
            let mut where_applied = table.iter().filter(|change| **change != NONE);
            let first = where_applied.next().copied().unwrap_or(0);
            if where_applied.all(|change| *change == first) {
                step.always += first;
            } else {
                step.digits.push((number, table));
            }
        }
        step
    }
}

/// Return the tables of all steps digit by digit; empty if more than a few digits have tables,
/// since then most of the changes are zero.
fn rows(components: &[Component], steps: &[Step]) -> Vec<Rows> {
    let has_table = |number: &usize| {
        let mut tables = steps.iter().flat_map(|step| &step.digits);
        tables.any(|(digit, _)| digit == number)
    };
    let varying: Vec<usize> = (0..components.len()).filter(has_table).collect();
    if varying.len() > MOST_ROWS {
        return Vec::new();
    }
    let rows = varying.iter().enumerate().map(|(place, number)| {
        let component = &components[*number];
        let mut sums = Vec::with_capacity(component.size as usize * steps.len());
        for digit in 0..component.size as usize {
            sums.extend(steps.iter().map(|step| {
                let table = step.digits.iter().find(|(at, _)| at == number);
                // If the rule doesn't apply, its table isn't used.
                let varies = table.map_or(0, |(_, table)| table[digit]);
                match (place, varies) {
                    (_, NONE) => 0,
                    (0, varies) => step.always + varies,
                    (_, varies) => varies,
                }
            }));
        }
        Rows {
            size: component.size,
            stride: component.stride,
            is_highest: components
                .iter()
                .all(|other| other.stride <= component.stride),
            sums,
        }
    });
    rows.collect()
}

/// Return the set of all of `n` rules.
fn full(n: usize) -> Vec<u64> {
    let mut words = vec![u64::MAX; n.div_ceil(64)];
    if let (Some(last), 1..) = (words.last_mut(), n % 64) {
        *last = (1 << (n % 64)) - 1;
    }
    words
}

/// Group the digits that some rules test, few at a time.
fn tested(components: &[Component], effects: &[Vec<(usize, Table)>]) -> Vec<Tested> {
    let n_words = effects.len().div_ceil(64);
    let mut found: Vec<Tested> = Vec::new();
    for (number, component) in components.iter().enumerate() {
        let mut sets = full(effects.len()).repeat(component.size as usize);
        let mut is_tested = false;
        for (rule, effects) in effects.iter().enumerate() {
            let Some((_, table)) = effects.iter().find(|(digit, _)| *digit == number) else {
                continue;
            };
            for (digit, change) in table.iter().enumerate() {
                if *change == NONE {
                    sets[digit * n_words + rule / 64] &= !(1 << (rule % 64));
                    is_tested = true;
                }
            }
        }
        if !is_tested {
            continue;
        }
        // Combine with the previous digit, if it is adjacent and the sets still fit a near cache.
        let neighbor = found.last_mut().filter(|last| {
            last.stride * last.size == component.stride
                && last.size * component.size <= MOST_TOGETHER
        });
        let Some(last) = neighbor else {
            found.push(Tested {
                size: component.size,
                stride: component.stride,
                rules: sets,
            });
            continue;
        };
        let mut together = Vec::new();
        for set in sets.chunks_exact(n_words) {
            for other in last.rules.chunks_exact(n_words) {
                together.extend(set.iter().zip(other).map(|(one, other)| one & other));
            }
        }
        last.size *= component.size;
        last.rules = together;
    }
    found
}

/// Iterate over the members of a word of a set.
#[inline(always)]
fn numbers(word: usize, mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let number = (set != 0).then(|| word * 64 + set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        number
    })
}

impl Expander for TableExpander {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch {
            digits: vec![0; self.components.len()],
            rules: self.all.clone(),
        }
    }

    #[inline(always)]
    fn expand(&self, rank: u64, scratch: &mut Scratch, found: &mut Vec<Predecessor>) {
        let n = self.costs.len();
        if let ([one, other], []) = (self.rows.as_slice(), self.tested.as_slice()) {
            let sums = one.row(rank, n).iter().zip(other.row(rank, n));
            let sums = sums.zip(&self.costs);
            found.extend(sums.map(|((sum, other), cost)| Predecessor {
                rank: rank.wrapping_add_signed(sum + other),
                cost: *cost,
            }));
            return;
        }
        let Scratch { digits, rules } = scratch;
        rules.copy_from_slice(&self.all);
        for tested in &self.tested {
            let value = (rank / tested.stride % tested.size) as usize;
            let let_apply = &tested.rules[value * rules.len()..];
            for (rules, let_apply) in zip(&mut *rules, let_apply) {
                *rules &= let_apply;
            }
        }
        if let [first, others @ ..] = self.rows.as_slice() {
            let first = first.row(rank, n);
            let other = others.first().map(|other| other.row(rank, n));
            for rule in rules
                .iter()
                .enumerate()
                .flat_map(|(word, set)| numbers(word, *set))
            {
                let sum = first[rule] + other.map_or(0, |other| other[rule]);
                found.push(Predecessor {
                    rank: rank.wrapping_add_signed(sum),
                    cost: self.costs[rule],
                });
            }
            return;
        }
        if self.any_varies {
            for (digit, component) in zip(&mut *digits, &self.components) {
                *digit = (rank / component.stride % component.size) as u32;
            }
        }
        for (word, rules) in rules.iter().enumerate() {
            let mut left = *rules;
            while left != 0 {
                let step = &self.steps[word * 64 + left.trailing_zeros() as usize];
                left &= left - 1;
                let varies = step.digits.iter();
                let varies = varies.map(|(number, table)| table[digits[*number] as usize]);
                let difference = step.always + varies.sum::<i64>();
                found.push(Predecessor {
                    rank: rank.wrapping_add_signed(difference),
                    cost: step.cost,
                });
            }
        }
    }
}

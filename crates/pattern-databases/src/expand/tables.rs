//! Predecessors by look-up: fits rules that act on the digits of a rank one by one.

use psvn_ir::CanonicalRule;

use super::{Backward, Expander};
use crate::ranking::{Factor, Ranking};

/// The most values of a digit that is worth a table.
const MOST_VALUES: u128 = 1 << 20;
/// The most entries of all tables together.
const MOST_ENTRIES: u128 = 1 << 26;
/// No predecessor.
const NONE: i64 = i64::MIN;

/// A digit of the rank.
#[derive(Clone, Debug)]
struct Component {
    factor: usize,
    size: u64,
    stride: u64,
    /// What the rank of the factor is divided by, and then reduced to `size`, to get this digit.
    within: u64,
}

#[derive(Clone, Debug)]
struct Step {
    /// The digits that the rule tests or changes, with their tables: what is added to the rank, or [`NONE`].
    digits: Vec<(usize, Vec<i64>)>,
    cost: u64,
}

/// Looks up what rules do to each digit.
pub(crate) struct TableExpander {
    components: Vec<Component>,
    steps: Vec<Step>,
}

impl TableExpander {
    /// `None` when a rule ties digits together, or the tables would be too large.
    pub(crate) fn new(ranking: &Ranking, rules: &[Backward]) -> Option<Self> {
        let mut components = Vec::new();
        let mut stride = 1;
        for (number, factor) in ranking.factors.iter().enumerate().rev() {
            let sizes: Vec<u128> = match factor {
                Factor::Blocks(blocks) => blocks.components()?.to_vec(),
                other => vec![other.size()],
            };
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
        if components.len() < 2 || entries * rules.len() as u128 > MOST_ENTRIES {
            return None;
        }
        let mut factor_of = vec![0; ranking.n_variables()];
        for (number, factor) in ranking.factors.iter().enumerate() {
            factor
                .vars()
                .iter()
                .for_each(|var| factor_of[*var as usize] = number);
        }
        let tie = |rule: &CanonicalRule| {
            let mut ties = rule.tests().chain(rule.changes());
            ties.any(|(var, term)| {
                let other = term.as_variable();
                other.is_some_and(|other| factor_of[var.index()] != factor_of[other.index()])
            })
        };
        if rules.iter().any(|backward| tie(&backward.rule)) {
            return None;
        }
        let mut scratch = vec![0; ranking.n_variables()];
        let mut child = scratch.clone();
        let steps = rules.iter().map(|backward| {
            let rule = &backward.rule;
            let touches = |factor: usize| {
                let mut touched = rule.tests().chain(rule.changes());
                touched.any(|(var, _)| factor_of[var.index()] == factor)
            };
            let touched = components
                .iter()
                .enumerate()
                .filter(|(_, c)| touches(c.factor));
            let digits = touched
                .map(|(number, component)| {
                    let table = (0..component.size).map(|digit| {
                        let factor = &ranking.factors[component.factor];
                        effect(factor, component, digit, rule, &mut scratch, &mut child)
                    });
                    (number, table.collect())
                })
                .collect();
            Step {
                digits,
                cost: backward.cost,
            }
        });
        let steps = steps.collect();
        Some(Self { components, steps })
    }
}

/// What is added to the rank when a digit has this value.
fn effect(
    factor: &Factor,
    component: &Component,
    digit: u64,
    rule: &CanonicalRule,
    state: &mut [u32],
    child: &mut [u32],
) -> i64 {
    factor.unrank(digit * component.within, state);
    let vars = factor.vars();
    for var in &vars {
        let i = *var as usize;
        // What is tied to this position is in the same factor.
        let value = |term: psvn_ir::Term| match (term.as_constant(), term.as_variable()) {
            (Some(value), _) => value.0,
            (None, Some(from)) => state[from.index()],
            (None, None) => 0,
        };
        if value(rule.preconditions()[i]) != state[i] {
            return NONE;
        }
        child[i] = value(rule.actions()[i]);
    }
    match factor.rank(|var| child[var]) {
        None => NONE,
        Some(rank) => {
            let new = rank / component.within % component.size;
            (new as i64 - digit as i64) * component.stride as i64
        }
    }
}

impl Expander for TableExpander {
    /// The digits.
    type Scratch = Vec<u32>;

    fn scratch(&self) -> Vec<u32> {
        vec![0; self.components.len()]
    }

    #[inline(always)]
    fn expand(&self, rank: u64, digits: &mut Vec<u32>, mut each: impl FnMut(u64, u64)) {
        for (digit, component) in digits.iter_mut().zip(&self.components) {
            *digit = (rank / component.stride % component.size) as u32;
        }
        'steps: for step in &self.steps {
            let mut difference = 0;
            for (number, table) in &step.digits {
                let change = table[digits[*number] as usize];
                if change == NONE {
                    continue 'steps;
                }
                difference += change;
            }
            each(rank.wrapping_add_signed(difference), step.cost);
        }
    }
}

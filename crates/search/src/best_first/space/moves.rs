//! Rules as moves of packed states, forward and backward.

mod one_word;

use std::ops::{ControlFlow, Range};

use psvn_ir::{CanonicalRule, Term, TermKind};

use crate::best_first::space::packed::Packing;
use crate::game::filed_rules::FiledRules;
use crate::game::rule_index::{ConstantTest, RuleIndex};

pub(crate) use one_word::OneWordMoves;

/// The new value of a position.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// A constant.
    Constant(u32),
    /// The value of a position of the parent.
    Copy(u32),
    /// Any value: one of the values that the rule loses, by its place in the move's list.
    Any(u32),
}

/// One rule, compiled.
#[derive(Clone, Debug)]
struct Code {
    /// Tests against constants that the index doesn't decide.
    constants: Range<u32>,
    equalities: Range<u32>,
    writes: Range<u32>,
    /// The sizes of the domains of its free values.
    any: Range<u32>,
}

/// Moves of one direction, one for each rule.
///
/// A *backward* move leads from a state to the states from which its rule leads there. It is the
/// inverse of a one-to-one rule; where a rule loses values there is one such state for each choice
/// of them. The choices are made one after another when a state is expanded, so no list of grounded
/// inverse rules is needed.
///
/// Backward moves come from the canonical rules: they lead exactly to the states in which the
/// forward rule applies.
#[derive(Clone, Debug)]
pub(crate) struct Moves {
    index: RuleIndex,
    codes: Vec<Code>,
    constants: Vec<(u32, u32)>,
    equalities: Vec<(u32, u32)>,
    writes: Vec<(u32, Source)>,
    /// Domain sizes of the free values.
    any: Vec<u32>,
    /// The most free values in one move.
    most_any: usize,
    /// The maximum number of states that one move can lead to from a state, and that all moves can.
    pub(crate) most_by_one: u128,
    pub(crate) most_by_all: u128,
    /// The same moves, if states have one word and each move leads to one state.
    pub(crate) one_word: Option<OneWordMoves>,
}

/// A move before it is compiled.
#[derive(Default)]
struct Plan {
    constants: Vec<(usize, u32)>,
    equalities: Vec<(usize, usize)>,
    writes: Vec<(usize, Source)>,
    any: Vec<u32>,
}

impl Plan {
    fn add_test(&mut self, position: usize, term: Term) {
        match term.kind() {
            TermKind::Constant(value) => self.constants.push((position, value.0)),
            TermKind::Variable(var) => self.equalities.push((position, var.index())),
        }
    }

    fn forward(rule: &CanonicalRule) -> Self {
        let mut plan = Self::default();
        rule.tests()
            .for_each(|(var, term)| plan.add_test(var.index(), term));
        plan.writes.extend(rule.changes().map(|(var, term)| {
            let source = match term.kind() {
                TermKind::Constant(value) => Source::Constant(value.0),
                TermKind::Variable(from) => Source::Copy(from.0),
            };
            (var.index(), source)
        }));
        plan
    }

    /// Let p and a be the rule's preconditions and actions, and t the state that it leads to. Where
    /// a is a constant, t must hold it. Each unknown of p that occurs in a has the value that t has
    /// at its first place in a, and t must have the same value at the others. The unknowns that
    /// don't occur in a are free.
    fn backward(rule: &CanonicalRule, domain_sizes: &[usize]) -> Self {
        let mut plan = Self::default();
        let (p, a) = (rule.preconditions(), rule.actions());
        let mut home: Vec<Option<usize>> = vec![None; p.len()];
        for (position, term) in a.iter().enumerate() {
            match term.kind() {
                TermKind::Constant(value) => plan.constants.push((position, value.0)),
                TermKind::Variable(var) => match home[var.index()] {
                    None => home[var.index()] = Some(position),
                    Some(first) => plan.equalities.push((position, first)),
                },
            }
        }
        let mut choice: Vec<Option<u32>> = vec![None; p.len()];
        for (position, term) in p.iter().enumerate() {
            if *term == a[position] {
                continue;
            }
            let source = match term.kind() {
                TermKind::Constant(value) => Source::Constant(value.0),
                TermKind::Variable(var) => match home[var.index()] {
                    Some(from) => Source::Copy(from as u32),
                    None => Source::Any(*choice[var.index()].get_or_insert_with(|| {
                        plan.any.push(domain_sizes[var.index()] as u32);
                        plan.any.len() as u32 - 1
                    })),
                },
            };
            plan.writes.push((position, source));
        }
        plan
    }
}

fn append<T, U>(array: &mut Vec<T>, items: &[U], convert: impl Fn(&U) -> T) -> Range<u32> {
    let index = |length: usize| u32::try_from(length).expect("fewer than 2^32 tests and writes");
    let start = index(array.len());
    array.extend(items.iter().map(convert));
    start..index(array.len())
}

fn range(of: &Range<u32>) -> Range<usize> {
    of.start as usize..of.end as usize
}

/// Buffers for expanding states, for reuse.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// The state being expanded, as one value for each variable.
    pub(crate) row: Vec<u32>,
    /// The state being expanded, packed.
    pub(crate) packed: Vec<u64>,
    /// A child's values, for callers that need them.
    pub(crate) child_row: Vec<u32>,
    child: Vec<u64>,
    /// The rules that may apply, as a set or as a list.
    set: Vec<u64>,
    list: Vec<u32>,
    choice: Vec<u32>,
}

impl Moves {
    pub(crate) fn forward<'r>(
        rules: impl IntoIterator<Item = &'r CanonicalRule>,
        domain_sizes: &[usize],
        packing: &Packing,
    ) -> Self {
        let plans = rules.into_iter().map(Plan::forward).collect();
        Self::compile(plans, domain_sizes, packing)
    }

    pub(crate) fn backward<'r>(
        rules: impl IntoIterator<Item = &'r CanonicalRule>,
        domain_sizes: &[usize],
        packing: &Packing,
    ) -> Self {
        let plans = rules
            .into_iter()
            .map(|rule| Plan::backward(rule, domain_sizes))
            .collect();
        Self::compile(plans, domain_sizes, packing)
    }

    fn compile(mut plans: Vec<Plan>, domain_sizes: &[usize], packing: &Packing) -> Self {
        let tests = plans.iter().enumerate().flat_map(|(rule, plan)| {
            plan.constants
                .iter()
                .map(move |(position, value)| ConstantTest {
                    rule,
                    position: *position,
                    value: *value as usize,
                })
        });
        let index = RuleIndex::new(plans.len(), domain_sizes, tests.collect());
        // What the index decides isn't tested again. Moves of one word have sets of their own, but
        // share the lists.
        for (rule, position) in index.filed().into_iter().flat_map(FiledRules::decided) {
            let constants = &mut plans[rule as usize].constants;
            constants.retain(|(at, _)| *at != position);
        }
        let one_word = OneWordMoves::new(&plans, index.filed().is_some(), domain_sizes, packing);
        let mut covered = vec![false; domain_sizes.len()];
        index
            .covered()
            .for_each(|position| covered[position] = true);
        for plan in &mut plans {
            plan.constants.retain(|(position, _)| !covered[*position]);
        }
        let mut moves = Self {
            index,
            codes: Vec::with_capacity(plans.len()),
            constants: Vec::new(),
            equalities: Vec::new(),
            writes: Vec::new(),
            any: Vec::new(),
            most_any: 0,
            most_by_one: 1,
            most_by_all: 0,
            one_word,
        };
        for plan in plans {
            let code = Code {
                constants: append(&mut moves.constants, &plan.constants, |(i, value)| {
                    (*i as u32, *value)
                }),
                equalities: append(&mut moves.equalities, &plan.equalities, |(i, j)| {
                    (*i as u32, *j as u32)
                }),
                writes: append(&mut moves.writes, &plan.writes, |(i, source)| {
                    (*i as u32, *source)
                }),
                any: append(&mut moves.any, &plan.any, |size| *size),
            };
            moves.codes.push(code);
            moves.most_any = moves.most_any.max(plan.any.len());
            let by_one = plan.any.iter().fold(1_u128, |product, size| {
                product.saturating_mul(u128::from(*size))
            });
            moves.most_by_one = moves.most_by_one.max(by_one);
            moves.most_by_all = moves.most_by_all.saturating_add(by_one);
        }
        if let Some(filed) = moves.index.filed() {
            let by_candidates = moves
                .most_by_one
                .saturating_mul(filed.most_candidates() as u128);
            moves.most_by_all = moves.most_by_all.min(by_candidates);
        }
        moves
    }

    /// Make the buffers for expanding states by these moves.
    pub(crate) fn scratch(&self, packing: &Packing, n_variables: usize) -> Scratch {
        Scratch {
            row: vec![0; n_variables],
            packed: vec![0; packing.n_words()],
            child_row: vec![0; n_variables],
            child: vec![0; packing.n_words()],
            set: vec![0; self.index.n_words()],
            list: Vec::new(),
            choice: vec![0; self.most_any],
        }
    }

    /// Make all children of a packed state, in the order of the rules. `visit` gets the rule and
    /// the packed child.
    #[inline]
    pub(crate) fn children<B>(
        &self,
        packing: &Packing,
        state: &[u64],
        scratch: &mut Scratch,
        mut visit: impl FnMut(u32, &[u64]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if let Some(moves) = &self.one_word {
            let visit = |rule, child| visit(rule, &[child]);
            return match self.index.filed() {
                Some(filed) => {
                    filed.list(
                        |position| packing.value(state, position) as usize,
                        &mut scratch.list,
                    );
                    moves.expand_by(state[0], &scratch.list, visit)
                }
                None => moves.expand(state[0], visit),
            };
        }
        scratch.packed.copy_from_slice(state);
        packing.unpack(state, &mut scratch.row);
        self.expand(packing, scratch, |rule, child, _| visit(rule, child))
    }

    /// Make all children of the state in `scratch.packed` and `scratch.row`, in the order of the
    /// rules. `visit` gets the rule, the packed child, and the scratch's row as a buffer for the
    /// child's values.
    #[inline]
    pub(crate) fn expand<B>(
        &self,
        packing: &Packing,
        scratch: &mut Scratch,
        mut visit: impl FnMut(u32, &[u64], &mut [u32]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Scratch {
            row,
            packed,
            child_row,
            child,
            set,
            list,
            choice,
        } = scratch;
        let mut apply = |rule: u32| {
            let code = &self.codes[rule as usize];
            if !self.applies(code, row) {
                return ControlFlow::Continue(());
            }
            let any = &self.any[range(&code.any)];
            let choice = &mut choice[..any.len()];
            // Usually there is no choice, and even a call that fills nothing takes time.
            if !choice.is_empty() {
                choice.fill(0);
            }
            loop {
                child.copy_from_slice(packed);
                for (position, source) in &self.writes[range(&code.writes)] {
                    let position = *position as usize;
                    let new = match source {
                        Source::Constant(value) => *value,
                        Source::Copy(from) => row[*from as usize],
                        Source::Any(which) => choice[*which as usize],
                    };
                    packing.set(child, position, row[position], new);
                }
                visit(rule, child, child_row)?;
                // The next choice, counting up.
                let Some(digit) = (0..any.len()).find(|i| choice[*i] + 1 < any[*i]) else {
                    return ControlFlow::Continue(());
                };
                choice[..digit].fill(0);
                choice[digit] += 1;
            }
        };
        if let Some(filed) = self.index.filed() {
            filed.list(|position| row[position] as usize, list);
            return list.iter().try_for_each(|rule| apply(*rule));
        }
        self.index.candidates(row, set);
        for (number, bits) in (0..).zip(set.iter()) {
            let mut bits = *bits;
            while bits != 0 {
                apply(number * 64 + bits.trailing_zeros())?;
                bits &= bits - 1;
            }
        }
        ControlFlow::Continue(())
    }

    /// Check that a child satisfies the groups of variables that are packed together: that its bits
    /// stand for the values that the rule writes.
    #[cfg(debug_assertions)]
    pub(crate) fn check(&self, packing: &Packing, parent: &[u64], (rule, child): (u32, &[u64])) {
        if !packing.has_groups() {
            return;
        }
        let (before, mut after) = (packing.values(parent), packing.values(parent));
        for (position, source) in &self.writes[range(&self.codes[rule as usize].writes)] {
            after[*position as usize] = match source {
                Source::Constant(value) => *value,
                Source::Copy(from) => before[*from as usize],
                Source::Any(_) => return,
            };
        }
        assert!(packing.admits(&after), "rule {rule} breaks a group");
        assert_eq!(after, packing.values(child));
    }

    #[inline]
    fn applies(&self, code: &Code, row: &[u32]) -> bool {
        self.constants[range(&code.constants)]
            .iter()
            .all(|(i, value)| row[*i as usize] == *value)
            && self.equalities[range(&code.equalities)]
                .iter()
                .all(|(i, j)| row[*i as usize] == row[*j as usize])
    }
}

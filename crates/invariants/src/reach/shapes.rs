//! Preprocessed rules for the fixpoints, and the results of fixpoints.

use std::borrow::Cow;

use psvn_ir::{CanonicalRule, Game, TermKind};

use crate::facts::{FactIndex, unknowns};

/// The result of a fixpoint: what may be reached.
#[derive(Clone, Debug)]
pub(crate) struct Reached {
    /// Facts that never hold, sorted.
    pub(crate) never: Vec<u32>,
    /// Whether `never` was computed.
    pub(crate) complete: bool,
    /// Pairs of facts of different variables, both possible, that never hold together; the smaller
    /// first, sorted. `None` if it took too much work, or there are too many. `never` doesn't
    /// depend on them then.
    pub(crate) exclusive: Option<Vec<(u32, u32)>>,
}

/// If there are more rules than this, their shapes are computed on each use: shapes take many times
/// the memory of the rules.
const MOST_SHAPES_KEPT: usize = 10_000;

/// The preprocessed rules that may apply, in order.
pub(crate) struct Shapes<'a> {
    index: &'a FactIndex,
    rules: Vec<&'a CanonicalRule>,
    /// All shapes, or none if there are too many.
    kept: Vec<RuleShape>,
}

impl<'a> Shapes<'a> {
    /// The rules that `admits` accepts.
    pub(crate) fn new(
        game: &'a Game,
        index: &'a FactIndex,
        admits: impl Fn(&CanonicalRule) -> bool,
    ) -> Self {
        let rules = game.rules().iter().map(|rule| &rule.canonical);
        let rules: Vec<&CanonicalRule> = rules.filter(|rule| admits(rule)).collect();
        let is_kept = rules.len() <= MOST_SHAPES_KEPT;
        let shapes = rules.iter().filter(|_| is_kept);
        Self {
            kept: shapes.map(|rule| RuleShape::of(rule, index)).collect(),
            rules,
            index,
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Cow<'_, RuleShape>> {
        let places = 0..self.rules.len();
        places.map(|place| match self.kept.get(place) {
            Some(shape) => Cow::Borrowed(shape),
            None => Cow::Owned(RuleShape::of(self.rules[place], self.index)),
        })
    }
}

/// The source of a position's new value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// The fact that a constant makes true.
    Fact(u32),
    /// An unknown, by its place in the rule's list.
    Unknown(usize),
}

/// A rule, preprocessed for the fixpoints. Positions that hold their own unknown, which moves
/// nowhere, are left out.
#[derive(Clone, Debug)]
pub(crate) struct RuleShape {
    /// The facts that it tests.
    pub(crate) tested: Vec<u32>,
    /// The unknowns that move, are lost or are at several positions, with the positions.
    pub(crate) unknowns: Vec<Vec<usize>>,
    /// The changed positions.
    pub(crate) changes: Vec<(usize, Source)>,
    /// The unchanged positions that hold a constant, as facts, or one of `unknowns`.
    pub(crate) kept: Vec<(usize, Source)>,
}

impl RuleShape {
    fn of(rule: &CanonicalRule, index: &FactIndex) -> Self {
        let (before, after) = (rule.preconditions(), rule.actions());
        let n = before.len();
        let mut uses = vec![0; n];
        for term in before.iter().chain(after) {
            if let Some(var) = term.as_variable() {
                uses[var.index()] += 1;
            }
        }
        // An unknown that occurs once on each side, at the same position, doesn't matter.
        let untouched =
            |i: usize| before[i].is_own_variable(i) && after[i].is_own_variable(i) && uses[i] == 2;
        let mut number = vec![usize::MAX; n];
        let mut listed = unknowns(before);
        listed.retain(|members| !untouched(members[0]));
        for (place, members) in listed.iter().enumerate() {
            number[members[0]] = place;
        }
        let source = |i: usize| match after[i].kind() {
            TermKind::Constant(value) => Source::Fact(index.id(i, value)),
            TermKind::Variable(var) => Source::Unknown(number[var.index()]),
        };
        let tested = before.iter().enumerate();
        let (kept, changes): (Vec<usize>, Vec<usize>) = (0..n)
            .filter(|i| !untouched(*i))
            .partition(|i| before[*i] == after[*i]);
        let with_source =
            |positions: Vec<usize>| positions.into_iter().map(|i| (i, source(i))).collect();
        Self {
            tested: tested
                .filter_map(|(i, term)| Some(index.id(i, term.as_constant()?)))
                .collect(),
            changes: with_source(changes),
            kept: with_source(kept),
            unknowns: listed,
        }
    }
}

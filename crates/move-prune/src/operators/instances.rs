//! The rule sequences of a label word.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use budget::{StopReason, Watch};
use macro_compose::{Composer, PreparedRule};
use psvn_ir::{CanonicalRule, RuleId, Term};
use rayon::prelude::*;

use super::Operators;
use crate::analysis::Admits;
use crate::analysis::extension::cost_of;
use crate::analysis::follow::FollowIndex;

/// The demands and effects of a sequence, borrowed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Composed<'a> {
    pub(crate) preconditions: &'a [Term],
    pub(crate) actions: &'a [Term],
    pub(crate) cost: u64,
}

/// Lists the instances of label words, by the pairs of rules that can follow each other.
pub(crate) struct Instances<'a> {
    pub(crate) n_variables: usize,
    pub(crate) n_letters: usize,
    pub(crate) rules: Vec<PreparedRule>,
    pub(crate) admits: Option<&'a dyn Admits>,
    /// By letter, the rules that can be carried out in some state that matters.
    possible: Vec<Box<[RuleId]>>,
    /// By rule and letter, the rules that can follow.
    following: Vec<Vec<Box<[RuleId]>>>,
}

impl<'a> Instances<'a> {
    /// Try all pairs of rules that an index doesn't rule out, until a limit is reached.
    pub(crate) fn new(
        n_variables: usize,
        rules: &[CanonicalRule],
        operators: &Operators,
        admits: Option<&'a dyn Admits>,
        watch: &Watch,
    ) -> Result<Self, StopReason> {
        // If each rule has a different label, this is the square of their number.
        let lists = rules.len().saturating_mul(operators.len());
        let bytes = lists.saturating_mul(size_of::<Box<[RuleId]>>());
        watch.check(0, bytes)?;
        let prepared: Vec<PreparedRule> = rules.iter().map(PreparedRule::new).collect();
        let n_letters = operators.len();
        let admitted = |terms: &[Term]| admits.is_none_or(|admits| admits.admits(terms));
        let possible: Vec<Box<[RuleId]>> = (0..n_letters as u32)
            .map(|letter| {
                let members = operators.rules(letter).iter().copied();
                members
                    .filter(|rule| admitted(rules[rule.index()].preconditions()))
                    .collect()
            })
            .collect();
        let index = FollowIndex::new(n_variables, rules);
        let n_listed = AtomicUsize::new(0);
        let row = |first: &CanonicalRule| -> Result<Vec<Box<[RuleId]>>, StopReason> {
            let listed = n_listed.load(Ordering::Relaxed) * size_of::<RuleId>();
            watch.check(0, bytes.saturating_add(listed))?;
            let mut composer = Composer::new(n_variables);
            let mut candidates = index.empty_set();
            index.candidates(first.actions(), &mut candidates);
            let mut can_follow = |second: &RuleId| {
                composer.load(first);
                candidates.contains(*second)
                    && composer.append(&prepared[second.index()]).is_ok()
                    && admitted(composer.preconditions())
            };
            let mut following = Vec::with_capacity(n_letters);
            for rules in &possible {
                let list: Box<[RuleId]> = rules.iter().copied().filter(&mut can_follow).collect();
                n_listed.fetch_add(list.len(), Ordering::Relaxed);
                following.push(list);
            }
            Ok(following)
        };
        let following: Result<Vec<Vec<Box<[RuleId]>>>, StopReason> =
            rules.par_iter().map(row).collect();
        Ok(Self {
            n_variables,
            n_letters,
            rules: prepared,
            admits,
            possible,
            following: following?,
        })
    }

    /// Return the rules of an operator that can follow a rule, or that can begin a sequence.
    pub(crate) fn after(&self, last: Option<RuleId>, letter: u32) -> &[RuleId] {
        match last {
            Some(rule) => &self.following[rule.index()][letter as usize],
            None => &self.possible[letter as usize],
        }
    }

    /// Return whether some state that matters satisfies a precondition vector.
    pub(crate) fn admitted(&self, preconditions: &[Term]) -> bool {
        self.admits
            .is_none_or(|admits| admits.admits(preconditions))
    }

    /// Visit all instances of a label word in order, until the visitor breaks.
    ///
    /// Takes time proportional to the number of instances of the word's beginnings.
    pub(crate) fn visit(
        &self,
        word: &[u32],
        visitor: &mut dyn FnMut(&[RuleId], Composed<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let empty = CanonicalRule::identity(self.n_variables);
        let mut sequence = Vec::with_capacity(word.len());
        let mut composers = vec![Composer::new(self.n_variables); word.len()];
        let empty = Composed {
            preconditions: empty.preconditions(),
            actions: empty.actions(),
            cost: 0,
        };
        self.descend(word, empty, &mut composers, &mut sequence, visitor)
    }

    /// Extend `sequence`, whose macro-rule is `so_far`, by rules for the letters of `word`; there
    /// is a composer for each letter.
    fn descend(
        &self,
        word: &[u32],
        so_far: Composed<'_>,
        composers: &mut [Composer],
        sequence: &mut Vec<RuleId>,
        visitor: &mut dyn FnMut(&[RuleId], Composed<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (Some((letter, word)), Some((composer, composers))) =
            (word.split_first(), composers.split_first_mut())
        else {
            return visitor(sequence, so_far);
        };
        for rule in self.after(sequence.last().copied(), *letter) {
            composer.load_parts(so_far.preconditions, so_far.actions, so_far.cost);
            if composer.append(&self.rules[rule.index()]).is_err()
                || !self.admitted(composer.preconditions())
            {
                continue;
            }
            let longer = Composed {
                preconditions: composer.preconditions(),
                actions: composer.actions(),
                cost: cost_of(composer),
            };
            sequence.push(*rule);
            let flow = self.descend(word, longer, composers, sequence, visitor);
            sequence.pop();
            flow?;
        }
        ControlFlow::Continue(())
    }
}

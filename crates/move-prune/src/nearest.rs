//! The sequence that comes nearest to replacing one that nothing replaces.

use macro_compose::compose;
use psvn_ir::{CanonicalRule, Equation, RuleId, Term, TermKind};

use crate::analysis::Admits;
use crate::generalization::closed::closed;

/// The most sequences that are compared, and the most terms in them.
const MOST_COMPARED: usize = 100_000;
const MOST_TERMS: usize = 20_000_000;

/// The sequence that comes nearest to replacing another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// Its rules.
    pub word: Vec<RuleId>,
    /// The macro-rule that it makes.
    pub rule: CanonicalRule,
    /// Why it doesn't replace the other one.
    pub lack: Lack,
    /// The number of sequences that were compared.
    pub n_compared: usize,
    /// Whether these are all sequences of at most the same length.
    pub is_complete: bool,
}

/// The conditions that keep a sequence from replacing another one: those of Burch & Holte (2011)
/// that fail, position by position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lack {
    /// The equations under which it could be used wherever the other one can, and would lead to the
    /// same state; `None` where no state satisfies them.
    pub missing: Option<Vec<Equation>>,
    /// Positions, from 0, where its precondition is stronger.
    pub demands: Vec<usize>,
    /// Positions, from 0, where its effect differs.
    pub effects: Vec<usize>,
    /// Whether it costs more.
    pub costs_more: bool,
    /// Whether it comes later in the order of sequences.
    pub comes_later: bool,
}

impl Lack {
    /// The distance: less is nearer. A sequence that would do under some equations is nearer than
    /// one that never does. Coming later in the order counts less than anything else.
    fn weight(&self) -> (bool, usize) {
        let of_states = match &self.missing {
            Some(missing) => 2 * missing.len(),
            None => 3 * self.effects.len() + 2 * self.demands.len(),
        };
        let weight = of_states + 2 * usize::from(self.costs_more) + usize::from(self.comes_later);
        (self.missing.is_none(), weight)
    }
}

/// Find the sequence that comes nearest to replacing a word, of those of at most the same length,
/// from the shortest on. Only states that `known` admits matter. At most 100,000 sequences are
/// compared, and none after `stop` returns true.
///
/// `None` if the word is empty, can't be carried out, or nothing was compared.
///
/// # Panics
/// When the word names a rule that isn't there, or the rules don't all have as many positions.
pub fn nearest(
    rules: &[CanonicalRule],
    word: &[RuleId],
    known: &dyn Admits,
    stop: impl Fn() -> bool,
) -> Option<Nearest> {
    let n_variables = rules[word.first()?.index()].n_variables();
    let identity = CanonicalRule::identity(n_variables);
    let rule = word.iter().try_fold(identity.clone(), |so_far, rule| {
        compose(&so_far, &rules[rule.index()]).ok()
    })?;
    let mut implied = Vec::new();
    if !known.implied(rule.preconditions(), &mut implied) {
        implied.clear();
    }
    let mut search = Comparison {
        word,
        closed: closed(&rule, &implied),
        rule,
        known,
        best: None,
        n_compared: 0,
    };
    search.compare(&[], &identity);
    let mut level = vec![(Vec::new(), identity)];
    let most = MOST_COMPARED.min(MOST_TERMS / n_variables.max(1));
    let mut is_complete = true;
    'lengths: for length in 1..=word.len() {
        let mut next = Vec::new();
        for (prefix, so_far) in &level {
            for (place, last) in rules.iter().enumerate() {
                if search.n_compared >= most || stop() {
                    is_complete = false;
                    break 'lengths;
                }
                let Ok(composed) = compose(so_far, last) else {
                    continue;
                };
                let mut longer: Vec<RuleId> = prefix.clone();
                longer.push(RuleId::from_index(place));
                search.compare(&longer, &composed);
                if length < word.len() {
                    next.push((longer, composed));
                }
            }
        }
        level = next;
    }
    let n_compared = search.n_compared;
    search.best.map(|(word, rule, lack)| Nearest {
        word,
        rule,
        lack,
        n_compared,
        is_complete,
    })
}

struct Comparison<'a> {
    word: &'a [RuleId],
    rule: CanonicalRule,
    /// The same with all values that its preconditions imply.
    closed: CanonicalRule,
    known: &'a dyn Admits,
    best: Option<(Vec<RuleId>, CanonicalRule, Lack)>,
    n_compared: usize,
}

impl Comparison<'_> {
    fn compare(&mut self, word: &[RuleId], rule: &CanonicalRule) {
        if word == self.word {
            return;
        }
        self.n_compared += 1;
        let comes_later = word > self.word && word.len() >= self.word.len();
        let mut lack = lack(&self.rule, rule, comes_later);
        lack.missing = rule.equations_to_generalize(&self.closed);
        if self.is_nearest(&lack) {
            // Only now, since it takes longer.
            lack.missing = lack.missing.filter(|missing| self.can_hold(missing));
            if self.is_nearest(&lack) {
                self.best = Some((word.to_vec(), rule.clone(), lack));
            }
        }
    }

    fn is_nearest(&self, lack: &Lack) -> bool {
        let best = self.best.as_ref();
        best.is_none_or(|(_, _, best)| lack.weight() < best.weight())
    }

    /// Return whether the equations hold in some state in which the sequence can be used.
    fn can_hold(&self, missing: &[Equation]) -> bool {
        let mut terms = self.closed.preconditions().to_vec();
        for Equation { position, term } in missing {
            let unknown = Term::variable(*position);
            for it in terms.iter_mut().filter(|it| **it == unknown) {
                *it = *term;
            }
        }
        self.known.admits(&terms)
    }
}

/// Why `general` doesn't replace `special`, but for the missing equations.
fn lack(special: &CanonicalRule, general: &CanonicalRule, comes_later: bool) -> Lack {
    let p = special.preconditions();
    let fits = |term: Term, counterpart| match term.kind() {
        TermKind::Constant(_) => term == counterpart,
        TermKind::Variable(var) => p[var.index()] == counterpart,
    };
    let differing = |terms: &[Term], counterparts: &[Term]| -> Vec<usize> {
        (0..terms.len())
            .filter(|i| !fits(terms[*i], counterparts[*i]))
            .collect()
    };
    Lack {
        missing: None,
        demands: differing(general.preconditions(), p),
        effects: differing(general.actions(), special.actions()),
        costs_more: general.cost() > special.cost(),
        comes_later,
    }
}

#[cfg(test)]
mod tests {
    use psvn_ir::{CanonicalRule, RuleId, Term, Value};

    use super::*;

    /// A rule that tests one of two lamps and switches it.
    fn switch(lamp: usize, from: usize) -> CanonicalRule {
        let mut terms = CanonicalRule::identity(2).preconditions().to_vec();
        let actions = {
            let mut actions = terms.clone();
            actions[lamp] = Term::constant(Value::from_index(1 - from));
            actions
        };
        terms[lamp] = Term::constant(Value::from_index(from));
        CanonicalRule::canonicalize(&terms, &actions, 1)
    }

    #[test]
    fn the_fewest_conditions_are_missing() {
        let rules = [switch(0, 0), switch(1, 0), switch(1, 1)];
        let all = |_: &[Term]| true;
        let found = nearest(&rules, &[RuleId(1), RuleId(0)], &all, || false).unwrap();
        // The same switches in the other order.
        assert_eq!(found.word, [RuleId(0), RuleId(1)]);
        assert_eq!(found.lack.missing.as_deref(), Some(&[][..]));
        assert!(!found.lack.comes_later && !found.lack.costs_more);
        assert!(found.is_complete);
        let found = nearest(&rules, &[RuleId(0), RuleId(1)], &all, || false).unwrap();
        assert_eq!(found.word, [RuleId(1), RuleId(0)]);
        assert!(found.lack.comes_later);

        // One lamp can't be switched without its rule: nothing would do under any equations.
        let found = nearest(&rules, &[RuleId(0)], &all, || false).unwrap();
        assert_eq!(found.lack.missing, None);
        assert_eq!(
            (found.word.as_slice(), &*found.lack.effects),
            (&[][..], &[0][..])
        );

        assert_eq!(nearest(&rules, &[], &all, || false), None);
        let stopped = nearest(&rules, &[RuleId(0)], &all, || true).unwrap();
        assert_eq!((stopped.n_compared, stopped.is_complete), (1, false));
        // Lamp 1 can't be switched on twice.
        assert_eq!(
            nearest(&rules, &[RuleId(1), RuleId(1)], &all, || false),
            None
        );
    }
}

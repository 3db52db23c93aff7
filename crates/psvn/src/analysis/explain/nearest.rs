//! The sequence that comes nearest to replacing one that nothing replaces, and why it fails.

use std::sync::atomic::{AtomicBool, Ordering};

use invariants::{Invariants, Scratch};
use macro_compose::compose;
use psvn_ir::{CanonicalRule, Equation, RuleId, Term, TermKind, VarId};
use serde::{Deserialize, Serialize};

use super::within;
use crate::analysis::ideal::equation;
use crate::game::Game;
use crate::text::units::count;

/// The most sequences that are compared, and the most terms in them.
const MOST_COMPARED: usize = 100_000;
const MOST_TERMS: usize = 20_000_000;

/// The sequence that comes nearest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Nearest {
    /// Its rules.
    pub word: Vec<String>,
    /// The macro-rule that it makes.
    pub rule: String,
    /// Its cost.
    pub cost: u64,
    /// The conditions that it fails.
    pub failed: Vec<String>,
    /// The equations under which it could replace the sequence, where its preconditions and effects
    /// allow that at all and it needs some.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub missing: Vec<String>,
    /// The number of sequences that were compared; there are more if `complete` is false.
    pub compared: usize,
    /// Whether all sequences of at most the same length were compared.
    pub complete: bool,
}

/// The conditions that keep a sequence from replacing another one.
#[derive(Clone, Debug, Default)]
struct Lack {
    /// The equations under which it could be used wherever the other one can, and would lead to the
    /// same state; `None` where no state satisfies them.
    missing: Option<Vec<Equation>>,
    /// Positions where its precondition is stronger.
    demands: Vec<usize>,
    /// Positions where its effect differs.
    effects: Vec<usize>,
    costs_more: bool,
    comes_later: bool,
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

/// Find the nearest sequence of at most the same length, from the shortest on, in states with some
/// invariants.
pub(super) fn find(
    named: &Game,
    word: &[RuleId],
    rule: &CanonicalRule,
    known: &Invariants,
    interrupt: &AtomicBool,
) -> Option<Nearest> {
    let (game, names) = (named.ir(), named.rule_names());
    let closed = within::close(game, known, rule);
    let mut search = Comparison {
        word,
        rule,
        closed: closed.as_ref().map_or(rule, |(closed, _)| closed),
        known,
        scratch: Scratch::new(),
        best: None,
        n_compared: 0,
    };
    let mut level = vec![(Vec::new(), CanonicalRule::identity(game.n_variables()))];
    search.compare(&[], &level[0].1);
    let most = MOST_COMPARED.min(MOST_TERMS / game.n_variables().max(1));
    let mut complete = true;
    'lengths: for length in 1..=word.len() {
        let mut next = Vec::new();
        for (prefix, so_far) in &level {
            for (id, last) in game.rules_with_ids() {
                if search.n_compared >= most || interrupt.load(Ordering::Relaxed) {
                    complete = false;
                    break 'lengths;
                }
                let Ok(composed) = compose(so_far, &last.canonical) else {
                    continue;
                };
                let mut longer: Vec<RuleId> = prefix.clone();
                longer.push(id);
                search.compare(&longer, &composed);
                if length < word.len() {
                    next.push((longer, composed));
                }
            }
        }
        level = next;
    }
    let n_compared = search.n_compared;
    let (found, composed, lack) = search.best?;
    let missing = lack.missing.iter().flatten();
    let missing: Vec<String> = missing.map(|it| equation(named, it)).collect();
    Some(Nearest {
        word: names.names(&found),
        rule: game.format_rule(&composed),
        cost: composed.cost(),
        failed: describe(game, rule, &composed, &lack, &missing, found.len()),
        missing,
        compared: n_compared,
        complete,
    })
}

struct Comparison<'a> {
    word: &'a [RuleId],
    rule: &'a CanonicalRule,
    /// The same with all values that its preconditions imply.
    closed: &'a CanonicalRule,
    known: &'a Invariants,
    scratch: Scratch,
    best: Option<(Vec<RuleId>, CanonicalRule, Lack)>,
    n_compared: usize,
}

impl Comparison<'_> {
    fn compare(&mut self, word: &[RuleId], rule: &CanonicalRule) {
        if word == self.word {
            return;
        }
        self.n_compared += 1;
        let mut lack = lack(
            self.rule,
            rule,
            word > self.word && word.len() >= self.word.len(),
        );
        lack.missing = rule.equations_to_generalize(self.closed);
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
    fn can_hold(&mut self, missing: &[Equation]) -> bool {
        let mut terms = self.closed.preconditions().to_vec();
        for Equation { position, term } in missing {
            let unknown = Term::variable(*position);
            for it in terms.iter_mut().filter(|it| **it == unknown) {
                *it = *term;
            }
        }
        self.known.admits_with(&mut self.scratch, &terms)
    }
}

/// Why `general` doesn't replace `special`: the failed conditions of Burch & Holte 2011, position
/// by position.
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

fn describe(
    game: &psvn_ir::Game,
    special: &CanonicalRule,
    general: &CanonicalRule,
    lack: &Lack,
    missing: &[String],
    length: usize,
) -> Vec<String> {
    let mut failed = Vec::new();
    if !missing.is_empty() {
        let missing = missing.join(" and ");
        failed.push(format!("it can replace the sequence only where {missing}"));
    }
    let is_hopeless = lack.missing.is_none();
    let term = |position: usize, term| game.format_term(VarId::from_index(position), term);
    if let Some(position) = lack.demands.first().copied().filter(|_| is_hopeless) {
        let wanted = general.preconditions()[position];
        let has = special.preconditions()[position];
        let what = match (wanted.kind(), has.kind()) {
            (TermKind::Variable(var), _) => format!(
                "positions {} and {} must be equal, and needn't be for the sequence",
                var.0 + 1,
                position + 1
            ),
            (_, TermKind::Constant(_)) => format!(
                "position {} must hold {}, and {} for the sequence",
                position + 1,
                term(position, wanted),
                term(position, has)
            ),
            _ => format!(
                "position {} must hold {}, and may hold anything for the sequence",
                position + 1,
                term(position, wanted)
            ),
        };
        failed.push(format!(
            "it can't be used wherever the sequence can: {what}{}",
            more(lack.demands.len())
        ));
    }
    if let Some(position) = lack.effects.first().copied().filter(|_| is_hopeless) {
        failed.push(format!(
            "it leads to another state: position {} holds {} then, and {} after the sequence{}",
            position + 1,
            term(position, general.actions()[position]),
            term(position, special.actions()[position]),
            more(lack.effects.len())
        ));
    }
    if lack.costs_more {
        failed.push(format!(
            "it costs more: {} > {}",
            general.cost(),
            special.cost()
        ));
    }
    if lack.comes_later {
        failed.push(format!(
            "it comes later in the order, among the sequences of {}",
            count(length, "rule")
        ));
    }
    failed
}

fn more(n: usize) -> String {
    match n {
        0 | 1 => String::new(),
        n => format!(", and so with {}", count(n - 1, "more position")),
    }
}

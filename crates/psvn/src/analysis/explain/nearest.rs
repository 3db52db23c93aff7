//! The sequence that comes nearest to replacing one that nothing replaces, and why it fails.

use std::sync::atomic::{AtomicBool, Ordering};

use macro_compose::compose;
use psvn_ir::{CanonicalRule, Game, RuleId, TermKind, VarId};
use serde::{Deserialize, Serialize};

use crate::game::RuleNames;
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
    /// The number of sequences that were compared; there are more if `complete` is false.
    pub compared: usize,
    /// Whether all sequences of at most the same length were compared.
    pub complete: bool,
}

/// The conditions that keep a sequence from replacing another one.
#[derive(Clone, Debug, Default)]
struct Lack {
    /// Positions where its precondition is stronger.
    demands: Vec<usize>,
    /// Positions where its effect differs.
    effects: Vec<usize>,
    costs_more: bool,
    comes_later: bool,
}

impl Lack {
    /// The distance: less is nearer. Coming later in the order counts less than anything else.
    fn weight(&self) -> usize {
        3 * self.effects.len()
            + 2 * (self.demands.len() + usize::from(self.costs_more))
            + usize::from(self.comes_later)
    }
}

/// Find the nearest sequence of at most the same length, from the shortest on.
pub(super) fn find(
    game: &Game,
    names: &RuleNames<'_>,
    word: &[RuleId],
    rule: &CanonicalRule,
    interrupt: &AtomicBool,
) -> Option<Nearest> {
    let mut search = Comparison {
        word,
        rule,
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
    Some(Nearest {
        word: names.names(&found),
        rule: game.format_rule(&composed),
        cost: composed.cost(),
        failed: describe(game, rule, &composed, &lack, found.len()),
        compared: n_compared,
        complete,
    })
}

struct Comparison<'a> {
    word: &'a [RuleId],
    rule: &'a CanonicalRule,
    best: Option<(Vec<RuleId>, CanonicalRule, Lack)>,
    n_compared: usize,
}

impl Comparison<'_> {
    fn compare(&mut self, word: &[RuleId], rule: &CanonicalRule) {
        if word == self.word {
            return;
        }
        self.n_compared += 1;
        let lack = lack(
            self.rule,
            rule,
            word > self.word && word.len() >= self.word.len(),
        );
        let nearer = |(_, _, best): &(_, _, Lack)| lack.weight() < best.weight();
        if self.best.as_ref().is_none_or(nearer) {
            self.best = Some((word.to_vec(), rule.clone(), lack));
        }
    }
}

/// Why `general` doesn't replace `special`: the failed conditions of Burch & Holte 2011, position
/// by position.
fn lack(special: &CanonicalRule, general: &CanonicalRule, comes_later: bool) -> Lack {
    let p = special.preconditions();
    let fits = |term: psvn_ir::Term, counterpart| match term.kind() {
        TermKind::Constant(_) => term == counterpart,
        TermKind::Variable(var) => p[var.index()] == counterpart,
    };
    let differing = |terms: &[psvn_ir::Term], counterparts: &[psvn_ir::Term]| -> Vec<usize> {
        (0..terms.len())
            .filter(|i| !fits(terms[*i], counterparts[*i]))
            .collect()
    };
    Lack {
        demands: differing(general.preconditions(), p),
        effects: differing(general.actions(), special.actions()),
        costs_more: general.cost() > special.cost(),
        comes_later,
    }
}

fn describe(
    game: &Game,
    special: &CanonicalRule,
    general: &CanonicalRule,
    lack: &Lack,
    length: usize,
) -> Vec<String> {
    let mut failed = Vec::new();
    let term = |position: usize, term| game.format_term(VarId::from_index(position), term);
    if let Some(position) = lack.demands.first().copied() {
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
    if let Some(position) = lack.effects.first().copied() {
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

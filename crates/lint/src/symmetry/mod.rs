//! Symmetries that all rules but one or two have.
//!
//! A symmetry exchanges variables (and perhaps values) so that every rule becomes a rule again: the
//! reflections of a board, the rotations of a cube, permutations of pegs. A rule that is missing or
//! connects the wrong positions causes a *near-symmetry*: all rules but one or two become rules.
//!
//! Each near-symmetry accuses a rule. A rule that neither becomes a rule nor is the image of one is
//! *odd*; if there is no such rule, the image that is not a rule is *missing*. The rule with the
//! most accusations is reported.
//!
//! Thresholds: at least eight rules for one exception, sixteen for two; and at least four of the
//! other rules must become different rules. If a near-symmetry that moves less than half of the
//! rules accuses a rule, that is a coincidence, and the rule is not reported.

mod search;
mod values;

use std::collections::{HashMap, HashSet};

use ahash::RandomState;
use psvn_ir::{CanonicalRule, RuleId, Term, TermKind, VarId};
use psvn_syntax::Diagnostic;

use crate::Effort;
use crate::subject::Subject;
use search::Searcher;
use values::ValueMap;

/// The most rules and variables of games that are checked.
const MOST_RULES: usize = 400;
const MOST_VARIABLES: usize = 200;
/// The most positions of rules that are compared, for the whole game: less than a second.
const BUDGET: u64 = 100_000_000;
/// At least this many rules must become other rules.
const FEWEST_MOVED: usize = 4;
/// For each exception there must be at least this number of rules.
const RULES_PER_EXCEPTION: usize = 8;

pub(crate) fn lint(subject: &Subject<'_>, findings: &mut Vec<Diagnostic>) {
    let game = subject.game;
    if subject.n_rules() > MOST_RULES || game.n_variables() > MOST_VARIABLES {
        return;
    }
    let tolerance = (subject.n_rules() / RULES_PER_EXCEPTION).min(2);
    if tolerance == 0 {
        return;
    }
    let rules: HashMap<&CanonicalRule, RuleId, RandomState> = game
        .rules_with_ids()
        .map(|(id, rule)| (&rule.canonical, id))
        .collect();
    let maps = values::maps(game);
    let budget = match subject.effort {
        Effort::Full => BUDGET,
        Effort::Quick => BUDGET / 10,
    };
    let budget = budget / (maps.len() * tolerance) as u64;
    let mut accusations = Accusations::default();
    // A lower tolerance lets the search detect a wrong branch sooner.
    for tolerance in 1..=tolerance {
        for values in &maps {
            let mut searcher = Searcher::new(game, values, tolerance, budget);
            searcher
                .run(|variables| accusations.add(subject, &rules, variables, values, tolerance));
        }
        if accusations.n_near > 0 {
            break;
        }
    }
    accusations.report(subject, findings);
}

/// The accusations of near-symmetries.
#[derive(Default)]
struct Accusations {
    n_near: usize,
    odd: HashMap<RuleId, Votes, RandomState>,
    /// Missing rules, each with a rule whose image it is.
    missing: HashMap<CanonicalRule, (Votes, RuleId), RandomState>,
}

/// The near-symmetries that accuse one rule.
#[derive(Clone, Copy, Default)]
struct Votes {
    n: usize,
    /// Whether one of them is weak, which also discredits the others: they may be the same
    /// coincidence combined with a true symmetry.
    is_coincidence: bool,
}

impl Accusations {
    /// Evaluate a map of variables: variable i becomes `variables[i]`.
    fn add(
        &mut self,
        subject: &Subject<'_>,
        rules: &HashMap<&CanonicalRule, RuleId, RandomState>,
        variables: &[u32],
        values: &ValueMap,
        tolerance: usize,
    ) {
        let mut images: HashSet<RuleId, RandomState> = HashSet::default();
        let mut without: Vec<(RuleId, CanonicalRule)> = Vec::new();
        let mut n_moved = 0;
        for (id, rule) in subject.game.rules_with_ids() {
            let image = image(subject, &rule.canonical, variables, values);
            match rules.get(&image) {
                Some(other) => {
                    images.insert(*other);
                    n_moved += usize::from(*other != id);
                }
                None => without.push((id, image)),
            }
        }
        if without.is_empty() || without.len() > tolerance || n_moved < FEWEST_MOVED {
            return;
        }
        // A map that moves only a few rules is a coincidence: two positions happen to have similar
        // neighbors.
        let weak = n_moved * 2 < subject.n_rules();
        self.n_near += usize::from(!weak);
        let mut alone = without
            .iter()
            .filter(|(id, _)| !images.contains(id))
            .peekable();
        if alone.peek().is_some() {
            for (id, _) in alone {
                let votes = self.odd.entry(*id).or_default();
                votes.n += 1;
                votes.is_coincidence |= weak;
            }
            return;
        }
        for (id, image) in without {
            let (votes, _) = self.missing.entry(image).or_insert((Votes::default(), id));
            votes.n += 1;
            votes.is_coincidence |= weak;
        }
    }

    fn report(&self, subject: &Subject<'_>, findings: &mut Vec<Diagnostic>) {
        let agree = |votes: &Votes| !votes.is_coincidence && votes.n * 2 > self.n_near;
        let mut odd: Vec<RuleId> = self
            .odd
            .iter()
            .filter(|(_, votes)| agree(votes))
            .map(|(id, _)| *id)
            .collect();
        odd.sort_unstable();
        for rule in &odd {
            findings.push(
                subject
                    .warn_at(
                        *rule,
                        "broken-symmetry",
                        format!("the game is symmetric except for {}", subject.title(*rule)),
                        "has no counterpart",
                    )
                    .hint("a position or a value of it may be wrong"),
            );
        }
        if !odd.is_empty() {
            return;
        }
        let mut missing: Vec<(&CanonicalRule, RuleId)> = self
            .missing
            .iter()
            .filter(|(_, (votes, _))| agree(votes))
            .map(|(rule, (_, id))| (rule, *id))
            .collect();
        missing.sort_by_key(|(_, id)| *id);
        for (rule, counterpart) in missing {
            let title = subject.title(counterpart);
            findings.push(
                subject
                    .warn_at(
                        counterpart,
                        "broken-symmetry",
                        format!("the game is symmetric except for a counterpart of {title}"),
                        "has no counterpart",
                    )
                    .hint(format!(
                        "the rule `{}` may be missing",
                        subject.writer.write(rule, counterpart)
                    )),
            );
        }
    }
}

/// The image of a rule.
fn image(
    subject: &Subject<'_>,
    rule: &CanonicalRule,
    variables: &[u32],
    values: &ValueMap,
) -> CanonicalRule {
    let n = rule.n_variables();
    let place = |position: usize| variables[position] as usize;
    let map = |position: usize, term: Term| match term.kind() {
        TermKind::Constant(value) => {
            let domain = subject.game.variables()[position];
            Term::constant(values.image(domain, value))
        }
        TermKind::Variable(var) => Term::variable(VarId::from_index(place(var.index()))),
    };
    let mut p: Vec<Term> = (0..n)
        .map(|i| Term::variable(VarId::from_index(i)))
        .collect();
    let mut a = p.clone();
    let sides = rule.preconditions().iter().zip(rule.actions());
    for (position, (before, after)) in sides.enumerate() {
        p[place(position)] = map(position, *before);
        a[place(position)] = map(position, *after);
    }
    CanonicalRule::canonicalize(&p, &a, rule.cost())
}

//! Warnings about whole rules.

use std::collections::{HashMap, HashSet};

use ahash::RandomState;
use psvn_syntax::Diagnostic;

use super::inverse::{Inverses, lost_variable};
use super::live::live_rules;
use super::names::RuleTitles;
use super::{MOST_KEPT, Thinner};
use crate::game::Game;
use crate::game::relations::Relations;
use crate::ids::RuleId;

/// If more rules than this are undone in part only, the missing test is part of the game, such as
/// that nobody is eaten.
const MOST_UNDONE_IN_PART: usize = 2;
/// If at least this number of rules with one label can't be undone, they are no mistakes.
const FEWEST_ONE_WAY: usize = 3;

/// The beginning of a hint that gives the inverse that a rule lacks.
pub const MAY_BE_MISSING: &str = "a rule may be wrong, or this one may be missing: ";

/// Find suspicious rules of a game; `text` is its source, if known.
pub(super) fn lint(game: &Game, text: &str) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if game.source_rules().is_empty() {
        findings.push(
            Diagnostic::warning("no-rules", "the game has no rules")
                .hint("nothing can be done in it; a rule is written `before => after`"),
        );
    }
    if game.goals().is_empty() {
        findings.push(
            Diagnostic::warning("no-goal", "the game has no goal")
                .hint("rules can be analyzed and counted without one, but nothing can be solved"),
        );
    }
    let names = RuleTitles::new(game);
    let mut findings = Findings {
        list: findings,
        thinner: Thinner::default(),
    };
    no_ops(game, &names, &mut findings);
    let relations = Relations::of(game);
    duplicates(game, &names, &relations, &mut findings);
    no_inverse(game, &names, &relations, text, &mut findings);
    dead_rules(game, &names, &mut findings);
    findings.list
}

/// The findings so far.
struct Findings {
    list: Vec<Diagnostic>,
    thinner: Thinner,
}

impl Findings {
    fn push(&mut self, finding: Diagnostic) {
        self.list.push(self.thinner.thin(finding));
    }
}

fn no_ops(game: &Game, names: &RuleTitles<'_>, findings: &mut Findings) {
    let hint = "it leads from a state to the same state; a search gains nothing by it";
    let mut n_instances = vec![0_usize; game.source_rules().len()];
    for rule in game.rules() {
        n_instances[rule.source] += 1;
    }
    for (id, rule) in game.rules_with_ids() {
        // A single instance may well do nothing (a symbol that takes the old value).
        if n_instances[rule.source] == 1 && rule.canonical.changes().next().is_none() {
            findings.push(
                Diagnostic::warning("no-op-rule", format!("{} changes nothing", names.title(id)))
                    .at_maybe(game.source_rules()[rule.source].span, "leads nowhere")
                    .hint(hint),
            );
        }
    }
    for (source, _) in game
        .source_rules()
        .iter()
        .zip(n_instances)
        .filter(|(_, n)| *n == 0)
    {
        findings.push(
            Diagnostic::warning(
                "no-op-rule",
                format!(
                    "rule `{}` tests nothing and changes nothing, and is left out",
                    source.label
                ),
            )
            .at_maybe(source.span, "leads nowhere")
            .hint(hint),
        );
    }
}

fn duplicates(game: &Game, names: &RuleTitles<'_>, relations: &Relations, findings: &mut Findings) {
    for (id, rule) in game.rules_with_ids() {
        let Some(first) = relations.duplicate_of(id) else {
            continue;
        };
        // Rules that change nothing have been reported one by one.
        let is_no_op = rule.canonical.changes().next().is_none();
        if is_no_op || game.rule(first).source == rule.source {
            continue;
        }
        let differs = rule.canonical.cost() != game.rule(first).canonical.cost();
        let but = if differs { ", at another cost" } else { "" };
        let mut finding = Diagnostic::warning(
            "duplicate-rule",
            format!(
                "{} does the same as {}{but}",
                names.title(id),
                names.title(first)
            ),
        )
        .at_maybe(game.source_rules()[rule.source].span, "the second one")
        .hint("remove one, or correct the one that was meant to be different");
        if let Some(span) = game.source_rules()[game.rule(first).source].span {
            finding = finding.also(span, "the first one");
        }
        findings.push(finding);
    }
}

fn no_inverse(
    game: &Game,
    names: &RuleTitles<'_>,
    relations: &Relations,
    text: &str,
    findings: &mut Findings,
) {
    let n_rules = game.rules().len();
    let without: Vec<RuleId> = game
        .rules_with_ids()
        .map(|(id, _)| id)
        .filter(|id| relations.inverse(*id).is_none())
        .collect();
    let n_with = n_rules - without.len();
    if without.is_empty() || without.len() * 3 > n_rules {
        return;
    }
    let one_way = one_way_labels(game, relations);
    let mut inverses = Inverses::new(game, text);
    let found: Vec<(RuleId, Option<RuleId>)> = without
        .into_iter()
        .filter(|id| !one_way.contains(&*game.rule(*id).label.to_ascii_lowercase()))
        .map(|id| (id, inverses.narrower(id)))
        .collect();
    let mut in_part: Vec<usize> = found
        .iter()
        .filter(|(_, narrower)| narrower.is_some())
        .map(|(id, _)| game.rule(*id).source)
        .collect();
    in_part.dedup();
    let in_part_is_odd = in_part.len() <= MOST_UNDONE_IN_PART;
    let odd = found
        .into_iter()
        .filter(|(_, narrower)| narrower.is_none() || in_part_is_odd);
    for (number, (id, narrower)) in odd.enumerate() {
        let title = names.title(id);
        // Later ones are only counted.
        let inverse = if number <= MOST_KEPT {
            inverses.text(id)
        } else {
            None
        };
        let (message, reason, hint) = match (narrower, inverse) {
            (Some(other), inverse) => (
                format!(
                    "{title} is undone only in some states, while {n_with} of {n_rules} rules are always \
                     undone"
                ),
                format!("{} undoes it in some states", names.title(other)),
                match inverse {
                    Some(text) => format!("this rule undoes it in every state: {text}"),
                    None => "one of the two may have a test too few or too many".to_owned(),
                },
            ),
            (None, Some(text)) => (
                format!("{title} has no inverse, and {n_with} of {n_rules} rules have one"),
                "no rule leads back".to_owned(),
                format!("{MAY_BE_MISSING}{text}"),
            ),
            (None, None) => (
                format!("{title} has no inverse, and {n_with} of {n_rules} rules have one"),
                match lost_variable(&game.rule(id).canonical) {
                    Some(var) => format!(
                        "nothing can undo it: the value of variable {} is lost",
                        var.0 + 1
                    ),
                    None => "no rule leads back".to_owned(),
                },
                "a rule may be missing or misspelled".to_owned(),
            ),
        };
        findings.push(
            Diagnostic::warning("no-inverse", message)
                .at_maybe(game.source_rules()[game.rule(id).source].span, reason)
                .hint(hint),
        );
    }
}

/// Labels shared by several rules of the file of which none is undone, such as pushing a box.
fn one_way_labels(game: &Game, relations: &Relations) -> HashSet<String, RandomState> {
    let mut sources: HashMap<String, HashSet<usize, RandomState>, RandomState> = HashMap::default();
    let mut undone: HashSet<String, RandomState> = HashSet::default();
    for (id, rule) in game.rules_with_ids() {
        let label = rule.label.to_ascii_lowercase();
        if relations.inverse(id).is_some() {
            undone.insert(label);
        } else {
            sources.entry(label).or_default().insert(rule.source);
        }
    }
    sources
        .into_iter()
        .filter(|(label, sources)| sources.len() >= FEWEST_ONE_WAY && !undone.contains(label))
        .map(|(label, _)| label)
        .collect()
}

/// Find rules that can't be used in any state that is connected with a goal state.
fn dead_rules(game: &Game, names: &RuleTitles<'_>, findings: &mut Findings) {
    if game.goals().is_empty() {
        return;
    }
    let live = live_rules(game);
    for (id, rule) in game.rules_with_ids().filter(|(id, _)| !live[id.index()]) {
        findings.push(
            Diagnostic::warning(
                "dead-rule",
                format!("{} can never be used", names.title(id)),
            )
            .at_maybe(
                game.source_rules()[rule.source].span,
                "its left side holds in no state that leads to a goal or comes from one",
            )
            .hint("a value that it tests may be misspelled, or a rule that produces it may be missing"),
        );
    }
}

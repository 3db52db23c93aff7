//! Warnings about whole rules.

use psvn_syntax::Diagnostic;

use super::Thinner;
use super::live::live_rules;
use super::names::RuleTitles;
use crate::game::Game;
use crate::relations::Relations;

pub(super) fn lint(game: &Game) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
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
    no_inverse(game, &names, &relations, &mut findings);
    dead_rules(game, &names, &mut findings);
    findings.list
}

/// What was found so far.
struct Findings {
    list: Vec<Diagnostic>,
    thinner: Thinner,
}

impl Findings {
    fn push(&mut self, finding: Diagnostic) {
        self.list.push(finding);
        self.thinner.thin(&mut self.list);
    }
}

fn no_ops(game: &Game, names: &RuleTitles<'_>, findings: &mut Findings) {
    let hint = "it leads from a state to the same state; a search gains nothing by it";
    let mut n_instances = vec![0_usize; game.source_rules().len()];
    for rule in game.rules() {
        n_instances[rule.source] += 1;
    }
    for (id, rule) in game.rules_with_ids() {
        // One instance of several may well do nothing (a symbol that takes the old value).
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
        // That rules change nothing was said of each.
        let is_no_op = rule.canonical.changes().next().is_none();
        if is_no_op || game.rule(first).source == rule.source {
            continue;
        }
        let dearer = rule.canonical.cost() != game.rule(first).canonical.cost();
        let but = if dearer { ", at another cost" } else { "" };
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

fn no_inverse(game: &Game, names: &RuleTitles<'_>, relations: &Relations, findings: &mut Findings) {
    let n_with = game
        .rules_with_ids()
        .filter(|(id, _)| relations.inverse(*id).is_some())
        .count();
    if n_with * 2 <= game.rules().len() {
        return;
    }
    for (id, rule) in game
        .rules_with_ids()
        .filter(|(id, _)| relations.inverse(*id).is_none())
    {
        let reason = if rule.canonical.is_one_to_one() {
            "no rule leads back from where it leads"
        } else {
            "it loses a value, so nothing can undo it"
        };
        findings.push(
            Diagnostic::warning(
                "no-inverse",
                format!(
                    "{} has no inverse, and {n_with} of {} rules have one",
                    names.title(id),
                    game.rules().len()
                ),
            )
            .at_maybe(game.source_rules()[rule.source].span, reason)
            .hint(format!(
                "{}; a rule may be missing or misspelt",
                game.format_rule(&rule.canonical)
            )),
        );
    }
}

/// Finds rules that can't be used in any state that is connected with a goal state.
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
                "no state that is connected with a goal satisfies its left side",
            )
            .hint("a value that it tests may be misspelt, or a rule that produces it missing"),
        );
    }
}

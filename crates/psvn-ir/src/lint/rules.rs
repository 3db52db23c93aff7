//! Warnings about whole rules.

use psvn_syntax::Diagnostic;

use super::Thinner;
use super::names::RuleTitles;
use crate::game::Game;
use crate::ids::VarId;
use crate::relations::Relations;
use crate::rule::CanonicalRule;
use crate::term::{Term, TermKind};

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

fn duplicates(
    game: &Game,
    names: &RuleTitles<'_>,
    relations: &Relations,
    findings: &mut Findings,
) {
    for (id, rule) in game.rules_with_ids() {
        let Some(first) = relations.duplicate_of(id) else {
            continue;
        };
        if game.rule(first).source == rule.source {
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

fn no_inverse(
    game: &Game,
    names: &RuleTitles<'_>,
    relations: &Relations,
    findings: &mut Findings,
) {
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
///
/// Each position is looked at alone: the values that it may hold in a state from which a goal state
/// can be reached, or that can be reached from such a state. That is more than the truth, so a rule
/// that is reported is really dead.
fn dead_rules(game: &Game, names: &RuleTitles<'_>, findings: &mut Findings) {
    if game.goals().is_empty() {
        return;
    }
    let mut possible = PossibleValues::of_goals(game);
    let mut live = vec![false; game.rules().len()];
    let mut first = vec![0; game.n_variables()];
    loop {
        let mut grown = false;
        for (rule, live) in game.rules().iter().zip(&mut live) {
            let (p, a) = (rule.canonical.preconditions(), rule.canonical.actions());
            if possible.admit(p, &mut first) {
                *live = true;
                grown |= possible.add(&rule.canonical, a, p, &mut first);
            }
            if possible.admit(a, &mut first) {
                grown |= possible.add(&rule.canonical, p, a, &mut first);
            }
        }
        if !grown {
            break;
        }
    }
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

/// For each position the values that it may hold.
struct PossibleValues(Vec<Vec<bool>>);

impl PossibleValues {
    fn of_goals(game: &Game) -> Self {
        let positions = 0..game.n_variables();
        let mut possible = Self(
            positions
                .map(|i| vec![false; game.domain_of(VarId::from_index(i)).size()])
                .collect(),
        );
        for goal in game.goals() {
            for (values, term) in possible.0.iter_mut().zip(goal.conditions()) {
                match term.as_constant() {
                    Some(value) => values[value.index()] = true,
                    None => values.fill(true),
                }
            }
        }
        possible
    }

    /// Whether some vector of possible values matches the pattern, two terms at a time. `first` is
    /// room for a place for each position.
    fn admit(&self, pattern: &[Term], first: &mut [usize]) -> bool {
        first.fill(usize::MAX);
        pattern
            .iter()
            .enumerate()
            .all(|(i, term)| match term.kind() {
                TermKind::Constant(value) => self.0[i][value.index()],
                TermKind::Variable(var) => {
                    // An unknown may stand at several positions, which then hold the same value.
                    let home = &mut first[var.index()];
                    if *home == usize::MAX {
                        *home = i;
                        return true;
                    }
                    self.0[i]
                        .iter()
                        .zip(&self.0[*home])
                        .any(|(here, there)| *here && *there)
                }
            })
    }

    /// Adds what stands on one side of a rule when `known` stands on the other. Says whether that is
    /// more than before. `first` is room for a place for each position.
    fn add(
        &mut self,
        rule: &CanonicalRule,
        side: &[Term],
        known: &[Term],
        first: &mut [usize],
    ) -> bool {
        let mut grown = false;
        // The first position of each unknown that the other side holds.
        first.fill(usize::MAX);
        for (i, term) in known.iter().enumerate().rev() {
            if let Some(var) = term.as_variable() {
                first[var.index()] = i;
            }
        }
        for (i, term) in side.iter().enumerate() {
            // A position that says the same on both sides gains nothing.
            if rule.preconditions()[i] == rule.actions()[i] {
                continue;
            }
            let var = match term.kind() {
                TermKind::Constant(value) => {
                    let slot = &mut self.0[i][value.index()];
                    grown |= !std::mem::replace(slot, true);
                    continue;
                }
                TermKind::Variable(var) => var,
            };
            let source = first[var.index()];
            for value in 0..self.0[i].len() {
                // A value that the other side doesn't hold may be any.
                if source == usize::MAX || self.0[source][value] {
                    grown |= !std::mem::replace(&mut self.0[i][value], true);
                }
            }
        }
        grown
    }
}

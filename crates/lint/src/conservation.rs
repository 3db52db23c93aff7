//! Counts that all rules but one or two keep: a rule that deletes the blank, or makes a second one.

use std::collections::BTreeSet;

use invariants::{ConservedSet, Fact, find};
use psvn_ir::{DomainId, Game, GameBuilder, RuleId, Value, VarId};
use psvn_syntax::Diagnostic;

use crate::subject::named_values::named_values;
use crate::subject::{Subject, count, touched};

/// The most work, in rules times sets of facts.
const MOST_WORK: usize = 1_000_000;
/// The most rules that may break a count.
const MOST_BREAKING: usize = 2;
/// For each rule that breaks a count, at least this many that touch it must keep it.
const EVIDENCE: usize = 4;
/// The most warnings.
const MOST_FINDINGS: usize = 3;

pub(crate) fn lint(subject: &Subject<'_>, findings: &mut Vec<Diagnostic>) {
    let mut blamed: BTreeSet<RuleId> = BTreeSet::new();
    let sets = value_counts(subject.game)
        .into_iter()
        .chain(counts_without_suspects(subject));
    let mut n_found = 0;
    for set in sets {
        let Some(odd) = broken_by_few(subject, &set) else {
            continue;
        };
        // A rule that breaks one count often breaks several.
        if odd.iter().all(|rule| blamed.contains(rule)) {
            continue;
        }
        for rule in odd {
            if blamed.insert(rule) && n_found < MOST_FINDINGS {
                findings.push(warning(subject, rule, &set));
                n_found += 1;
            }
        }
    }
}

/// For each domain with several variables, the facts that one of the variables holds a value, for
/// each value that rules name, and for one value that no rule names, since rules treat all of these
/// alike.
fn value_counts(game: &Game) -> Vec<ConservedSet> {
    let named = named_values(game);
    let mut sets = Vec::new();
    for (number, named) in named.iter().enumerate() {
        let vars: Vec<usize> = (0..game.n_variables())
            .filter(|i| game.variables()[*i].index() == number)
            .collect();
        let other = named.iter().position(|named| !named);
        let values: Vec<usize> = (0..named.len())
            .filter(|value| named[*value] || Some(*value) == other)
            .collect();
        if vars.len() < 2 || (sets.len() + values.len()) * game.rules().len() > MOST_WORK {
            continue;
        }
        sets.extend(values.iter().map(|value| {
            ConservedSet {
                facts: vars
                    .iter()
                    .map(|var| Fact {
                        var: VarId::from_index(*var),
                        value: Value::from_index(*value),
                    })
                    .collect(),
                only_one: false,
            }
        }));
    }
    sets
}

/// The values for which no rule changes how many variables hold them: those that are named, and the
/// others if rules treat all of these alike.
pub(crate) fn conserved_counts(game: &Game) -> Vec<(DomainId, Value)> {
    let named = named_values(game);
    let mut found = Vec::new();
    for set in value_counts(game) {
        let (Some(fact), true) = (
            set.facts.first(),
            set.broken_by(game).is_some_and(|rules| rules.is_empty()),
        ) else {
            continue;
        };
        let domain = game.variables()[fact.var.index()];
        let named = &named[domain.index()];
        if named[fact.value.index()] {
            found.push((domain, fact.value));
        } else {
            let alike = (0..named.len()).filter(|value| !named[*value]);
            found.extend(alike.map(|value| (domain, Value::from_index(value))));
        }
    }
    found
}

/// The sets that would be conserved without some suspicious rules: rules without an inverse, if
/// most rules have one. (Leaving out arbitrary rules proves nothing: some rule must be the only one
/// that connects two parts.)
fn counts_without_suspects(subject: &Subject<'_>) -> Vec<ConservedSet> {
    let rules = || subject.game.rules_with_ids().map(|(id, _)| id);
    let lonely: Vec<RuleId> = rules()
        .filter(|id| subject.relations.inverse(*id).is_none())
        .collect();
    if lonely.is_empty() || lonely.len() > 2 * MOST_BREAKING {
        return Vec::new();
    }
    let alone = lonely.iter().map(|id| vec![*id]);
    let groups: Vec<Vec<RuleId>> = alone.chain([lonely.clone()]).collect();
    if groups.len() * subject.n_rules() * subject.game.n_variables() > MOST_WORK {
        return Vec::new();
    }
    groups
        .iter()
        .filter_map(|group| without(subject.game, group))
        .flat_map(|game| find(&game).sets().to_vec())
        .collect()
}

/// The game without some of its rules, and without goals.
fn without(game: &Game, left_out: &[RuleId]) -> Option<Game> {
    let mut builder = GameBuilder::new();
    for domain in game.domains() {
        builder.domain(domain.clone());
    }
    for domain in game.variables() {
        builder.variable(*domain);
    }
    let sources: BTreeSet<usize> = left_out.iter().map(|id| game.rule(*id).source).collect();
    for (number, rule) in game.source_rules().iter().enumerate() {
        if !sources.contains(&number) {
            builder.rule(None, rule.lhs.to_vec(), rule.rhs.to_vec(), rule.cost);
        }
    }
    builder.build().ok()
}

/// The rules that break a count, if they are few and many others that touch it keep it.
fn broken_by_few(subject: &Subject<'_>, set: &ConservedSet) -> Option<Vec<RuleId>> {
    let odd = set.broken_by(subject.game)?;
    if odd.is_empty() || odd.len() > MOST_BREAKING {
        return None;
    }
    let has_to_do = |rule: &psvn_ir::Rule| {
        let touched = touched(rule);
        set.facts.iter().any(|fact| touched[fact.var.index()])
    };
    let n_concerned = subject
        .game
        .rules()
        .iter()
        .filter(|rule| has_to_do(rule))
        .count();
    (n_concerned >= odd.len() * (EVIDENCE + 1)).then_some(odd)
}

fn warning(subject: &Subject<'_>, rule: RuleId, set: &ConservedSet) -> Diagnostic {
    let game = subject.game;
    let mut values: Vec<(usize, Value)> = set
        .facts
        .iter()
        .map(|fact| (game.variables()[fact.var.index()].index(), fact.value))
        .collect();
    values.sort_unstable();
    values.dedup();
    let vars: BTreeSet<VarId> = set.facts.iter().map(|fact| fact.var).collect();
    let what = match values.as_slice() {
        [(domain, value)] => format!(
            "how many of {} hold `{}`",
            count(vars.len(), "variable"),
            game.domains()[*domain].value_name(*value)
        ),
        _ => format!("how many of {} hold", count(set.facts.len(), "fact")),
    };
    let title = subject.title(rule);
    let finding = subject.warn_at(
        rule,
        "broken-invariant",
        format!("{title} changes {what}, which the other rules keep"),
        "doesn't take away as many as it adds",
    );
    finding.hint("a value may be lost or doubled by mistake")
}

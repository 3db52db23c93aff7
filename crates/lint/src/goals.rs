//! Goals that no rule leads to, and goals that no start shares with the others.

use psvn_ir::{DomainId, Goal, RuleId, Term, TermKind, Value, VarId};
use psvn_syntax::Diagnostic;

use crate::conservation::conserved_counts;
use crate::subject::Subject;

/// The most work in the comparison of goals, in goals times variables times goals.
const MOST_WORK: usize = 10_000_000;

pub(crate) fn lint(subject: &Subject<'_>, findings: &mut Vec<Diagnostic>) {
    let game = subject.game;
    if game.rules().is_empty() {
        return;
    }
    separate(subject, findings);
    for goal in game.goals() {
        if let Some((position, value)) = never_produced(subject, goal) {
            let domain = game.domain_of(position);
            let value = domain.value_name(value);
            findings.push(
                Diagnostic::warning(
                    "goal-never-produced",
                    format!(
                        "the goal requires `{value}` for variable {}, which rules change, but never to \
                         `{value}`",
                        position.0 + 1
                    ),
                )
                .at_maybe(goal.span, "only starts that have it already get here")
                .hint("a rule may be missing, or a value misspelled"),
            );
        } else if !game
            .rules_with_ids()
            .any(|(id, _)| leads_to(subject, id, goal))
        {
            findings.push(
                Diagnostic::warning(
                    "unreachable-goal",
                    "no rule leads from another state to this goal",
                )
                .at_maybe(goal.span, "only starts that satisfy it get here")
                .hint(
                    "a rule may be missing, or the goal may require values that exclude each other",
                ),
            );
        }
    }
}

/// Warn of goals that require a different number of some value than most other goals, if no rule
/// changes that number: no start reaches both. Of two goals the second one is reported.
fn separate(subject: &Subject<'_>, findings: &mut Vec<Diagnostic>) {
    let game = subject.game;
    let goals = game.goals();
    if goals.len() < 2 || goals.len().pow(2) * game.n_variables() > MOST_WORK {
        return;
    }
    let conserved = conserved_counts(game);
    if conserved.is_empty() {
        return;
    }
    let counts: Vec<Vec<Bounds>> = goals
        .iter()
        .map(|goal| bounds(subject, goal, &conserved))
        .collect();
    let clash = |one: usize, other: usize| {
        let both = counts[one].iter().zip(&counts[other]);
        both.enumerate()
            .find(|(_, (one, other))| one.most < other.least || other.most < one.least)
            .map(|(place, _)| place)
    };
    let mut odd: Option<Diagnostic> = None;
    for (number, goal) in goals.iter().enumerate() {
        let others = (0..goals.len()).filter(|other| *other != number);
        let clashes: Vec<(usize, usize)> = others
            .filter_map(|other| Some((other, clash(number, other)?)))
            .collect();
        let is_odd = clashes.len() * 2 > goals.len() - 1 && (goals.len() > 2 || number == 1);
        let Some((other, place)) = clashes.first().copied().filter(|_| is_odd) else {
            continue;
        };
        let (domain, value) = conserved[place];
        let here = counts[number][place];
        let there = counts[other][place];
        let warning = Diagnostic::warning(
            "separate-goal",
            format!(
                "no start reaches both this goal and goal {}: `{}` occurs {} in this one and {} in that one, \
                 and no rule changes how often",
                other + 1,
                game.domain(domain).value_name(value),
                here.text(),
                there.text(),
            ),
        )
        .at_maybe(goal.span, format!("goal {}", number + 1))
        .hint("a value may be misspelled, or be written twice by mistake");
        match &mut odd {
            Some(first) => first.stand_for(warning, usize::MAX),
            None => odd = Some(warning),
        }
    }
    // If each goal is separate, none is odd: the file holds a collection of goals.
    if let Some(odd) = odd
        && (goals.len() == 2 || (odd.n_others + 1) * 2 < goals.len())
    {
        findings.push(odd);
    }
}

/// The number of occurrences of a value in the states that satisfy a goal.
#[derive(Clone, Copy)]
struct Bounds {
    least: usize,
    most: usize,
}

impl Bounds {
    fn text(self) -> String {
        let times = |n: usize| match n {
            0 => "never".to_owned(),
            1 => "once".to_owned(),
            2 => "twice".to_owned(),
            n => format!("{n} times"),
        };
        if self.least == self.most {
            times(self.least)
        } else {
            format!("{} to {} times", self.least, self.most)
        }
    }
}

/// For each value how often a goal has it.
fn bounds(subject: &Subject<'_>, goal: &Goal, values: &[(DomainId, Value)]) -> Vec<Bounds> {
    let game = subject.game;
    let mut n_constants: Vec<Vec<usize>> = game
        .domains()
        .iter()
        .map(|domain| vec![0; domain.size()])
        .collect();
    let mut n_open = vec![0; game.domains().len()];
    for (term, domain) in goal.conditions().iter().zip(game.variables()) {
        match term.as_constant() {
            Some(value) => n_constants[domain.index()][value.index()] += 1,
            None => n_open[domain.index()] += 1,
        }
    }
    values
        .iter()
        .map(|(domain, value)| {
            let least = n_constants[domain.index()][value.index()];
            let most = least + n_open[domain.index()];
            Bounds { least, most }
        })
        .collect()
}

/// Warn of a position that rules change, but never to the value that the goal requires there.
fn never_produced(subject: &Subject<'_>, goal: &Goal) -> Option<(VarId, Value)> {
    let game = subject.game;
    let mut changed = vec![false; game.n_variables()];
    let mut produced = vec![false; game.n_variables()];
    for rule in game.rules() {
        for (position, after) in rule.canonical.changes() {
            let i = position.index();
            changed[i] = true;
            // An unknown may have any value.
            produced[i] |= after
                .as_constant()
                .is_none_or(|value| goal.conditions()[i].as_constant() == Some(value));
        }
    }
    let wanted = goal.conditions().iter().enumerate();
    wanted
        .filter_map(|(i, term)| Some((i, term.as_constant()?)))
        .find(|(i, _)| changed[*i] && !produced[*i])
        .map(|(i, value)| (VarId::from_index(i), value))
}

/// Whether a rule can lead to a goal state from a different state: its actions don't contradict the
/// goal.
///
/// Compares constants, and unknowns that two positions share. This overestimates what rules can do,
/// so a goal is reported only if no rule can lead there.
fn leads_to(subject: &Subject<'_>, rule: RuleId, goal: &Goal) -> bool {
    let rule = &subject.game.rule(rule).canonical;
    if rule.changes().next().is_none() {
        return false;
    }
    let mut known: Vec<Option<Value>> = vec![None; rule.n_variables()];
    let wanted = |term: &Term| term.as_constant();
    for (after, want) in rule.actions().iter().zip(goal.conditions()) {
        let Some(want) = wanted(want) else { continue };
        match after.kind() {
            TermKind::Constant(value) if value != want => return false,
            TermKind::Constant(_) => {}
            TermKind::Variable(var) => {
                if known[var.index()]
                    .replace(want)
                    .is_some_and(|other| other != want)
                {
                    return false;
                }
            }
        }
    }
    true
}

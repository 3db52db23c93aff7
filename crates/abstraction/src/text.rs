//! Games as PSVN text.

use std::fmt::Write;

use psvn_ir::{CanonicalRule, Domain, Game, Term, TermKind, VarId};

/// Write a game as PSVN text, which reads back as a game with the same rules, costs and goals.
///
/// The deterministic rules are written in canonical form, one per line. Domains are declared unless
/// their names are those of built-in ones with the same values, or no variable has them.
pub fn to_psvn(game: &Game) -> String {
    let mut text = String::new();
    for (number, domain) in game.domains().iter().enumerate() {
        let is_used = game.variables().iter().any(|id| id.index() == number);
        if is_built_in(domain) || !is_used {
            continue;
        }
        let name = declared_name(game, number);
        let _ = writeln!(
            text,
            "DOMAIN {name} {} {}",
            domain.size(),
            domain.values().join(" ")
        );
    }
    let names: Vec<String> = game
        .variables()
        .iter()
        .map(|id| {
            if is_built_in(game.domain(*id)) {
                game.domain(*id).name().to_owned()
            } else {
                declared_name(game, id.index())
            }
        })
        .collect();
    let _ = writeln!(text, "\n{}\n{}\n", game.n_variables(), names.join(" "));
    let stem = symbol_stem(game);
    for rule in game.rules() {
        let (left, right) = sides(game, &rule.canonical, &stem);
        let _ = write!(text, "{left} => {right} LABEL {}", rule.label);
        match rule.canonical.cost() {
            1 => text.push('\n'),
            cost => drop(writeln!(text, " COST {cost}")),
        }
    }
    for goal in game.goals() {
        let (left, _) = goal_sides(game, goal.conditions(), &stem);
        let _ = writeln!(text, "GOAL {left}");
    }
    text
}

fn is_built_in(domain: &Domain) -> bool {
    let built_in = Domain::built_in(domain.name());
    built_in.is_some_and(|found| found.is_ok_and(|found| found.values() == domain.values()))
}

/// Return a new name for a domain that must be declared: names of built-in domains are reserved.
fn declared_name(game: &Game, number: usize) -> String {
    let name = game.domains()[number].name();
    let twins = game
        .domains()
        .iter()
        .filter(|other| other.name().eq_ignore_ascii_case(name));
    if Domain::built_in(name).is_none() && twins.count() == 1 {
        return name.to_owned();
    }
    let mut own = format!("domain_{}_{name}", number + 1);
    while game
        .domains()
        .iter()
        .any(|other| other.name().eq_ignore_ascii_case(&own))
    {
        own.push('_');
    }
    own
}

/// Return a prefix for symbols that no value has.
fn symbol_stem(game: &Game) -> String {
    let mut stem = "x".to_owned();
    let begins = |stem: &str| {
        let mut names = game.domains().iter().flat_map(psvn_ir::Domain::values);
        names.any(|name| name.to_ascii_lowercase().starts_with(stem))
    };
    while begins(&stem) {
        stem.push('x');
    }
    stem
}

fn sides(game: &Game, rule: &CanonicalRule, stem: &str) -> (String, String) {
    goal_or_rule(game, rule.preconditions(), rule.actions(), stem)
}

fn goal_sides(game: &Game, conditions: &[Term], stem: &str) -> (String, String) {
    goal_or_rule(game, conditions, conditions, stem)
}

fn goal_or_rule(game: &Game, left: &[Term], right: &[Term], stem: &str) -> (String, String) {
    let uses = |var: VarId| {
        let terms = left.iter().chain(right);
        terms.filter(|term| term.as_variable() == Some(var)).count()
    };
    let write = |position: usize, term: Term, other: Term| {
        let own = term.is_own_variable(position) && other == term;
        match term.kind() {
            TermKind::Variable(var) if own && uses(var) == 2 => "-".to_owned(),
            TermKind::Variable(var) => format!("{stem}{}", var.0 + 1),
            TermKind::Constant(_) => game.format_term(VarId::from_index(position), term),
        }
    };
    let line = |terms: &[Term], others: &[Term]| {
        let cells = terms.iter().zip(others).enumerate();
        let cells: Vec<String> = cells
            .map(|(i, (term, other))| write(i, *term, *other))
            .collect();
        cells.join(" ")
    };
    (line(left, right), line(right, left))
}

//! `psvn show`: what the game is, in canonical form.

use std::io::Write;

use invariants::{Description, Invariants};
use psvn_ir::{Game, Relations, RuleId};
use serde::Serialize;

use crate::args::ShowArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::macro_text;
use crate::output::table::{Align, Table};
use crate::session::Context;
use psvn::Game as NamedGame;
use psvn::RuleNames;
use psvn::text::units::count;

/// The most rules that are listed as text unless all are wanted.
const MAX_RULES: usize = 200;

/// The most invariants that are listed as text unless all are wanted.
const MAX_INVARIANTS: usize = 20;

/// The most values of a domain that are listed as text unless all are wanted.
const MAX_VALUES: usize = 20;

#[derive(Serialize)]
struct Report {
    file: String,
    hash: String,
    domains: Vec<DomainEntry>,
    variables: Vec<String>,
    source_rules: usize,
    /// The rows among them that say nothing, and are no rules.
    empty_rows: usize,
    rules: Vec<RuleEntry>,
    goals: Vec<GoalEntry>,
    goal_state: Option<String>,
    /// What holds in all states that can be reached from a goal state.
    invariants: Vec<InvariantEntry>,
    one_to_one: usize,
    without_inverse: usize,
    duplicates: usize,
}

#[derive(Serialize)]
struct DomainEntry {
    name: String,
    size: usize,
    values: Vec<String>,
}

#[derive(Serialize)]
struct RuleEntry {
    /// From 1, as in `rule_N`.
    number: usize,
    name: String,
    label: String,
    /// The rule of the file that this one is an instance of, from 1.
    source_rule: usize,
    cost: u64,
    preconditions: Vec<String>,
    actions: Vec<String>,
    rule: String,
    one_to_one: bool,
    inverse: Option<String>,
    duplicate_of: Option<String>,
}

#[derive(Serialize)]
struct GoalEntry {
    conditions: Vec<String>,
}

#[derive(Serialize)]
struct InvariantEntry {
    statement: String,
    /// Why it holds.
    reason: String,
}

pub(crate) fn run(args: &ShowArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let game = NamedGame::open(&args.file, &cx.env)?;
    let report = Report::of(&game);
    match cx.format {
        Format::Text => report.print(args.all, cx)?,
        Format::Json => cx.out.json(&report)?,
        Format::Csv => {
            cx.out.csv([
                "number",
                "name",
                "source_rule",
                "cost",
                "rule",
                "one_to_one",
                "inverse",
                "duplicate_of",
            ])?;
            for rule in &report.rules {
                cx.out.csv([
                    rule.number.to_string().as_str(),
                    &rule.name,
                    &rule.source_rule.to_string(),
                    &rule.cost.to_string(),
                    &rule.rule,
                    &rule.one_to_one.to_string(),
                    rule.inverse.as_deref().unwrap_or_default(),
                    rule.duplicate_of.as_deref().unwrap_or_default(),
                ])?;
            }
        }
    }
    Ok(Exit::Done)
}

/// The invariants of a game's goal states.
fn invariants(game: &Game) -> Vec<InvariantEntry> {
    if game.goals().is_empty() {
        return Vec::new();
    }
    let described = Invariants::from_goals(game).describe(game);
    let entry = |Description { statement, reason }| InvariantEntry { statement, reason };
    described.into_iter().map(entry).collect()
}

impl Report {
    fn of(named: &NamedGame) -> Self {
        let game = named.ir();
        let names = RuleNames::new(game);
        let relations = Relations::of(game);
        let entry = |id: RuleId| {
            let rule = game.rule(id);
            let canonical = &rule.canonical;
            RuleEntry {
                number: id.index() + 1,
                name: names.name(id),
                label: rule.label.to_string(),
                source_rule: rule.source + 1,
                cost: canonical.cost(),
                preconditions: macro_text::terms(game, canonical.preconditions()),
                actions: macro_text::terms(game, canonical.actions()),
                rule: game.format_rule(canonical),
                one_to_one: canonical.is_one_to_one(),
                inverse: relations.inverse(id).map(|inverse| names.name(inverse)),
                duplicate_of: relations.duplicate_of(id).map(|first| names.name(first)),
            }
        };
        let rules: Vec<RuleEntry> = game.rules_with_ids().map(|(id, _)| entry(id)).collect();
        let n_rules_with = |has: fn(&&RuleEntry) -> bool| rules.iter().filter(has).count();
        Self {
            file: named.name().to_owned(),
            hash: game.content_hash().to_string(),
            domains: game
                .domains()
                .iter()
                .map(|domain| DomainEntry {
                    name: domain.name().to_owned(),
                    size: domain.size(),
                    values: domain.values().to_vec(),
                })
                .collect(),
            variables: game
                .variables()
                .iter()
                .map(|id| game.domain(*id).name().to_owned())
                .collect(),
            source_rules: game.source_rules().len(),
            empty_rows: game
                .source_rules()
                .iter()
                .filter(|rule| rule.says_nothing())
                .count(),
            goals: game
                .goals()
                .iter()
                .map(|goal| GoalEntry {
                    conditions: macro_text::terms(game, goal.conditions()),
                })
                .collect(),
            goal_state: game
                .goal_state()
                .map(|state| game.format_state(state.values())),
            invariants: invariants(game),
            one_to_one: n_rules_with(|rule| rule.one_to_one),
            without_inverse: n_rules_with(|rule| rule.inverse.is_none()),
            duplicates: n_rules_with(|rule| rule.duplicate_of.is_some()),
            rules,
        }
    }

    fn print(&self, all: bool, cx: &mut Context) -> Result<(), Failure> {
        let out = &mut cx.out;
        writeln!(
            out,
            "{}: {}, {}, {}",
            self.file,
            count(self.variables.len(), "variable"),
            count(self.rules.len(), "rule"),
            count(self.goals.len(), "goal"),
        )?;
        if self.source_rules - self.empty_rows != self.rules.len() {
            let written = count(self.source_rules, "rule");
            writeln!(out, "The file has {written}; unbound symbols are expanded.")?;
        }
        if self.empty_rows > 0 {
            let rows = count(self.empty_rows, "row");
            writeln!(out, "{rows} of nothing but `-` left out.")?;
        }
        writeln!(out, "Fingerprint {}", self.hash)?;

        writeln!(out, "\nDomains")?;
        let mut table = Table::new([
            ("name", Align::Left),
            ("size", Align::Right),
            ("variables", Align::Left),
            ("values", Align::Left),
        ]);
        for domain in &self.domains {
            let users = self
                .variables
                .iter()
                .enumerate()
                .filter(|(_, name)| **name == domain.name)
                .map(|(position, _)| position + 1);
            let shown = if all { domain.size } else { MAX_VALUES };
            let mut values = domain.values[..shown.min(domain.size)].join(" ");
            if shown < domain.size {
                values.push_str(" ...");
            }
            table.row([
                domain.name.clone(),
                domain.size.to_string(),
                ranges(users),
                values,
            ]);
        }
        table.print(out)?;

        writeln!(out, "\nRules")?;
        let mut table = Table::new([
            ("", Align::Right),
            ("name", Align::Left),
            ("cost", Align::Right),
            ("inverse", Align::Left),
            ("rule", Align::Left),
        ]);
        let shown = if all { self.rules.len() } else { MAX_RULES };
        for rule in self.rules.iter().take(shown) {
            let inverse = match &rule.inverse {
                Some(inverse) => inverse.clone(),
                None if rule.one_to_one => "none".to_owned(),
                None => "none, loses values".to_owned(),
            };
            let mut text = rule.rule.clone();
            if let Some(first) = &rule.duplicate_of {
                text.push_str(&format!("  (the same as {first})"));
            }
            table.row([
                rule.number.to_string(),
                rule.name.clone(),
                rule.cost.to_string(),
                inverse,
                text,
            ]);
        }
        table.print(out)?;
        if shown < self.rules.len() {
            writeln!(
                out,
                "  ... and {} more (--all shows them)",
                self.rules.len() - shown
            )?;
        }
        writeln!(
            out,
            "  {} of {} one-to-one, {} without an inverse, {}",
            self.one_to_one,
            self.rules.len(),
            self.without_inverse,
            count(self.duplicates, "duplicate"),
        )?;

        writeln!(out, "\nGoals")?;
        let shown = if all { self.goals.len() } else { MAX_RULES };
        for goal in self.goals.iter().take(shown) {
            writeln!(out, "  <{}>", goal.conditions.join(" "))?;
        }
        if shown < self.goals.len() {
            writeln!(out, "  ... and {} more", self.goals.len() - shown)?;
        }
        if self.goals.is_empty() {
            writeln!(out, "  none: no state is a goal state")?;
            return Ok(());
        }

        writeln!(out, "\nInvariants, from the goals on")?;
        let shown = if all {
            self.invariants.len()
        } else {
            MAX_INVARIANTS
        };
        for invariant in self.invariants.iter().take(shown) {
            writeln!(out, "  {}", shortened(&invariant.statement, all))?;
            writeln!(out, "      {}", shortened(&invariant.reason, all))?;
        }
        if shown < self.invariants.len() {
            writeln!(
                out,
                "  ... and {} more (--all shows them)",
                self.invariants.len() - shown
            )?;
        }
        if self.invariants.is_empty() {
            writeln!(out, "  none were found")?;
        }
        Ok(())
    }
}

/// A sentence that fits on a line or two, unless everything is wanted.
fn shortened(text: &str, all: bool) -> String {
    const MOST: usize = 160;
    match text.char_indices().nth(MOST) {
        Some((end, _)) if !all => format!("{} ...", &text[..end]),
        _ => text.to_owned(),
    }
}

/// Ascending numbers with runs shortened: `1-4, 7`.
fn ranges(numbers: impl Iterator<Item = usize>) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, end)) if *end + 1 == number => *end = number,
            _ => runs.push((number, number)),
        }
    }
    let texts: Vec<String> = runs
        .into_iter()
        .map(|(start, end)| match end - start {
            0 => start.to_string(),
            1 => format!("{start}, {end}"),
            _ => format!("{start}-{end}"),
        })
        .collect();
    if texts.is_empty() {
        "none".to_owned()
    } else {
        texts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn runs_are_shortened() {
        assert_eq!(ranges([1, 2, 3, 5, 7, 8].into_iter()), "1-3, 5, 7, 8");
        assert_eq!(ranges(std::iter::empty()), "none");
    }
}

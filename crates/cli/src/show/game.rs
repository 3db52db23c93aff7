//! A game in canonical form, and the findings in its text.

use std::io::{self, Write};

use psvn::text::units::{count, format_runs, group_text};
use psvn::{GameDescription, RuleDescription};

use super::row::{columns, records};
use super::{Align, Records, Show, Style, Table};

/// The maximum number of rules, and of goals, that are listed unless all are requested.
const MAX_RULES: usize = 200;

/// The maximum number of invariants that are listed unless all are requested.
const MAX_INVARIANTS: usize = 20;

/// The maximum number of values of a domain that are listed unless all are requested.
const MAX_VALUES: usize = 20;

impl Show for GameDescription {
    fn show(&self, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let game = self;
        writeln!(
            out,
            "{}: {}, {}, {}",
            game.file,
            count(game.variables.len(), "variable"),
            count(game.rules.len(), "rule"),
            count(game.goals.len(), "goal"),
        )?;
        if game.source_rules - game.empty_rows != game.rules.len() {
            let written = count(game.source_rules, "rule");
            writeln!(out, "The file has {written}; unbound symbols are expanded.")?;
        }
        if game.empty_rows > 0 {
            let rows = count(game.empty_rows, "row");
            writeln!(out, "{rows} of nothing but `-` left out.")?;
        }
        writeln!(out, "Fingerprint {}", game.hash)?;
        domains(game, style, out)?;
        rules(game, style, out)?;
        goals(game, style, out)?;
        if game.goals.is_empty() {
            return writeln!(out, "  none: no state is a goal state");
        }
        invariants(game, style, out)
    }

    fn records(&self) -> Option<Records> {
        records(&self.rules)
    }
}

columns!(
    RuleDescription: number, name, source_rule, cost, rule, one_to_one, inverse, duplicate_of,
);

fn domains(game: &GameDescription, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\nDomains")?;
    let mut table = Table::new([
        ("name", Align::Left),
        ("size", Align::Right),
        ("variables", Align::Left),
        ("values", Align::Left),
    ]);
    for domain in &game.domains {
        let users = game
            .variables
            .iter()
            .enumerate()
            .filter(|(_, name)| **name == domain.name)
            .map(|(position, _)| position + 1);
        let shown = style.shown(domain.size, MAX_VALUES);
        let mut values = domain.values[..shown].join(" ");
        if shown < domain.size {
            values.push_str(" ...");
        }
        table.row([
            domain.name.clone(),
            domain.size.to_string(),
            match format_runs(users) {
                none if none.is_empty() => "none".to_owned(),
                runs => runs,
            },
            values,
        ]);
    }
    table.print(out)
}

fn rules(game: &GameDescription, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\nRules")?;
    let mut table = Table::new([
        ("", Align::Right),
        ("name", Align::Left),
        ("cost", Align::Right),
        ("inverse", Align::Left),
        ("rule", Align::Left),
    ]);
    let shown = style.shown(game.rules.len(), MAX_RULES);
    for rule in game.rules.iter().take(shown) {
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
    if shown < game.rules.len() {
        writeln!(out, "  {}", style.more(game.rules.len() - shown))?;
    }
    writeln!(
        out,
        "  {} of {} one-to-one, {} without an inverse, {}",
        game.one_to_one,
        game.rules.len(),
        game.without_inverse,
        count(game.duplicates, "duplicate"),
    )
}

fn goals(game: &GameDescription, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\nGoals")?;
    let shown = style.shown(game.goals.len(), MAX_RULES);
    for goal in game.goals.iter().take(shown) {
        writeln!(out, "  <{}>", goal.conditions.join(" "))?;
    }
    if shown < game.goals.len() {
        writeln!(out, "  {}", style.more(game.goals.len() - shown))?;
    }
    if let Some(digits) = &game.reachable_states {
        let n_states = group_text(digits);
        writeln!(
            out,
            "  {n_states} states can be reached from the goal, and it from each of them"
        )?;
    }
    Ok(())
}

fn invariants(game: &GameDescription, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\nInvariants, from the goals on")?;
    let shown = style.shown(game.invariants.len(), MAX_INVARIANTS);
    for invariant in game.invariants.iter().take(shown) {
        writeln!(out, "  {}", shortened(&invariant.statement, style))?;
        writeln!(out, "      {}", shortened(&invariant.reason, style))?;
    }
    if shown < game.invariants.len() {
        writeln!(out, "  {}", style.more(game.invariants.len() - shown))?;
    }
    if game.invariants.is_empty() {
        writeln!(out, "  none were found")?;
    }
    Ok(())
}

/// Return a sentence, shortened to a line or two unless everything is requested.
fn shortened(text: &str, style: &Style) -> String {
    const MOST: usize = 160;
    match text.char_indices().nth(MOST) {
        Some((end, _)) if !style.all => format!("{} ...", &text[..end]),
        _ => text.to_owned(),
    }
}

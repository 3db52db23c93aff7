//! `psvn show`: what the game is, in canonical form.

use std::io::Write;

use psvn::analysis::SplitRule;
use psvn::machine::split_rules;
use psvn::text::units::{count, format_runs};
use psvn::{Game, GameDescription};
use serde::Serialize;

use super::super::analyses::print_rules;
use crate::args::ShowArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::table::{Align, Table};
use crate::session::Context;

/// The most rules that are listed as text unless all are wanted.
const MAX_RULES: usize = 200;

/// The most invariants that are listed as text unless all are wanted.
const MAX_INVARIANTS: usize = 20;

/// The most values of a domain that are listed as text unless all are wanted.
const MAX_VALUES: usize = 20;

/// A game, and which of its rules a machine splits.
#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    game: &'a GameDescription,
    #[serde(skip_serializing_if = "Option::is_none")]
    splits: Option<Vec<SplitRule>>,
}

pub(crate) fn run(args: &ShowArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let game = Game::open(&args.file, &cx.env)?;
    let report = GameDescription::of(&game);
    let splits = args.machine.as_ref();
    let splits = splits.map(|path| split_rules(&game, path)).transpose()?;
    match cx.format {
        Format::Text => {
            print(&report, args.all, cx)?;
            if let Some(splits) = &splits {
                writeln!(cx.out, "\nSplit by values")?;
                let all = args.all || cx.log.is_verbose();
                print_rules(splits, all, &mut cx.out)?;
                if splits.is_empty() {
                    writeln!(cx.out, "  none of the rules")?;
                }
            }
        }
        Format::Json => cx.out.json(&Shown {
            game: &report,
            splits,
        })?,
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

fn print(game: &GameDescription, all: bool, cx: &mut Context) -> Result<(), Failure> {
    let out = &mut cx.out;
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
        let shown = if all { domain.size } else { MAX_VALUES };
        let mut values = domain.values[..shown.min(domain.size)].join(" ");
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
    table.print(out)?;

    writeln!(out, "\nRules")?;
    let mut table = Table::new([
        ("", Align::Right),
        ("name", Align::Left),
        ("cost", Align::Right),
        ("inverse", Align::Left),
        ("rule", Align::Left),
    ]);
    let shown = if all { game.rules.len() } else { MAX_RULES };
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
        writeln!(
            out,
            "  ... and {} more (--all shows them)",
            game.rules.len() - shown
        )?;
    }
    writeln!(
        out,
        "  {} of {} one-to-one, {} without an inverse, {}",
        game.one_to_one,
        game.rules.len(),
        game.without_inverse,
        count(game.duplicates, "duplicate"),
    )?;

    writeln!(out, "\nGoals")?;
    let shown = if all { game.goals.len() } else { MAX_RULES };
    for goal in game.goals.iter().take(shown) {
        writeln!(out, "  <{}>", goal.conditions.join(" "))?;
    }
    if shown < game.goals.len() {
        writeln!(out, "  ... and {} more", game.goals.len() - shown)?;
    }
    if game.goals.is_empty() {
        writeln!(out, "  none: no state is a goal state")?;
        return Ok(());
    }

    writeln!(out, "\nInvariants, from the goals on")?;
    let shown = if all {
        game.invariants.len()
    } else {
        MAX_INVARIANTS
    };
    for invariant in game.invariants.iter().take(shown) {
        writeln!(out, "  {}", shortened(&invariant.statement, all))?;
        writeln!(out, "      {}", shortened(&invariant.reason, all))?;
    }
    if shown < game.invariants.len() {
        writeln!(
            out,
            "  ... and {} more (--all shows them)",
            game.invariants.len() - shown
        )?;
    }
    if game.invariants.is_empty() {
        writeln!(out, "  none were found")?;
    }
    Ok(())
}

/// A sentence that fits on a line or two, unless everything is wanted.
fn shortened(text: &str, all: bool) -> String {
    const MOST: usize = 160;
    match text.char_indices().nth(MOST) {
        Some((end, _)) if !all => format!("{} ...", &text[..end]),
        _ => text.to_owned(),
    }
}

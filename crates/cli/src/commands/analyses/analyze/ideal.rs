//! The nodes that a machine leaves beside those of the ideal tree.

use std::io::Write;
use std::time::Instant;

use psvn::analysis::{
    AnalysisRequest, Ideal, IdealDifference, IdealGrowth, IdealRequest, compare_with_ideal,
};
use psvn::text::units::count;
use psvn::{Analysis, Game, Limits};

use crate::args::AnalyzeArgs;
use crate::failure::Failure;
use crate::output::table::{Align, Table};
use crate::session::Context;

/// The memory that the trees may take unless a limit is given.
const DEFAULT_MEMORY: usize = 2 << 30;

/// Compare what an analysis leaves with the ideal, in the time that is left.
pub(super) fn compare(
    args: &AnalyzeArgs,
    game: &Game,
    setting: &AnalysisRequest,
    analysis: &Analysis,
    started: Instant,
    cx: &Context,
) -> Result<Ideal, Failure> {
    let wanted = IdealRequest {
        depth: args.depth,
        most_differences: args.differences,
        start: args.start.clone(),
    };
    let limits = Limits {
        time: args
            .limits
            .time
            .map(|time| time.saturating_sub(started.elapsed())),
        memory: args.limits.memory.or(Some(DEFAULT_MEMORY)),
        ..Limits::default()
    };
    let compared = compare_with_ideal(game, setting, analysis, &wanted, &limits, &cx.env)?;
    Ok(compared)
}

pub(super) fn print(ideal: &Ideal, out: &mut impl Write) -> Result<(), Failure> {
    writeln!(
        out,
        "\nNodes by depth from `{}`, with the machine and in the ideal tree of length {}:",
        ideal.start, ideal.max_length
    )?;
    let mut titles = vec!["depth", "machine", "ideal", "ratio"];
    if ideal.split_growth.is_some() {
        titles.push("split");
    }
    let mut table = Table::new(titles.into_iter().map(|title| (title, Align::Right)));
    for depth in &ideal.depths {
        let ratio = depth.ratio.map_or("-".to_owned(), |it| format!("{it:.3}"));
        let mut row = vec![
            depth.depth.to_string(),
            depth.machine.to_string(),
            depth.ideal.to_string(),
            ratio,
        ];
        row.extend(depth.split.map(|nodes| nodes.to_string()));
        table.row(row);
    }
    table.print(out)?;
    print_growth(ideal, ", last 4 moves", |it| it.last_moves, out)?;
    print_growth(ideal, ", in the long run", |it| it.long_run, out)?;
    let states = if ideal.all_states {
        format!("the {} states", ideal.states)
    } else {
        format!("the {} states within the depth", ideal.states)
    };
    if ideal.differences.is_empty() {
        return Ok(writeln!(out)?);
    }
    writeln!(
        out,
        "The first sequences that are kept, and that others replace in some of {states}:"
    )?;
    for difference in &ideal.differences {
        print_difference(difference, out)?;
    }
    writeln!(out)?;
    Ok(())
}

/// Print the growth of both trees, where it is known.
fn print_growth(
    ideal: &Ideal,
    title: &str,
    factor: fn(&IdealGrowth) -> Option<f64>,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let [machine, least] = [&ideal.machine_growth, &ideal.ideal_growth].map(factor);
    if let (Some(machine), Some(least)) = (machine, least) {
        writeln!(
            out,
            "Growth with each move{title}: {machine:.3} with the machine, {least:.3} ideal"
        )?;
    }
    Ok(())
}

fn print_difference(found: &IdealDifference, out: &mut impl Write) -> Result<(), Failure> {
    let replacement = match found.replacement.as_slice() {
        [] => "doing nothing leads there".to_owned(),
        rules => format!("{} leads there", rules.join(" ")),
    };
    writeln!(
        out,
        "  {}: replaced in {} of {}, such as `{}`",
        found.word.join(" "),
        found.states,
        count(found.applicable, "state"),
        found.state,
    )?;
    writeln!(
        out,
        "    {replacement} as well, since {}",
        found.missing.join(" and ")
    )?;
    Ok(())
}

pub(super) fn write_csv(ideal: &Ideal, cx: &mut Context) -> Result<(), Failure> {
    cx.out.csv(["depth", "machine", "ideal"])?;
    for depth in &ideal.depths {
        cx.out.csv([
            depth.depth.to_string(),
            depth.machine.to_string(),
            depth.ideal.to_string(),
        ])?;
    }
    Ok(())
}

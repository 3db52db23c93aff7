//! The nodes that a machine leaves, compared with those of the ideal tree.

use std::io::{self, Write};

use psvn::analysis::{Ideal, IdealDepth, IdealDifference, IdealGrowth};
use psvn::text::units::count;

use crate::show::lines::sequence;
use crate::show::row::{columns, records};
use crate::show::{Align, Records, Show, Style, Table};

impl Show for Ideal {
    fn show(&self, _: &Style, out: &mut dyn Write) -> io::Result<()> {
        let ideal = self;
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
            return writeln!(out);
        }
        writeln!(
            out,
            "The first sequences that are kept, and that others replace in some of {states}:"
        )?;
        for difference in &ideal.differences {
            print_difference(difference, out)?;
        }
        writeln!(out)
    }

    fn records(&self) -> Option<Records> {
        records(&self.depths)
    }
}

columns!(IdealDepth: depth, machine, ideal);

/// Print the growth of both trees, where it is known.
fn print_growth(
    ideal: &Ideal,
    title: &str,
    factor: fn(&IdealGrowth) -> Option<f64>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let [machine, least] = [&ideal.machine_growth, &ideal.ideal_growth].map(factor);
    if let (Some(machine), Some(least)) = (machine, least) {
        writeln!(
            out,
            "Growth with each move{title}: {machine:.3} with the machine, {least:.3} ideal"
        )?;
    }
    Ok(())
}

fn print_difference(found: &IdealDifference, out: &mut dyn Write) -> io::Result<()> {
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
        "    {} leads there as well, since {}",
        sequence(&found.replacement),
        found.missing.join(" and ")
    )?;
    Ok(())
}

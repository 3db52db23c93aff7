//! Results about games of two players.

use std::io::{self, Write};
use std::time::Duration;

use psvn::text::Parameter;
use psvn::text::units::{count, format_work};
use two_players::{NutshellRecord, OutcomesReport, PositionReport};

use super::{Align, Show, Style, Table};

impl Show for PositionReport {
    fn show(&self, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let found = self;
        writeln!(out, "{} to move: {}", found.player, found.verdict)?;
        if let Some(best) = &found.best {
            writeln!(out, "Best move: {best}")?;
            writeln!(out, "Line: {}", found.line.join(" "))?;
        }
        if let Some(ply) = found.ply {
            let how = match (found.certain, found.stopped) {
                (true, _) => "nothing changes further ahead".to_owned(),
                (false, None) => format!("the limit of {}", style.term(Parameter::Ply)),
                (false, Some(reason)) => reason.to_string(),
            };
            writeln!(out, "Looked {} ahead: {how}", count(ply as usize, "move"))?;
        }
        let elapsed = Duration::from_secs_f64(found.seconds);
        writeln!(
            out,
            "{}, {}",
            count(found.nodes as usize, "position"),
            format_work(u128::from(found.nodes), elapsed)
        )?;
        Ok(())
    }
}

impl Show for OutcomesReport {
    fn show(&self, _: &Style, out: &mut dyn Write) -> io::Result<()> {
        let found = self;
        let moves = found.moves_to_end.map_or_else(String::new, |n| {
            format!(" in {}", count(n as usize, "move"))
        });
        writeln!(out, "{} to move: {}{moves}", found.player, found.outcome)?;
        if let Some(best) = &found.best {
            writeln!(out, "Best move: {best}")?;
        }
        writeln!(
            out,
            "{}{}: {} won, {} lost, {} drawn for the player to move",
            count(found.positions, "position"),
            match found.symmetries {
                None => String::new(),
                Some(1) => " (no symmetries)".to_owned(),
                Some(n) => format!(" up to {n} symmetries"),
            },
            found.won,
            found.lost,
            found.drawn
        )?;
        match found.games {
            Some(1) => writeln!(out, "1 way to play to the end")?,
            Some(games) => writeln!(out, "{games} ways to play to the end")?,
            None => {}
        }
        Ok(())
    }
}

impl Show for [NutshellRecord] {
    fn show(&self, _: &Style, out: &mut dyn Write) -> io::Result<()> {
        let head = [
            "k",
            "openings",
            "Minimax",
            "AlphaBeta",
            "reduction",
            "variation",
        ];
        let mut table = Table::new(head.map(|title| (title, Align::Right)));
        for row in self {
            table.row([
                row.k.to_string(),
                row.openings.to_string(),
                row.minimax.to_string(),
                row.alpha_beta.to_string(),
                format!("{:.0}%", 100.0 * row.reduction),
                format!("±{:.1}%", 100.0 * row.variation),
            ]);
        }
        table.print(out)
    }
}

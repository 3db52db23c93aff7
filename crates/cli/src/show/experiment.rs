//! The experiments that come with the program, and the outcome of one.

use std::io::{self, Write};

use experiment::{ExperimentReport, Preset};
use psvn::text::units::count;

use super::row::{columns, records};
use super::{Align, Records, Show, Style, Table};

impl Show for ExperimentReport {
    fn show(&self, _: &Style, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.title)?;
        writeln!(
            out,
            "  {}: {} measured, {} kept from before, {} left",
            count(self.cells, "cell"),
            self.measured,
            self.kept,
            self.cells - self.kept - self.measured
        )?;
        if self.stopped > 0 {
            writeln!(out, "  {} stopped by a limit", self.stopped)?;
        }
        if self.failed > 0 {
            let failed = self.failed;
            writeln!(out, "  {failed} could not be run; the report says why")?;
        }
        Ok(())
    }

    fn records(&self) -> Option<Records> {
        records([self])
    }
}

columns!(ExperimentReport: results, cells, kept, measured, stopped, failed);

impl Show for [Preset] {
    fn show(&self, _: &Style, out: &mut dyn Write) -> io::Result<()> {
        let mut table = Table::new([("", Align::Left), ("", Align::Left)]);
        for preset in self {
            table.row([preset.name, preset.about]);
        }
        table.print_body(out)
    }

    fn records(&self) -> Option<Records> {
        records(self)
    }
}

columns!(Preset: name, about);

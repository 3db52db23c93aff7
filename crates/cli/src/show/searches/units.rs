//! Units of work, and the bounds that wait for them.

use std::io::{self, Write};

use psvn::solve::units::{OpenUnits, WorkedUnit};
use psvn::text::units::{count, group_digits};

use crate::show::lines::paragraph;
use crate::show::row::columns;
use crate::show::{Show, Style};

/// The most missing units that are listed unless all are requested.
const MOST_MISSING: usize = 12;

impl Show for OpenUnits {
    fn show(&self, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let (bound, folder) = (group_digits(self.bound.into()), &self.folder);
        let n_units = usize::try_from(self.units).unwrap_or(usize::MAX);
        let units = count(n_units, "unit");
        if self.is_new {
            writeln!(out, "bound {bound}: {units} in {folder}")?;
            writeln!(out, "  search each with `psvn work {folder}/UNIT`,")?;
            return writeln!(out, "  and then join them with `psvn join {folder}`");
        }
        writeln!(out, "bound {bound}: {} of {units} done", self.done)?;
        let most = if style.all { usize::MAX } else { MOST_MISSING };
        let numbers = self.missing.iter().take(most).map(u64::to_string);
        let mut numbers = numbers.collect::<Vec<_>>().join(", ");
        if self.missing.len() > most {
            numbers += &format!(
                " and {} more ({} lists all)",
                self.missing.len() - most,
                style.all_by
            );
        }
        paragraph(&format!("missing: {numbers}"), out)
    }
}

impl Show for WorkedUnit {
    fn show(&self, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let Self {
            unit,
            known,
            searched,
            subtrees,
            ..
        } = self;
        let end = match (self.stopped, self.found) {
            (Some(reason), _) => format!("{reason}; the same command continues"),
            (None, true) => "done, with a solution".to_owned(),
            (None, false) => "done".to_owned(),
        };
        let before = match known {
            0 => String::new(),
            known => format!(", {known} before"),
        };
        let nodes = group_digits(self.generated.into());
        writeln!(
            out,
            "{unit}: {searched} of {subtrees} subtrees searched{before}, {nodes} generated; {end}"
        )
    }
}

columns!(
    WorkedUnit: unit, bound, subtrees, known, searched, generated, found, complete, stopped,
);

//! `psvn report`: the results of experiments as tables and plots.

use std::path::Path;

use psvn::experiment::{ReportForm, plot_files, report_on, write_report};
use psvn::report::Report;
use psvn::store::atomic as atomic_file;
use psvn::store::read;

use crate::args::ReportArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::FormatChoice;
use crate::session::Context;

pub(crate) fn run(args: &ReportArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let report = report_on(&args.results, &cx.env)?;
    let form = match cx.format_choice {
        FormatChoice::Html => ReportForm::Html,
        FormatChoice::Md => ReportForm::Markdown,
        FormatChoice::Latex => ReportForm::Latex,
        FormatChoice::Text => ReportForm::Text,
        FormatChoice::Json => ReportForm::Json,
        FormatChoice::Csv => ReportForm::Csv,
    };
    let text = write_report(&report, form, args.table.as_deref())?;
    if let Some(folder) = &args.plots {
        write_plots(&report, folder)?;
    }
    cx.put(args.output.as_deref(), &text)?;
    Ok(Exit::Done)
}

/// Write each plot to a file.
fn write_plots(report: &Report, folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let (name, reason) = (folder.display(), read::reason(&error));
        Failure::input(format!("can't make the folder `{name}`: {reason}"))
    })?;
    for (name, picture) in plot_files(report) {
        atomic_file::write(&folder.join(name), picture.as_bytes())?;
    }
    Ok(())
}

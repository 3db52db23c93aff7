//! `psvn report`: the results of experiments as tables and plots.

use std::path::Path;

use psvn::store::atomic as atomic_file;
use psvn::store::read;
use report::{Report, ReportForm, plot_files, report_on, write_report};

use crate::args::ReportArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::FormatChoice;
use crate::output::ending::form_of;
use crate::session::Context;

pub(crate) fn run(args: &ReportArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let form = form_of_report(args, cx.format_choice)?;
    let report = report_on(&args.results, &cx.env)?;
    let text = write_report(&report, form, args.table.as_deref(), &args.columns)?;
    if let Some(folder) = &args.plots {
        write_plots(&report, folder)?;
    }
    cx.put(args.output.as_deref(), &text)?;
    Ok(Exit::Done)
}

/// The form of a report: that of the ending of its file, or else the requested one.
fn form_of_report(args: &ReportArgs, choice: FormatChoice) -> Result<ReportForm, Failure> {
    let requested = match choice {
        FormatChoice::Html => ReportForm::Html,
        FormatChoice::Md => ReportForm::Markdown,
        FormatChoice::Latex => ReportForm::Latex,
        FormatChoice::Text => ReportForm::Text,
        FormatChoice::Json => ReportForm::Json,
        FormatChoice::Csv => ReportForm::Csv,
    };
    let output = args.output.as_deref();
    let Some(path) = output.filter(|path| path.extension().is_some()) else {
        return Ok(requested);
    };
    let form = form_of(path, ENDINGS)?;
    // Text is the form if none is requested.
    if requested != form && choice != FormatChoice::Text {
        let message = format!(
            "`{}` has the ending of another form than `--format`",
            path.display()
        );
        return Err(Failure::usage(message).hint("the ending is enough"));
    }
    Ok(form)
}

/// The forms of reports by the endings of files.
const ENDINGS: &[(&str, ReportForm)] = &[
    ("html", ReportForm::Html),
    ("htm", ReportForm::Html),
    ("md", ReportForm::Markdown),
    ("tex", ReportForm::Latex),
    ("txt", ReportForm::Text),
    ("json", ReportForm::Json),
    ("csv", ReportForm::Csv),
];

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

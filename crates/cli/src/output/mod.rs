//! The output of commands: data on standard output, everything else on standard error.

pub(crate) mod diagnostics;
pub(crate) mod ending;
pub(crate) mod events;
pub(crate) mod log;
pub(crate) mod progress;
pub(crate) mod terms;
pub(crate) mod two_players;

use std::io::{self, BufWriter, StdoutLock, Write};

use clap::ValueEnum;
use serde::Serialize;

use crate::failure::Failure;

/// The form in which data is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs: one JSON document, or one object a line where there are several results.
    Json,
    /// For spreadsheets: a header line, then one record a line.
    Csv,
}

/// The forms that the command line takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatChoice {
    #[default]
    Text,
    Json,
    Csv,
    /// For `psvn report` alone, as the next two.
    Html,
    /// Markdown.
    Md,
    /// Tables for papers.
    Latex,
}

impl FormatChoice {
    /// The forms that a command prints, and their names with bars between them.
    pub(crate) fn of_command(command: &str) -> (&'static [Self], &'static str) {
        match command {
            "report" => (Self::value_variants(), "text|json|csv|html|md|latex"),
            // Their results aren't tables.
            "cache" | "certify" | "compose" | "explain" | "play" | "transfer" | "verify" => {
                (&[Self::Text, Self::Json], "text|json")
            }
            _ => (&[Self::Text, Self::Json, Self::Csv], "text|json|csv"),
        }
    }

    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            FormatChoice::Text => "text",
            FormatChoice::Json => "json",
            FormatChoice::Csv => "csv",
            FormatChoice::Html => "html",
            FormatChoice::Md => "md",
            FormatChoice::Latex => "latex",
        }
    }

    /// Its name, if only reports have it.
    pub(crate) fn of_reports(self) -> Option<&'static str> {
        match self {
            FormatChoice::Html => Some("HTML"),
            FormatChoice::Md => Some("Markdown"),
            FormatChoice::Latex => Some("LaTeX"),
            FormatChoice::Text | FormatChoice::Json | FormatChoice::Csv => None,
        }
    }

    /// The form of data that commands know.
    pub(crate) fn format(self) -> Format {
        match self {
            FormatChoice::Text | FormatChoice::Html | FormatChoice::Md | FormatChoice::Latex => {
                Format::Text
            }
            FormatChoice::Json => Format::Json,
            FormatChoice::Csv => Format::Csv,
        }
    }
}

/// Buffered, locked standard output.
pub(crate) struct Output {
    writer: BufWriter<StdoutLock<'static>>,
}

impl Output {
    pub(crate) fn new() -> Self {
        Self {
            writer: BufWriter::new(io::stdout().lock()),
        }
    }

    /// Print one JSON document over several lines.
    pub(crate) fn json(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Failure> {
        serde_json::to_writer_pretty(&mut self.writer, value).map_err(io::Error::from)?;
        self.writer.write_all(b"\n")?;
        Ok(())
    }

    /// Print one JSON object on one line, and flush it at once.
    pub(crate) fn json_line(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer(&mut self.writer, value).map_err(io::Error::from)?;
        self.writer.write_all(b"\n")?;
        self.writer.flush()?;
        Ok(())
    }

    /// Print one CSV record.
    pub(crate) fn csv<S: AsRef<str>>(
        &mut self,
        fields: impl IntoIterator<Item = S>,
    ) -> Result<(), Failure> {
        // Through memory, since the writer of records flushes its target.
        let mut record = csv::Writer::from_writer(Vec::new());
        for field in fields {
            record
                .write_field(field.as_ref())
                .map_err(io::Error::from)?;
        }
        let end: Option<&[u8]> = None;
        record.write_record(end).map_err(io::Error::from)?;
        let line = record
            .into_inner()
            .map_err(csv::IntoInnerError::into_error)?;
        self.writer.write_all(&line)?;
        Ok(())
    }

    /// Flush everything. Must be called at the end, since errors on drop would be lost.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        self.writer.flush()?;
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

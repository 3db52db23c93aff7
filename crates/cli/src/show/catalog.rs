//! Built-in games, codes of findings; and findings in a text.

use std::io::{self, Write};

use psvn::text::units::count;
use psvn::text::{BuiltInGame, CodeExplanation, Finding, Findings, Task};

use super::lines::{WIDTH, wrap};
use super::row::{columns, records};
use super::{Records, Show, Style};

impl Show for [BuiltInGame] {
    fn show(&self, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        for (i, game) in self.iter().enumerate() {
            if i > 0 {
                writeln!(out)?;
            }
            writeln!(out, "{}", game.usage)?;
            writeln!(out, "    {}", game.summary)?;
            for option in &game.options {
                writeln!(out, "    {}: {}", option.name, option.help)?;
            }
            let example = style.call(Task::WriteBuiltInGame, game.example);
            writeln!(out, "    e.g. {example}")?;
        }
        Ok(())
    }

    fn records(&self) -> Option<Records> {
        records(self)
    }
}

columns!(BuiltInGame: name, usage, summary, example);

impl Show for CodeExplanation {
    fn show(&self, _: &Style, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{} ({})", self.code, self.severity)?;
        let words: Vec<String> = self.explanation.split(' ').map(str::to_owned).collect();
        for line in wrap(&words, WIDTH) {
            writeln!(out, "  {line}")?;
        }
        Ok(())
    }

    fn records(&self) -> Option<Records> {
        std::slice::from_ref(self).records()
    }
}

impl Show for [CodeExplanation] {
    fn show(&self, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        for (i, code) in self.iter().enumerate() {
            if i > 0 {
                writeln!(out)?;
            }
            code.show(style, out)?;
        }
        Ok(())
    }

    fn records(&self) -> Option<Records> {
        records(self)
    }
}

columns!(CodeExplanation: code, severity, explanation);

columns!(Finding: severity, code, message, file, line, column, hint, count);

/// One line with the number of findings. The front end shows each finding with the text around it.
impl Show for Findings {
    fn show(&self, _: &Style, out: &mut dyn Write) -> io::Result<()> {
        let (errors, warnings) = (count(self.errors, "error"), count(self.warnings, "warning"));
        let summary = match (self.errors, self.warnings) {
            (0, 0) => "no errors, no warnings".to_owned(),
            (0, _) => format!("no errors, {warnings}"),
            (_, 0) => errors,
            (_, _) => format!("{errors}, {warnings}"),
        };
        writeln!(out, "{}: {summary}", self.file)
    }
}

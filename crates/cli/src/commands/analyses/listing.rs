//! The redundant words of a machine and its transitions, as lists.

use std::io::Write;

use fsm::{CertifiedWord, FileError};
use psvn::machine::{ComesFirst, RedundantWord, ReplacedBy, TransitionTable, WordFilter, WordList};
use psvn::text::units::count;
use serde::Serialize;

use crate::args::WordListArgs;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::table::{Align, Table};
use crate::session::Context;

/// The titles of the columns of words.
const HEAD: [&str; 8] = [
    "number",
    "word",
    "cost",
    "rule",
    "replaced_by",
    "comes_first",
    "implied",
    "invariants",
];

/// Prints the words that the arguments ask for, one after the other as they come.
pub(super) fn print_words<W>(
    list: &WordList<'_>,
    words: impl Fn() -> W,
    args: &WordListArgs,
    cx: &mut Context,
) -> Result<(), Failure>
where
    W: Iterator<Item = Result<CertifiedWord, FileError>>,
{
    let filter = WordFilter::new(args.word_length, &args.word_rule, list.names())?;
    let explained = list.explain(words(), &filter);
    match cx.format {
        Format::Json => {
            for word in explained {
                write_line(&word?, cx)?;
            }
        }
        Format::Csv => {
            cx.out.csv(HEAD)?;
            for word in explained {
                cx.out.csv(record(&word?))?;
            }
        }
        Format::Text => {
            let widths = Widths::of(list, words(), &filter)?;
            widths.write(
                ["word", "replaced by", "comes first"],
                "macro-rule",
                &mut cx.out,
            )?;
            let mut n = 0;
            for word in explained {
                let word = word?;
                n += 1;
                let [replaced_by, because] = replacements(&word);
                let mut rest = word.rule.clone().unwrap_or_default();
                if !word.implied.is_empty() {
                    rest.push_str(&format!(", where {}", word.implied.join(", ")));
                }
                if !word.invariants.is_empty() {
                    rest.push_str(&format!(", since {}", word.invariants.join(", and ")));
                }
                let columns = [&word.word.join(" "), &replaced_by, &because];
                widths.write(columns, rest.trim_start_matches(", "), &mut cx.out)?;
            }
            writeln!(cx.out, "{}", count(n, "redundant word"))?;
        }
    }
    Ok(())
}

/// Writes a JSON object on a line of its own.
fn write_line(value: &impl Serialize, cx: &mut Context) -> Result<(), Failure> {
    serde_json::to_writer(&mut cx.out, value).map_err(std::io::Error::from)?;
    writeln!(cx.out)?;
    Ok(())
}

fn record(of: &RedundantWord) -> [String; 8] {
    let [replaced_by, because] = replacements(of);
    [
        of.number.to_string(),
        of.word.join(" "),
        of.cost.map(|cost| cost.to_string()).unwrap_or_default(),
        of.rule.clone().unwrap_or_default(),
        replaced_by,
        because,
        of.implied.join(", "),
        of.invariants.join("; "),
    ]
}

/// What replaces a word, and why that comes first.
fn replacements(of: &RedundantWord) -> [String; 2] {
    let each = |text: &dyn Fn(&ReplacedBy) -> String| {
        let mut texts: Vec<String> = of.replaced_by.iter().map(text).collect();
        texts.dedup();
        texts.join(" or ")
    };
    [
        each(&|by| in_words(&by.word)),
        each(&|by| reason(by.comes_first).to_owned()),
    ]
}

/// A word. The empty one is made visible.
fn in_words(word: &[String]) -> String {
    match word {
        [] => "nothing".to_owned(),
        word => word.join(" "),
    }
}

fn reason(comes_first: ComesFirst) -> &'static str {
    match comes_first {
        ComesFirst::Empty => "empty",
        ComesFirst::CostsLess => "costs less",
        ComesFirst::Shorter => "shorter",
        _ => "earlier rule",
    }
}

/// The widths of the columns of text.
struct Widths([usize; 3]);

impl Widths {
    /// Those for all words, which are gone through once for that, so that printing them needs no
    /// memory.
    fn of(
        list: &WordList<'_>,
        words: impl Iterator<Item = Result<CertifiedWord, FileError>>,
        filter: &WordFilter,
    ) -> Result<Self, Failure> {
        let names = list.names();
        let mut widths = ["word".len(), "replaced by".len(), "earlier rule".len()];
        for word in words {
            let word = word.map_err(|error| Failure::input(error.to_string()))?;
            if !filter.admits(&word.word) {
                continue;
            }
            let width = |word: &[u32]| in_words(&names.names(word)).chars().count();
            let mut replacements: Vec<&[u32]> =
                word.replacements.iter().map(AsRef::as_ref).collect();
            replacements.dedup();
            let between = " or ".len() * replacements.len().saturating_sub(1);
            let all: usize = replacements.into_iter().map(width).sum();
            widths[0] = widths[0].max(width(&word.word));
            widths[1] = widths[1].max(all + between);
        }
        Ok(Self(widths))
    }

    fn write<S: AsRef<str>>(
        &self,
        columns: [S; 3],
        rest: &str,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let mut line = String::new();
        for (column, width) in columns.iter().zip(self.0) {
            line.push_str(&format!("  {:<width$}", column.as_ref()));
        }
        line.push_str(&format!("  {rest}"));
        writeln!(out, "{}", line.trim_end())?;
        Ok(())
    }
}

/// The first line of a table as JSON.
#[derive(Serialize)]
struct TableHead {
    letters: Vec<String>,
    start: usize,
}

/// Prints the transitions of a machine.
pub(super) fn print_table(table: &TransitionTable<'_>, cx: &mut Context) -> Result<(), Failure> {
    let letters = table.letters();
    let word =
        |word: &Option<Vec<String>>| word.as_ref().map_or("-".to_owned(), |word| word.join(" "));
    match cx.format {
        Format::Json => {
            let start = table.start();
            write_line(&TableHead { letters, start }, cx)?;
            for row in table.rows() {
                write_line(&row, cx)?;
            }
        }
        Format::Csv => {
            let head = ["state".to_owned(), "word".to_owned()];
            cx.out.csv(head.into_iter().chain(letters))?;
            for row in table.rows() {
                let head = [row.state.to_string(), word(&row.word)];
                let next = row.next.iter().map(ToString::to_string);
                cx.out.csv(head.into_iter().chain(next))?;
            }
        }
        Format::Text => {
            let columns = letters.into_iter().map(|name| (name, Align::Right));
            let head = [
                ("state".to_owned(), Align::Right),
                ("behind".to_owned(), Align::Left),
            ];
            let mut text = Table::new(head.into_iter().chain(columns));
            for row in table.rows() {
                let head = [row.state.to_string(), word(&row.word)];
                let next = row.next.iter().map(|next| match next {
                    0 => ".".to_owned(),
                    next => next.to_string(),
                });
                text.row(head.into_iter().chain(next));
            }
            text.print(&mut cx.out)?;
        }
    }
    Ok(())
}

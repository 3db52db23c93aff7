//! The redundant words of a machine and its transitions, as lists.

use std::io::Write;

use fsm::{CertifiedWord, FileError};
use psvn::machine::{RedundantWord, TransitionTable, WordFilter, WordList};
use psvn::text::units::count;
use psvn::{Error, Watch};
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::WordListArgs;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;
use crate::show::{Row, Show, WordColumns, transition_fields, transition_values};

/// Print the requested words, one after the other as they come, until the time of a budget is over.
pub(super) fn print_words<W>(
    list: &WordList<'_>,
    words: impl Fn() -> W,
    args: &WordListArgs,
    budget: &Watch,
    cx: &mut Context,
) -> Result<(), Failure>
where
    W: Iterator<Item = Result<CertifiedWord, FileError>>,
{
    let filter =
        WordFilter::new(args.word_length, &args.word_rule, list.names()).map_err(Error::from)?;
    let explained = list.explain(words(), &filter);
    let explained = explained.map(|word| {
        if budget.is_over() {
            Err(Failure::limit(
                "the time ran out before all words were listed",
            ))
        } else {
            Ok(word.map_err(Error::from)?)
        }
    });
    match cx.format {
        Format::Json => {
            for word in explained {
                write_line(&word?, cx)?;
            }
        }
        Format::Csv => {
            cx.out.csv(RedundantWord::FIELDS)?;
            for word in explained {
                cx.out.csv(word?.fields())?;
            }
        }
        Format::Text => {
            let columns = WordColumns::of(list, words(), &filter)?;
            writeln!(cx.out, "{}", columns.head())?;
            let mut n = 0;
            for word in explained {
                n += 1;
                writeln!(cx.out, "{}", columns.line(&word?))?;
            }
            writeln!(cx.out, "{}", count(n, "redundant word"))?;
        }
    }
    Ok(())
}

/// Write a JSON object on one line.
fn write_line(value: &impl Serialize, cx: &mut Context) -> Result<(), Failure> {
    serde_json::to_writer(&mut cx.out, value).map_err(std::io::Error::from)?;
    writeln!(cx.out)?;
    Ok(())
}

/// The first line of a table.
#[derive(JsonSchema, Serialize)]
pub(crate) struct TableHead {
    /// The names of the letters, in the order of the columns.
    letters: Vec<String>,
    /// The number of the first state.
    start: usize,
}

/// Print the transitions of a machine.
pub(super) fn print_table(table: &TransitionTable<'_>, cx: &mut Context) -> Result<(), Failure> {
    match cx.format {
        Format::Json => {
            let (letters, start) = (table.letters(), table.start());
            write_line(&TableHead { letters, start }, cx)?;
            for row in table.rows() {
                write_line(&row, cx)?;
            }
        }
        Format::Csv => {
            cx.out.csv(transition_fields(table))?;
            for row in table.rows() {
                cx.out.csv(transition_values(&row))?;
            }
        }
        Format::Text => table.show(&cx.style(), &mut cx.out)?,
    }
    Ok(())
}

//! The redundant words of a machine, one after the other.

use fsm::{CertifiedWord, FileError};
use psvn::Error;
use psvn::machine::{ComesFirst, RedundantWord, ReplacedBy, WordFilter, WordList};

use crate::show::row::columns;

/// The columns in which redundant words are listed.
///
/// There may be too many words to hold at once, so they are read twice: for the widths, and for the
/// output.
pub(crate) struct WordColumns([usize; 3]);

impl WordColumns {
    /// Make the columns wide enough for all words of a list that a filter admits.
    ///
    /// # Errors
    /// When a word can't be read.
    pub(crate) fn of(
        list: &WordList<'_>,
        words: impl Iterator<Item = Result<CertifiedWord, FileError>>,
        filter: &WordFilter,
    ) -> Result<Self, Error> {
        let names = list.names();
        let mut widths = ["word".len(), "replaced by".len(), "earlier rule".len()];
        for word in words {
            let word = word.map_err(|error| Error::input(error.to_string()))?;
            if !filter.admits(&word.word) {
                continue;
            }
            let width = |word: &[String]| in_words(word).chars().count();
            let mut replacements: Vec<&[u32]> =
                word.replacements.iter().map(AsRef::as_ref).collect();
            replacements.dedup();
            let between = " or ".len() * replacements.len().saturating_sub(1);
            let replacements = replacements.into_iter();
            let all: usize = replacements.map(|it| width(&names.replacement(it))).sum();
            widths[0] = widths[0].max(width(&names.names(&word.word)));
            widths[1] = widths[1].max(all + between);
        }
        Ok(Self(widths))
    }

    /// Return the line of heads.
    pub(crate) fn head(&self) -> String {
        self.columns(["word", "replaced by", "comes first"], "macro-rule")
    }

    /// Return the line of a word.
    pub(crate) fn line(&self, word: &RedundantWord) -> String {
        let [replaced_by, because] = replacements(word);
        let mut rest = word.rule.clone().unwrap_or_default();
        if !word.implied.is_empty() {
            rest.push_str(&format!(", where {}", word.implied.join(", ")));
        }
        if !word.invariants.is_empty() {
            rest.push_str(&format!(", since {}", word.invariants.join(", and ")));
        }
        if !word.apart_from.is_empty() {
            rest.push_str(&format!(", apart from {}", variables(&word.apart_from)));
        }
        let columns = [word.word.join(" "), replaced_by, because];
        let columns = columns.each_ref().map(String::as_str);
        self.columns(columns, rest.trim_start_matches(", "))
    }

    fn columns(&self, columns: [&str; 3], rest: &str) -> String {
        let mut line = String::new();
        for (column, width) in columns.iter().zip(self.0) {
            line.push_str(&format!("  {column:<width$}"));
        }
        line.push_str(&format!("  {rest}"));
        line.trim_end().to_owned()
    }
}

columns!(
    RedundantWord:
    number,
    word,
    cost,
    rule,
    replaced_by = |word| {
        let [replaced_by, _] = replacements(word);
        replaced_by
    },
    comes_first = |word| {
        let [_, because] = replacements(word);
        because
    },
    implied = |word| word.implied.join(", "),
    invariants = |word| word.invariants.join("; "),
    apart_from = |word| variables(&word.apart_from),
);

/// Return the replacements of a word, and why they come first.
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

/// Return variables as text.
fn variables(numbers: &[usize]) -> String {
    let names: Vec<String> = numbers.iter().map(|number| format!("x{number}")).collect();
    names.join(", ")
}

/// Return a word as text; the empty word has a name.
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
        ComesFirst::EarlierLetter => "earlier rule",
    }
}

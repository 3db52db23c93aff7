//! The language-specific parts of an export.

use crate::text::list;

/// The kind of entries in a table.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Element {
    /// Unsigned numbers up to this one.
    UpTo(usize),
    /// Sets of 64 rules.
    Set,
}

/// A language in which games are written.
pub(crate) trait Language {
    /// A line of the comment at the top, with the blanks or signs before it.
    fn title_line(&self, line: &str) -> String;

    /// A fact of that comment, as a line of it.
    fn fact(&self, name: &str, value: &str) -> String;

    /// A text as the inside of a comment.
    fn comment(&self, text: &str) -> String;

    /// The name of a table of a direction, `fwd` or `bwd`.
    fn table(&self, id: &str, what: &str) -> String;

    /// The first and the last line of a table.
    fn brackets(&self, name: &str, element: Element, len: usize) -> (String, &'static str);

    /// A set of 64 rules.
    fn set(&self, set: u64) -> String;

    /// An entry of a table.
    fn entry(&self, table: &str, index: &str) -> String;

    /// One of two values, chosen by a condition.
    fn choice(&self, condition: &str, yes: &str, no: &str) -> String;

    /// A statement that is carried out if all conditions hold.
    fn guarded(&self, indent: usize, conditions: &[String], statement: &str) -> String;

    /// The statement that lists a rule that applies.
    fn list_rule(&self, number: usize) -> String;

    /// The lines around the cases of a value, from the first to the last.
    fn cases(&self, indent: usize, value: &str) -> (String, String);

    /// The lines around one of these cases, and the indentation of its body.
    fn case(&self, indent: usize, constant: u32) -> (String, String, usize);

    /// Add a table of `len` items. Some languages have no empty ones: without items, it has the
    /// entry 0.
    fn add_table(
        &self,
        text: &mut String,
        name: &str,
        element: Element,
        len: usize,
        items: impl Iterator<Item = String>,
    ) {
        let (first, last) = self.brackets(name, element, len.max(1));
        text.push_str(&first);
        match len {
            0 => list(text, 4, ["0"]),
            _ => list(text, 4, items),
        }
        text.push_str(last);
    }
}

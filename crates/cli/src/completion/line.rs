//! A command line as bash passes it: one text, up to the cursor.

/// The words of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The words after the name of the program, without quotes. The last one is being written.
    pub(crate) words: Vec<String>,
    /// The last word with its quotes.
    raw: String,
}

impl Line {
    /// Split a line as a shell does.
    pub(crate) fn read(line: &str) -> Self {
        let mut words = Vec::new();
        let mut word = String::new();
        let mut raw = String::new();
        let mut quote = None;
        let mut characters = line.chars();
        while let Some(c) = characters.next() {
            if quote.is_none() && c.is_whitespace() {
                if !raw.is_empty() {
                    words.push(std::mem::take(&mut word));
                    raw.clear();
                }
                continue;
            }
            raw.push(c);
            match (quote, c) {
                (Some(open), _) if c == open => quote = None,
                (None, '\'' | '"') => quote = Some(c),
                (None | Some('"'), '\\') => {
                    if let Some(next) = characters.next() {
                        raw.push(next);
                        word.push(next);
                    }
                }
                _ => word.push(c),
            }
        }
        words.push(word);
        // The name of the program.
        words.remove(0);
        Self { words, raw }
    }

    /// A candidate in place of the last word, as bash takes it: bash breaks words at some
    /// characters, `:` and `=` among them, and replaces the text after the last one.
    pub(crate) fn completed(&self, candidate: &str, breaks: &str) -> String {
        let is_quoted = self.raw.starts_with(['\'', '"']);
        let begun = self.words.last().map_or("", String::as_str);
        let kept = begun
            .rfind(|c| matches!(c, ':' | '=') && breaks.contains(c))
            .filter(|_| !is_quoted)
            .map_or(0, |at| at + 1);
        let text = candidate.get(kept..).unwrap_or(candidate);
        if is_quoted {
            return text.to_owned();
        }
        let mut escaped = String::with_capacity(text.len());
        for c in text.chars() {
            if " \t'\"\\$&;()<>|*?[]!`#~".contains(c) {
                escaped.push('\\');
            }
            escaped.push(c);
        }
        escaped
    }
}

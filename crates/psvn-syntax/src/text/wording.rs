//! Small helpers for the wording of messages, and for numbers.

/// The longest quotation in a message, in characters.
const MAX_QUOTED: usize = 40;

/// `word` between backticks, shortened and with control characters escaped.
pub(crate) fn quote(word: &str) -> String {
    let mut quoted = String::from("`");
    for (position, character) in word.chars().enumerate() {
        if position == MAX_QUOTED {
            quoted.push('…');
            break;
        }
        if character.is_control() {
            quoted.extend(character.escape_default());
        } else {
            quoted.push(character);
        }
    }
    quoted.push('`');
    quoted
}

/// `1 entry`, `2 entries`: a count with its noun.
pub(crate) fn counted(count: impl Into<u64>, singular: &str, plural: &str) -> String {
    let count = count.into();
    format!("{count} {}", if count == 1 { singular } else { plural })
}

/// [`counted`] for lengths.
pub(crate) fn counted_len(count: usize, singular: &str, plural: &str) -> String {
    counted(count as u64, singular, plural)
}

/// Why a word is not a non-negative integer that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotANumber {
    /// `-1`
    Negative,
    /// `1.5`, `1e3`
    NotWhole,
    /// Digits only, but more than 64 bits hold.
    TooLarge,
    /// Anything else.
    Word,
}

impl NotANumber {
    /// A few words for the caret.
    pub(crate) fn why(self) -> &'static str {
        match self {
            NotANumber::Negative => "negative",
            NotANumber::NotWhole => "not a whole number",
            NotANumber::TooLarge => "too large",
            NotANumber::Word => "not a number",
        }
    }
}

/// Read decimal digits; no sign, no separators.
pub(crate) fn number(word: &str) -> Result<u64, NotANumber> {
    let Some(first) = word.bytes().next() else {
        return Err(NotANumber::Word);
    };
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return word.parse().map_err(|_| NotANumber::TooLarge);
    }
    let starts_like_a_number = |text: &str| text.bytes().next().is_some_and(|b| b.is_ascii_digit());
    if first == b'-' && starts_like_a_number(&word[1..]) {
        Err(NotANumber::Negative)
    } else if (first.is_ascii_digit() || first == b'.')
        && word.len() < 400
        && word.parse::<f64>().is_ok()
    {
        Err(NotANumber::NotWhole)
    } else {
        Err(NotANumber::Word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(number("0"), Ok(0));
        assert_eq!(number("007"), Ok(7));
        assert_eq!(number("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(number("18446744073709551616"), Err(NotANumber::TooLarge));
        assert_eq!(number("-1"), Err(NotANumber::Negative));
        assert_eq!(number("1.5"), Err(NotANumber::NotWhole));
        assert_eq!(number("+1"), Err(NotANumber::Word));
        assert_eq!(number("4N"), Err(NotANumber::Word));
        assert_eq!(number("-"), Err(NotANumber::Word));
        assert_eq!(number("é"), Err(NotANumber::Word));
    }

    #[test]
    fn quotations_are_short_and_visible() {
        assert_eq!(quote("a\0b"), "`a\\u{0}b`");
        assert_eq!(quote(&"x".repeat(100)).chars().count(), MAX_QUOTED + 3);
    }
}

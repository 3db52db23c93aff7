//! Keywords, which have a meaning only at certain places, and common misspellings of them.

/// A keyword; recognized without regard to case, and only at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keyword {
    /// Begins the declaration of a domain.
    Domain,
    /// Names a rule.
    Label,
    /// Gives a rule's cost.
    Cost,
    /// Begins a goal condition.
    Goal,
    /// Begins an abstraction block.
    Abstraction,
    /// Begins the projection of an abstraction block.
    Projection,
    /// Begins the pieces that an abstraction block keeps.
    Pieces,
}

impl Keyword {
    /// The spelling used in messages and by the formatter.
    pub(crate) fn spelling(self) -> &'static str {
        match self {
            Keyword::Domain => "DOMAIN",
            Keyword::Label => "LABEL",
            Keyword::Cost => "COST",
            Keyword::Goal => "GOAL",
            Keyword::Abstraction => "abstraction",
            Keyword::Projection => "projection",
            Keyword::Pieces => "pieces",
        }
    }

    /// Whether `word` is this keyword.
    pub(crate) fn matches(self, word: &str) -> bool {
        word.eq_ignore_ascii_case(self.spelling())
    }

    /// Whether `word` looks like a misspelling of this keyword: one slip (a wrong, missing, added
    /// or swapped letter) in a word of four letters, two in a longer one.
    pub(crate) fn resembles(self, word: &str) -> bool {
        let spelling = self.spelling();
        // The length first: the comparison is quadratic, and words can be very long.
        if word.len().abs_diff(spelling.len()) > 2 || self.matches(word) {
            return false;
        }
        let allowed = if spelling.len() <= 4 { 1 } else { 2 };
        strsim::osa_distance(&word.to_ascii_uppercase(), &spelling.to_ascii_uppercase()) <= allowed
    }
}

/// Whether `word` is what people write for `=>` by mistake.
pub(crate) fn resembles_arrow(word: &str) -> bool {
    matches!(
        word,
        "->" | "==>" | "-->" | "=" | "==" | ">" | ">>" | "=>>" | "⇒" | "→" | "<=>" | "<->" | ":"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognized() {
        assert!(Keyword::Label.resembles("LABLE"));
        assert!(Keyword::Goal.resembles("gaol"));
        assert!(Keyword::Domain.resembles("DOMIAN"));
        assert!(Keyword::Abstraction.resembles("abstration"));
        assert!(!Keyword::Goal.resembles("goal"));
        assert!(!Keyword::Goal.resembles("RULE"));
        assert!(!Keyword::Cost.resembles("X"));
    }
}

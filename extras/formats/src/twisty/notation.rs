//! The notation for sequences of moves: `R U2'`, `(R U)3`, `[A: B]` and `[A, B]`.
//!
//! `[A: B]` is the conjugate `A B A'`, and `[A, B]` the commutator `A B A' B'`.

/// The greatest depth of brackets.
const MOST_DEPTH: usize = 16;

/// A part of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The name of a move, perhaps with the number of times and `'` behind it.
    Word(String),
    /// A sequence in brackets, made some times, and undone where `is_undone`.
    Group {
        inner: Inner,
        times: u32,
        is_undone: bool,
    },
}

/// What brackets contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Inner {
    /// `(A)`
    Sequence(Vec<Part>),
    /// `[A: B]`
    Conjugate(Vec<Part>, Vec<Part>),
    /// `[A, B]`
    Commutator(Vec<Part>, Vec<Part>),
}

/// Read a sequence of at least one part.
///
/// # Errors
/// What is wrong, as a clause.
pub(super) fn parse(text: &str) -> Result<Vec<Part>, String> {
    let mut reader = Reader { rest: text };
    let parts = reader.sequence(0)?;
    match reader.rest.chars().next() {
        None if parts.is_empty() => Err("it is empty".to_owned()),
        None => Ok(parts),
        Some(c) => Err(format!("`{c}` stands where a move is expected")),
    }
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    /// Skip a sign, with the white space in front of it.
    fn take(&mut self, sign: char) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, sign: char) -> Result<(), String> {
        if self.take(sign) {
            Ok(())
        } else {
            Err(format!("`{sign}` is missing"))
        }
    }

    /// Parts up to a sign that begins none.
    fn sequence(&mut self, depth: usize) -> Result<Vec<Part>, String> {
        if depth > MOST_DEPTH {
            return Err("its brackets are nested too deeply".to_owned());
        }
        let mut parts = Vec::new();
        loop {
            if self.take('(') {
                let inner = Inner::Sequence(self.sequence(depth + 1)?);
                self.expect(')')?;
                parts.push(self.repeated(inner)?);
            } else if self.take('[') {
                let first = self.sequence(depth + 1)?;
                let is_conjugate = self.take(':');
                if !is_conjugate && !self.take(',') {
                    return Err("`[` needs `:` or `,`".to_owned());
                }
                let second = self.sequence(depth + 1)?;
                self.expect(']')?;
                let inner = if is_conjugate {
                    Inner::Conjugate(first, second)
                } else {
                    Inner::Commutator(first, second)
                };
                parts.push(self.repeated(inner)?);
            } else {
                self.rest = self.rest.trim_start();
                let is_end = |c: char| c.is_whitespace() || "()[]:,".contains(c);
                let end = self.rest.find(is_end).unwrap_or(self.rest.len());
                let (word, rest) = self.rest.split_at(end);
                if word.is_empty() {
                    return Ok(parts);
                }
                self.rest = rest;
                parts.push(Part::Word(word.to_owned()));
            }
        }
    }

    /// A group with the number and the sign behind its bracket.
    fn repeated(&mut self, inner: Inner) -> Result<Part, String> {
        let is_digit = |c: char| c.is_ascii_digit();
        let end = self.rest.find(|c| !is_digit(c)).unwrap_or(self.rest.len());
        let (number, rest) = self.rest.split_at(end);
        let times = match number {
            "" => 1,
            number => number
                .parse()
                .map_err(|_| format!("`{number}` is too large"))?,
        };
        self.rest = rest;
        let undone = rest.strip_prefix(APOSTROPHES);
        self.rest = undone.unwrap_or(rest);
        Ok(Part::Group {
            inner,
            times,
            is_undone: undone.is_some(),
        })
    }
}

/// The signs behind a move that is undone.
pub(super) const APOSTROPHES: [char; 2] = ['\'', '\u{2019}'];

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> Part {
        Part::Word(text.to_owned())
    }

    #[test]
    fn brackets_are_read() {
        assert_eq!(parse("R  U2'"), Ok(vec![word("R"), word("U2'")]));
        let conjugate = Inner::Conjugate(vec![word("x2")], vec![word("U")]);
        let group = |inner, times, is_undone| Part::Group {
            inner,
            times,
            is_undone,
        };
        assert_eq!(parse("[x2: U]"), Ok(vec![group(conjugate, 1, false)]));
        let inner = Inner::Sequence(vec![word("R"), word("U")]);
        let commutator = Inner::Commutator(vec![group(inner, 3, true)], vec![word("D")]);
        assert_eq!(
            parse("[ (R U)3' ,D]2 x"),
            Ok(vec![group(commutator, 2, false), word("x")])
        );
    }

    #[test]
    fn what_is_no_sequence_is_refused() {
        let open = "(".repeat(100_000);
        for text in [
            "",
            " ",
            "(R",
            "[R]",
            "[R: U",
            "R)",
            "R, U",
            "(R)99999999999",
            &open,
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}

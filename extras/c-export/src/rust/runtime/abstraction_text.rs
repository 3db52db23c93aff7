
/// The block that is read, too.
impl fmt::Display for Abstraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "abstraction {{")?;
        for (domain, images) in self.images.iter().enumerate() {
            write!(f, "  {} {{", DOMAIN_NAMES[domain])?;
            for image in images {
                write!(f, " {}", DOMAIN_VALUES[domain][*image as usize])?;
            }
            writeln!(f, " }}")?;
        }
        write!(f, "  projection {{")?;
        for is_kept in self.keeps {
            write!(f, " {}", if is_kept { 'K' } else { 'P' })?;
        }
        write!(f, " }}\n}}")
    }
}

/// Why a text isn't an abstraction of this game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbstractionError {
    /// The line, from 1.
    pub line: usize,
    /// What should be there.
    pub expected: &'static str,
    /// The word that is there; none at the end of the text.
    pub found: Option<String>,
}

impl fmt::Display for AbstractionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {} is expected, and ", self.line, self.expected)?;
        match &self.found {
            Some(word) => write!(f, "`{word}` is there"),
            None => write!(f, "the text ends"),
        }
    }
}

impl std::error::Error for AbstractionError {}

/// A block `abstraction { DOMAIN { image .. } .. projection { K P .. } }`. What it leaves out stays
/// as it is. `#` or `;` at the beginning of a word begins a comment.
impl FromStr for Abstraction {
    type Err = AbstractionError;

    fn from_str(text: &str) -> Result<Self, AbstractionError> {
        let mut words = Words { rest: text, line: 1 };
        let mut abstraction = Abstraction::default();
        words.expect("abstraction", "the word `abstraction`")?;
        words.expect("{", "`{`")?;
        loop {
            let word = words.next();
            match word {
                Some("}") => return Ok(abstraction),
                Some(name) if name.eq_ignore_ascii_case("projection") => {
                    words.expect("{", "`{`")?;
                    for keeps in &mut abstraction.keeps {
                        *keeps = match words.next() {
                            Some("K" | "k") => true,
                            Some("P" | "p") => false,
                            found => return Err(words.error("`K` or `P` for each variable", found)),
                        };
                    }
                }
                name => {
                    let same =
                        |domain: &&str| name.is_some_and(|it| it.eq_ignore_ascii_case(domain));
                    let domain = DOMAIN_NAMES.iter().position(same);
                    let Some(domain) = domain else {
                        return Err(words.error("a domain, `projection` or `}`", name));
                    };
                    words.expect("{", "`{`")?;
                    for image in &mut abstraction.images[domain] {
                        let word = words.next();
                        let same =
                            |value: &&str| word.is_some_and(|it| it.eq_ignore_ascii_case(value));
                        let value = DOMAIN_VALUES[domain].iter().position(same);
                        let Some(value) = value else {
                            return Err(words.error("a value for each value of the domain", word));
                        };
                        *image = value as Value;
                    }
                }
            }
            words.expect("}", "`}`")?;
        }
    }
}

/// The words of a text. Braces are words by themselves.
struct Words<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a str> {
        loop {
            let word = self.rest.trim_start();
            self.go_on(self.rest.len() - word.len());
            if !word.starts_with(['#', ';']) {
                break;
            }
            self.go_on(word.find('\n').unwrap_or(word.len()));
        }
        let ends = |c: char| c.is_whitespace() || c == '{' || c == '}';
        let word = if self.rest.starts_with(['{', '}']) { &self.rest[..1] } else { &self.rest[..self.rest.find(ends).unwrap_or(self.rest.len())] };
        self.go_on(word.len());
        (!word.is_empty()).then_some(word)
    }

    fn go_on(&mut self, n_bytes: usize) {
        let (before, rest) = self.rest.split_at(n_bytes);
        self.line += before.matches('\n').count();
        self.rest = rest;
    }

    fn expect(&mut self, name: &str, expected: &'static str) -> Result<(), AbstractionError> {
        match self.next() {
            Some(word) if word.eq_ignore_ascii_case(name) => Ok(()),
            found => Err(self.error(expected, found)),
        }
    }

    fn error(&self, expected: &'static str, found: Option<&str>) -> AbstractionError {
        let found = found.map(str::to_owned);
        AbstractionError { line: self.line, expected, found }
    }
}

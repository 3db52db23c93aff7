// ---- States ------------------------------------------------------------------------------------

/// A state: the value of each variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    pub vars: [Value; NUM_VARIABLES],
}

/// The values in order, one blank between them.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (variable, value) in self.vars.iter().enumerate() {
            let blank = if variable > 0 { " " } else { "" };
            let name = DOMAIN_VALUES[DOMAIN_OF[variable]][*value as usize];
            write!(f, "{blank}{name}")?;
        }
        Ok(())
    }
}

/// Why a text isn't a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// It has another number of words.
    Length(usize),
    /// A variable's domain has no value of this name.
    Value { variable: usize, word: String },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(found) => {
                write!(f, "a state has {NUM_VARIABLES} values, and this one has {found}")
            }
            Self::Value { variable, word } => {
                let domain = DOMAIN_NAMES[DOMAIN_OF[*variable]];
                let number = variable + 1;
                write!(f, "entry {number} is `{word}`, which the domain {domain} doesn't have")
            }
        }
    }
}

impl std::error::Error for ReadError {}

/// Values with white space between them, in any case.
impl FromStr for State {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        let n_words = text.split_whitespace().count();
        if n_words != NUM_VARIABLES {
            return Err(ReadError::Length(n_words));
        }
        let mut vars = [0; NUM_VARIABLES];
        for (variable, word) in text.split_whitespace().enumerate() {
            let names = DOMAIN_VALUES[DOMAIN_OF[variable]];
            let found = names.iter().position(|name| name.eq_ignore_ascii_case(word));
            let value = found.ok_or_else(|| ReadError::Value {
                variable,
                word: word.to_owned(),
            })?;
            vars[variable] = value as Value;
        }
        Ok(State { vars })
    }
}


// ---- Abstractions: values of a domain are merged, variables are projected away ----------------

/// What becomes of values and variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abstraction {
    /// For each domain the image of each value.
    pub images: Vec<Vec<Value>>,
    /// The variables that are kept.
    pub keeps: [bool; NUM_VARIABLES],
}

/// The abstraction that changes nothing.
impl Default for Abstraction {
    fn default() -> Self {
        let values = |names: &&[&str]| (0..names.len()).map(|value| value as Value).collect();
        Abstraction {
            images: DOMAIN_VALUES.iter().map(values).collect(),
            keeps: [true; NUM_VARIABLES],
        }
    }
}

/// The image of a state. A variable that is projected away stays there, with the first value of its
/// domain in all images.
pub fn abstract_state(abstraction: &Abstraction, state: &State) -> State {
    let mut vars = [0; NUM_VARIABLES];
    for (variable, value) in state.vars.iter().enumerate() {
        if abstraction.keeps[variable] {
            vars[variable] = abstraction.images[DOMAIN_OF[variable]][*value as usize];
        }
    }
    State { vars }
}

/// Read a file with the text of an abstraction.
pub fn read_abstraction_from_file(path: impl AsRef<Path>) -> io::Result<Abstraction> {
    let text = std::fs::read_to_string(path)?;
    let abstraction: Result<Abstraction, AbstractionError> = text.parse();
    abstraction.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

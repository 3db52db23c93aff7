//! Experiments that come with the program.

/// An experiment that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// The experiment as TOML.
    pub text: &'static str,
    /// A smaller form, which takes seconds.
    pub quick: &'static str,
}

/// All of them.
pub const PRESETS: &[Preset] = &[];

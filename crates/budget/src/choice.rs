//! Choices among a few values that have names.

/// A choice among a few values, each with a name and a line that describes it.
///
/// A program that reads options from a command line or a file needs only this trait.
pub trait Choice: Copy + Eq + Send + Sync + 'static {
    /// All values, in the order in which they are listed.
    const ALL: &'static [Self];

    /// The name by which a value is chosen.
    fn name(self) -> &'static str;

    /// The meaning of a value, on one line.
    fn summary(self) -> &'static str;

    /// The value with a name.
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.name() == name)
    }
}

//! Results with the version of their form.

use serde::{Deserialize, Serialize};

/// The version of the form in which results are serialized. It grows when a field changes its
/// meaning or is removed, not for new fields.
pub const RESULTS_VERSION: u32 = 1;

/// A result with the version of its serialized form, for programs that store or send it.
///
/// ```
/// use psvn::{Environment, Game, GameDescription, Versioned};
///
/// let game = Game::built_in("pancake:4", &Environment::default())?;
/// let kept = serde_json::to_value(Versioned::new(GameDescription::of(&game))).expect("JSON");
/// assert_eq!((&kept["version"], &kept["file"]), (&1.into(), &"gen:pancake:4".into()));
/// # Ok::<(), psvn::Error>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Versioned<T> {
    /// The version of the form, [`RESULTS_VERSION`].
    pub version: u32,
    /// The result.
    #[serde(flatten)]
    pub result: T,
}

impl<T> Versioned<T> {
    /// Add the version to a result.
    pub fn new(result: T) -> Self {
        Self {
            version: RESULTS_VERSION,
            result,
        }
    }
}

//! The names of rules and of letters of machines.

mod letters;
mod rules;

pub use self::letters::LetterNames;
pub(crate) use self::letters::Letters;
pub use self::rules::RuleNames;

//! The names of rules and of letters of machines.

mod letters;
mod rules;

pub use self::letters::LetterNames;
pub use self::rules::RuleNames;

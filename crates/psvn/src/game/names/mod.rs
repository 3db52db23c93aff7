//! What rules and letters of machines are called.

mod letters;
mod rules;

pub use self::letters::LetterNames;
pub use self::rules::RuleNames;

//! Rules split by the values of variables, so that pruning finds more.
//!
//! Whether a sequence is redundant can depend on values that it doesn't mention: two slides are a
//! jump if the two pegs have one color. A [`SplitGame`] replaces a rule by one rule for each value
//! of a variable that the rule doesn't fix. It has the same states and the same moves: in each
//! state where the rule applies, exactly one of its parts does. So machines whose letters are these
//! parts prune more, and are safe for the same reason as others.
//!
//! [`analyze`] finds the redundant sequences of parts. Each is replaced by a sequence of unsplit
//! rules, so knowledge about the redundant sequence needn't determine the parts of its replacement.
//! [`choose`] finds the splits that pay. [`optimize_rule_order`] finds an order of rules in which
//! sequences, of rules or of their parts, prune much.
//!
//! ```
//! use psvn_ir::{RuleId, VarId};
//! use rule_splits::{Split, SplitGame};
//!
//! let game = psvn_ir::load("2  3 2\n- 0 => - 1\n- 1 => - 0\nGOAL 0 0").game.expect("a game");
//! let split = Split { rule: RuleId(0), position: VarId(0) };
//! let split = SplitGame::new(&game, &[split], &|_| true, 100)?;
//! let letters = split.game().rules().iter();
//! let letters: Vec<String> = letters.map(|it| game.format_rule(&it.canonical)).collect();
//! assert_eq!(letters, [
//!     "<0 0> -> <0 1>",
//!     "<1 0> -> <1 1>",
//!     "<2 0> -> <2 1>",
//!     "<x1 1> -> <x1 0>",
//! ]);
//! assert_eq!(split.rule_of(2), RuleId(0));
//! # Ok::<(), rule_splits::SplitError>(())
//! ```

mod analysis;
mod choice;
mod described;
mod file;
mod machines;
mod made;
mod order;
mod parts;
mod split_game;

pub use analysis::{SplitAnalysis, SplitWord, analyze, missing};
pub use choice::{Choice, ChoiceLimits, Reason, Setting, choose, choose_or_settle};
pub use described::{SplitPart, SplitRule, SplitWhy, Splits, redundant_letters, rules_of};
pub use machines::growth_of_possible;
pub use made::{Parts, SplitSetting, split_rules};
pub use order::{OrderLimits, OrderSetting, Score, SplitRules, optimize_rule_order};
pub use split_game::{Letter, Split, SplitError, SplitGame};

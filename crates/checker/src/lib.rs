//! An independent checker of redundancy certificates, and of the machines that depend on them.
//!
//! An analysis names, for each redundant word, an earlier word that replaces it. Finding these
//! pairs takes composition, indexes and discrimination trees; checking them takes none of these.
//! This crate shares no code with the analysis and works by another method: it carries words out on
//! states of unknown values. Types enforce the order of proofs: a proof requires its premises as
//! values that only earlier proofs return.
//!
//! | claim | proof | where it holds |
//! |---|---|---|
//! | a word of rules is redundant | [`check_word`], [`find_flaws`]: the word is carried out on unknown values, and the replacement on the most general state from which that is possible | in all states |
//! | a word is redundant by what the invariants imply | [`check_word_within`], [`find_flaws_within`]: the same on the most general state with all implied values | in states with the invariants |
//! | parts of rules are disjoint and complete | [`ProvedParts`]: the values of the variables that conditions name are enumerated, separately for each rule | in states with the invariants |
//! | a word of parts is redundant | [`ProvedParts::find_flaws`]: the same as for rules, with the conditions of the parts supposed on the way | in all states, or in those with the invariants |
//! | some variables can't matter for any goal | [`ProvedIrrelevance`]: no goal tests one of them, and no rule that can change any other variable tests one of them or copies one into such a variable | on the way to a goal |
//! | a word is redundant except for these variables | [`find_flaws_for_goals`]: ends are compared without them | on the way to a goal, in states with the invariants |
//! | two rules commute | [`ProvedSwaps`]: the same for pairs of rules | in all states, or in those with the invariants |
//! | no rule breaks an invariant | [`ProvedInvariants`]: a common induction over the rules | from states that have them |
//! | a rule can't follow another | [`Successions`]: carried out on unknown values, the pair is impossible, or breaks an invariant | in states with the invariants |
//! | a word of operators is redundant | [`LabelWords`]: the same as for rules, for each instance of the word | in states with the invariants |
//! | a plan solves an instance | [`check_plan`]: each move is made from the rule as written, not from its canonical form | from the given start |
//! | a plan exists, no plan costs less than a bound, there is no plan, or a machine keeps a plan of least cost | [`CostCertificate`]: the certificate has the game and the proof, such as a closed list with tables for estimates, of which each entry is compared with its successors | from the start in the certificate, or in states with the invariants |
//! | a machine forbids exactly the claimed words | [`MachineClaim`], [`check_automaton`]: a joint walk through the machine and recognizers of this crate; or a shortest word about which they disagree | for all words, or with don't-cares for those without an impossible succession |
//!
//! Together they make a machine trustworthy, whatever program made it: it forbids exactly the words
//! that contain a redundant one, and each redundant word has a replacement that comes before it in
//! a nested total order. That makes the pruning safe (Burch & Holte 2011, "Move Pruning", with the
//! order that Holte's talk on PSVN adds). A machine that may do anything with impossible words
//! still satisfies the claim in every search from a state with the invariants, because no path has
//! an impossible succession.
//!
//! ```
//! use checker::{Certificate, Order, check_automaton, check_words};
//! use psvn_ir::RuleId;
//!
//! let game = psvn_ir::load("
//!     2  2 2
//!     0 - => 1 -  LABEL LEFT
//!     - 0 => - 1  LABEL RIGHT
//!     GOAL 1 1
//! ").game.expect("a game without errors");
//! let (left, right) = (RuleId(0), RuleId(1));
//! let word = [right, left];
//! let certificate = Certificate { word: &word, replacement: &[left, right] };
//! assert_eq!(check_words(&game, [certificate], Order::LengthLexicographic), Ok(1));
//!
//! // A machine with two states that forbids LEFT after RIGHT. States: was the last rule RIGHT?
//! let next = |after_right: bool, letter: u32| match (after_right, letter) {
//!     (true, 0) => None,
//!     (_, letter) => Some(letter == 1),
//! };
//! assert_eq!(check_automaton(2, &[[1, 0]], false, next), Ok(2));
//! ```
//!
//! # What this crate doesn't know
//! Composition, redundancy by matching, tries of kept words, how invariants are found, how machines
//! are made and stored. It reads the preconditions, actions and cost of a rule. It reads labels
//! only to group rules into [`Operators`], and source text only to carry out plans.

mod costs;
mod execution;
mod invariants;
mod labels;
mod limits;
mod machine;
mod order;
mod pairs;
mod parts;
mod plan;
mod words;

pub use costs::{
    CostCertificate, CostClaim, CostFailure, CostFlaw, CostProblem, ExportFailure, PlanFormula,
    UnreadableCertificate, VectorFlaw,
};
pub use invariants::irrelevance::{IrrelevanceFlaw, ProvedIrrelevance};
pub use invariants::{Fact, Invariant, InvariantFailure, InvariantFlaw, ProvedInvariants};
pub use labels::label_words::{LabelCertificate, LabelFailure, LabelFlaw, LabelWords, Obstacle};
pub use labels::{OperatorFlaw, Operators};
pub use limits::{Limits, StopReason};
pub use machine::automaton::{AutomatonFlaw, MachineClaim, check_automaton};
pub use order::{NoOrder, Order, RuleRanks, WordOrder};
pub use pairs::successions::Successions;
pub use pairs::swaps::{ProvedSwaps, SwapFailure, SwapFlaw};
pub use parts::{PartCertificate, PartsFailure, PartsFlaw, ProvedParts, RulePart};
pub use plan::{CheckedPlan, PlanFlaw, PlanMove, check_plan};
pub use words::{
    Certificate, Flaw, Part, WordFailure, check_word, check_word_within, check_words, find_flaws,
    find_flaws_for_goals, find_flaws_within,
};

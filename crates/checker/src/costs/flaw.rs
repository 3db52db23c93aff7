//! Why a certificate isn't accepted.

use crate::costs::setting::moves::VectorFlaw;
use crate::limits::StopReason;

/// Why a certificate isn't accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CostFailure {
    /// It doesn't prove what it claims.
    #[error(transparent)]
    Flaw(#[from] CostFlaw),
    /// The check was given up.
    #[error("the check was given up: {0}")]
    Stopped(#[from] StopReason),
}

/// A flaw, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct CostFlaw {
    /// The line that is wrong, from 1; or that of the claim, if no other line is wrong by itself.
    pub line: usize,
    /// What is wrong.
    pub problem: CostProblem,
}

/// What is wrong in a certificate. Numbers here count from 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum CostProblem {
    /// A rule or a goal makes no sense in the game.
    #[error(transparent)]
    Vector(#[from] VectorFlaw),
    /// A state has values that its domains don't have, or another number of values.
    #[error("the state doesn't fit the domains")]
    OutsideDomains,
    /// A move of the plan is no rule of the game.
    #[error("move {}: there is no such rule", step + 1)]
    UnknownMove {
        /// The move.
        step: usize,
    },
    /// A move of the plan can't be made.
    #[error("move {}: rule {} doesn't apply", step + 1, rule + 1)]
    Inapplicable {
        /// The move.
        step: usize,
        /// The rule.
        rule: usize,
    },
    /// The plan doesn't end in a goal.
    #[error("the plan doesn't lead to a goal")]
    NoGoal,
    /// The plan has another cost.
    #[error("the plan costs {cost}, not {claimed}")]
    CostDiffers {
        /// The cost that the certificate claims.
        claimed: u64,
        /// The cost of the plan.
        cost: u64,
    },
    /// A payer is no variable.
    #[error("a payer of this group isn't a variable")]
    Payer,
    /// The tables of a group charge more for a rule than it costs.
    #[error("the tables of this group together charge more for rule {} than it costs", rule + 1)]
    Charges {
        /// The rule.
        rule: usize,
    },
    /// An abstract goal has an estimate.
    #[error("a goal has an estimate above 0")]
    EstimateOfGoal,
    /// An estimate falls by more than a move costs.
    #[error("an abstract move lowers this estimate by more than its cost")]
    Estimate,
    /// A potential falls by more than a rule costs.
    #[error("rule {} may lower this potential by {fall}, which is more than it costs", rule + 1)]
    Potential {
        /// The rule.
        rule: usize,
        /// How much the sum may fall.
        fall: i64,
    },
    /// A goal may have a potential above 0.
    #[error("the sum of this potential may be {sum} at a goal, which is more than its base")]
    PotentialOfGoal {
        /// The greatest sum.
        sum: u64,
    },
    /// The start is neither listed with g = 0 nor far enough from all goals.
    #[error("the start isn't listed with g = 0")]
    Start,
    /// A goal is listed with a g below the bound.
    #[error("a goal with g = {g}, which is below the bound")]
    GoalBelowBound {
        /// Its g.
        g: u64,
    },
    /// A successor may be on a plan that costs less than the bound.
    #[error(
        "rule {} leads to a state that isn't listed with g <= {g}, and its estimate doesn't reach \
         the bound",
        rule + 1
    )]
    Successor {
        /// The rule.
        rule: usize,
        /// The g of the successor on this way.
        g: u64,
    },
    /// The start isn't listed.
    #[error("the start isn't listed")]
    StartNotListed,
    /// A goal is listed as a state that can be reached.
    #[error("a goal is listed")]
    GoalListed,
    /// A listed state has a successor that isn't listed.
    #[error("rule {} leads to a state that isn't listed", rule + 1)]
    SuccessorNotListed {
        /// The rule.
        rule: usize,
    },
    /// A state is listed with a number above the bound for all states.
    #[error("the number is above the bound")]
    AboveBound,
    /// A listed state is no goal, and no rule leads nearer to one.
    #[error("no rule leads to a listed state whose number is less by at least the rule's cost")]
    NoWayDown,
    /// A rule may change a sum that no rule should change.
    #[error("rule {} may change this sum", rule + 1)]
    SumChanges {
        /// The rule.
        rule: usize,
    },
    /// A goal may have the sum that the start has.
    #[error("a goal may have the sum of the start")]
    SumOfGoal,
    /// The start has another sum than an invariant says.
    #[error("the start has another sum than this invariant")]
    StartOutside,
    /// A replacement or a part names a rule that the game doesn't have.
    #[error("there is no rule {}", rule + 1)]
    UnknownRule {
        /// The rule.
        rule: usize,
    },
    /// A word has a letter that the machine doesn't have.
    #[error("there is no letter {}", letter + 1)]
    UnknownLetter {
        /// The letter.
        letter: usize,
    },
    /// A part of a rule asks for a value that the rule or the part rules out.
    #[error("this part of rule {} can never be used", rule + 1)]
    PartNeverUsed {
        /// The rule.
        rule: usize,
    },
    /// Two parts of a rule don't ask for different values of a variable.
    #[error("this part and that of line {other} don't ask for different values of a variable")]
    PartsShareStates {
        /// The line of the other part, from 1.
        other: usize,
    },
    /// In some state with the invariants, a rule can be used, but none of its parts.
    #[error("rule {} has no part for some of the states that allow it", rule + 1)]
    PartMissing {
        /// The rule.
        rule: usize,
    },
    /// A replacement doesn't come before its word.
    #[error("the replacement doesn't come before the word")]
    NotBefore,
    /// A replacement costs more than its word.
    #[error("the replacement costs more than the word")]
    CostsMore,
    /// No state allows the word.
    #[error("no state allows the word")]
    Impossible,
    /// A replacement doesn't lead where its word leads.
    #[error("the replacement doesn't always lead where the word leads")]
    NotRedundant,
    /// The machine forbids a word that has no listed part.
    #[error(
        "the machine forbids the word {}, which has no listed part",
        spelled(word)
    )]
    ForbidsTooMuch {
        /// The word, as letters.
        word: Vec<u32>,
    },
    /// The machine allows a word that has a listed part.
    #[error(
        "the machine allows the word {}, which has a listed part",
        spelled(word)
    )]
    ForbidsTooLittle {
        /// The word, as letters.
        word: Vec<u32>,
    },
    /// The search finds a goal below the bound.
    #[error("the search finds a goal with g = {g}, which is below the bound")]
    GoalFound {
        /// Its g.
        g: u64,
    },
    /// The search goes deeper than both checkers go.
    #[error("the search goes deeper than {most} moves")]
    TooDeep {
        /// The most moves.
        most: usize,
    },
    /// The proof needs more cases than this checker looks at.
    #[error("there are more than {most} cases")]
    TooManyCases {
        /// The most cases.
        most: usize,
    },
}

/// The letters of a word, from 1.
fn spelled(word: &[u32]) -> String {
    let letters: Vec<String> = word.iter().map(|letter| (letter + 1).to_string()).collect();
    letters.join(" ")
}

impl CostProblem {
    /// The flaw of a line.
    pub(crate) fn at(self, line: usize) -> Fault {
        Fault::Flaw(CostFlaw {
            line,
            problem: self,
        })
    }
}

/// A failure whose line may not be known yet.
#[derive(Debug)]
pub(crate) enum Fault {
    Flaw(CostFlaw),
    /// No line is wrong by itself.
    Claim(CostProblem),
    Stopped(StopReason),
}

impl Fault {
    /// The failure of the claim at a line.
    pub(crate) fn of_claim(self, line: usize) -> CostFailure {
        match self {
            Self::Flaw(flaw) => flaw.into(),
            Self::Claim(problem) => CostFlaw { line, problem }.into(),
            Self::Stopped(reason) => reason.into(),
        }
    }
}

impl From<CostProblem> for Fault {
    fn from(problem: CostProblem) -> Self {
        Self::Claim(problem)
    }
}

impl From<StopReason> for Fault {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}
